/** Public names of columns that are called by aliases. */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { Naming } from "../../contract/naming.ts";

/**
 * Names columns by the public names of their fields: a column that is called by an alias gets the name that its
 * definition has, unless another column is called so.
 *
 * @returns A name for each column.
 */
export function publicNames(
  columns: readonly string[],
  definitions: readonly FieldDefinition[],
  naming: Naming,
): readonly string[] {
  const names = new Set(definitions.map(({ name }) => name));
  const byAlias = new Map([
    [naming.accessionAlias, naming.accessionField],
    ...definitions.map(({ alias, name }) => [alias || fieldAlias(name), name] as const),
  ]);
  const taken = new Set(columns);
  return columns.map((column) => {
    const name = names.has(column) ? undefined : byAlias.get(column);
    if (column === "" || name === undefined || taken.has(name)) return column;
    taken.add(name);
    return name;
  });
}
