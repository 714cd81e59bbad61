/** Which column identifies the records of two versions. */
import { ROLES } from "@seqreg/analysis/source/roles";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { SideTable } from "../open_side.ts";
import { adviseName } from "@seqreg/core/options/nearest";
import type { RenamedColumn } from "./propose_renames.ts";

/** The columns of a version. */
export type KeyedColumns = Pick<SideTable, "idField"> & { readonly columns: readonly { readonly name: string }[] };

/** What the caller says of them. */
export interface KeyRequest {
  readonly key?: string;
  readonly rename?: Readonly<Record<string, string>>;
}

/** The column that identifies records, by its old and new name: the caller's, else the accession. */
export function keyOf(
  before: KeyedColumns,
  after: KeyedColumns & { readonly name?: string },
  { key, rename = {} }: KeyRequest,
): RenamedColumn | undefined {
  const formerOf = (name: string) => Object.entries(rename).find(([, to]) => to === name)?.[0];
  if (key !== undefined) {
    const pair: RenamedColumn = Object.hasOwn(rename, key) ? [key, rename[key]] : [formerOf(key) ?? key, key];
    const isThere = [before, after].every(({ columns }, index) => columns.some(({ name }) => name === pair[index]));
    if (!isThere) {
      const shared = before.columns.map(({ name }) => name)
        .filter((name) => after.columns.some((column) => column.name === name));
      throw new RangeError(
        `Cannot compare by "${key}": ${after.name} has no such column in both versions; ${adviseName(key, shared)}`,
      );
    }
    return pair;
  }
  /** The new name of a column; none if the new version lacks it, or another column has its name there. */
  const partnerOf = (name: string) => {
    const partner = Object.hasOwn(rename, name) ? rename[name] : formerOf(name) === undefined ? name : undefined;
    return after.columns.find((column) => column.name === partner)?.name;
  };
  if (before.idField !== undefined) {
    const name = partnerOf(before.idField);
    if (name !== undefined) return [before.idField, name];
  }
  // Names with a word of a source, such as `NCBI ID`, are those of other things too.
  const names: readonly string[] = ROLES.accession.names;
  const found = before.columns.map(({ name }) => name)
    .filter((name) => names.includes(fieldAlias(name)) && partnerOf(name) !== undefined)
    .sort((a, b) => names.indexOf(fieldAlias(a)) - names.indexOf(fieldAlias(b)))[0];
  return found === undefined ? undefined : [found, partnerOf(found)!];
}
