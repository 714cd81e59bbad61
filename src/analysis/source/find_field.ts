/** Any field of the data, by what a person calls it. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { isListType } from "@seqreg/core/engine/frames";
import { adviseName } from "@seqreg/core/options/nearest";
import { findRole, ROLE_NAMES, type RoleFields, type RolePreferences } from "./roles.ts";
import type { SourceColumn } from "./source_column.ts";

/** Finds a field by its name, its alias, or a role that it plays. */
export function findField(
  source: { readonly columns: readonly SourceColumn[]; readonly roles?: RolePreferences },
  name: string,
  { fields, roles, doing }: {
    readonly fields?: RoleFields | undefined;
    readonly roles?: RolePreferences | undefined;
    /** What it is for, such as `group by`. */
    readonly doing: string;
  },
): SourceColumn {
  const { columns } = source;
  const role = ROLE_NAMES.find((role) => role === name);
  const byRole = role === undefined
    ? undefined
    : fields?.[role] ?? findRole(columns, role, { preferred: roles?.[role] ?? source.roles?.[role] ?? [] })?.name;
  const found = columns.find((column) => column.name === name) ?? columns.find((column) => column.name === byRole) ??
    columns.find((column) => fieldAlias(column.field) === fieldAlias(name));
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  throw new RangeError(
    `Cannot ${doing} ${JSON.stringify(name)}: the data has no such field, and none that plays such a role; ` +
      adviseName(name, names),
  );
}

/** Refuses a column of lists: its records would be in several groups. */
export function checkSingle({ dtype }: SourceColumn, doing: string): void {
  if (!isListType(dtype)) return;
  throw new RangeError(`Cannot ${doing}: it holds lists; name a field of single values`);
}
