/** Two tables that are compared, and their cells in SQL. */
import { sqlName } from "@seqreg/core/engine/local/scratch_sql";
import { cellText } from "../columns.ts";
import type { SideColumn, SideTable } from "../open_side.ts";
import type { RowCondition } from "./_as_of.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Two tables, and what of them is compared. */
export interface ComparedTables {
  readonly before: SideTable;
  readonly after: SideTable;
  /** Column that identifies a record, by its old and new name; absent where a whole row identifies itself. */
  readonly key?: RenamedColumn;
  /** Columns whose cells are compared, the key not among them. */
  readonly columns: readonly RenamedColumn[];
  /** Condition on the rows of each version; all rows without it. */
  readonly only?: readonly [before: RowCondition, after: RowCondition];
}

/** Names of the scratch tables of one version. */
export const VERSIONS = ["old", "new"] as const;

/** The version of a scratch table. */
export type Version = typeof VERSIONS[number];

/** Whether a key may stand in several rows, which a lake's manifest rules out for its identifiers. */
export function mayRepeat(tables: ComparedTables, version: Version): boolean {
  const { rows, unique, idField } = sideOf(tables, version);
  const key = tables.key && nameIn(tables.key, version);
  return rows === undefined || rows !== unique || key === undefined || key !== idField;
}

/** A record's key as text; an empty one is a missing key. A whole row is its own key, as a JSON array. */
export function keyOf(tables: ComparedTables, version: Version, from = ""): string {
  if (tables.key !== undefined) return `nullif(${textCell(tables, tables.key, version, from)}, '')`;
  const cells = tables.columns.map((pair) => textCell(tables, pair, version, from)).join(", ");
  return `to_json([${cells}])::VARCHAR`;
}

/** A cell as it is hashed: equal where the versions' cells are. */
export function hashedCell(tables: ComparedTables, pair: RenamedColumn, version: Version): string {
  const [before, after] = VERSIONS.map((each) => columnOf(tables, pair, each)?.dtype);
  const cell = before === after ? sqlName(nameIn(pair, version)) : textCell(tables, pair, version);
  const isText = before !== after || before === "VARCHAR" || before === "String";
  // A Parquet file, whose rows are unknown, may have an empty text where a table of text has none.
  return isText && [tables.before, tables.after].some(({ rows }) => rows === undefined) ? `nullif(${cell}, '')` : cell;
}

/** A cell as text, where the types of the versions may differ. */
function textCell(tables: ComparedTables, pair: RenamedColumn, version: Version, from = ""): string {
  return cellText(columnOf(tables, pair, version) ?? { name: nameIn(pair, version) }, from);
}

/** The condition on the rows of a version that are compared; `undefined` if all are. */
export function conditionOf({ only }: ComparedTables, version: Version, from = ""): string | undefined {
  return only?.[version === "old" ? 0 : 1](from);
}

/** The table of a version. */
export function sideOf({ before, after }: ComparedTables, version: Version): SideTable {
  return version === "old" ? before : after;
}

/** Name of a column in one version. */
export function nameIn([before, after]: RenamedColumn, version: Version): string {
  return version === "old" ? before : after;
}

/** A column of a version. */
export function columnOf(tables: ComparedTables, pair: RenamedColumn, version: Version): SideColumn | undefined {
  const name = nameIn(pair, version);
  return sideOf(tables, version).columns.find((column) => column.name === name);
}
