/** Compares one table of both versions: columns, then rows, then cells. */
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { pairByValues } from "./_alike_columns.ts";
import { leaveOutLater, type LeftOut } from "./_as_of.ts";
import { ChangedCells } from "./_changed_cells.ts";
import { readDaffRows } from "./_daff_rows.ts";
import { countGroups, type GroupCounts } from "./group_counts.ts";
import { type ComparedTables, mayRepeat } from "./_compared_tables.ts";
import { type DifferingRows, findDifferingRows } from "./_differing_rows.ts";
import { describeColumns, matchColumns, type MatchedColumns } from "./match_columns.ts";
import type { ColumnChanges } from "./match_columns.ts";
import { nameInFile, withColumns } from "../columns.ts";
import type { SideColumn, SideTable } from "../open_side.ts";
import { keyOf } from "./_table_key.ts";
import type { RecordChange } from "./record_change.ts";

/** What the caller asked of a comparison. */
export interface ComparisonRequest {
  readonly key?: string;
  readonly rename?: Readonly<Record<string, string>>;
  readonly fields?: readonly string[];
  readonly asOf?: string;
}

/** A table of both versions, compared up to the cells. */
export interface ComparedTable {
  readonly name: string;
  /** Name of the key in the new version; absent where whole rows were compared. */
  readonly key?: string;
  readonly columns: ColumnChanges;
  readonly rows: DifferingRows;
  readonly leftOut: LeftOut;
  /** Whether the files of both versions are the same, so that nothing was read. */
  readonly isSame: boolean;
  /** What differs, sorted by key. To be read before another table is compared. */
  changes(): AsyncGenerator<RecordChange>;
  /** Differing records by country and by year, likewise. */
  countGroups(role: "country" | "collectionDate"): Promise<GroupCounts[]>;
  /** What differs in daff's format, likewise. */
  daffRows(): AsyncGenerator<string[]>;
}

/** Compares one table; `same` records of each version were left out before, since they are equal. */
export async function compareTables(
  sql: ScratchSql,
  sides: readonly [SideTable, SideTable],
  request: ComparisonRequest & { readonly isOnly: boolean; readonly same: number },
): Promise<ComparedTable> {
  const [before, after] = [
    withoutCounted(await withColumns(sql, sides[0])),
    withoutCounted(await withColumns(sql, sides[1])),
  ];
  const names = (side: SideTable) => side.columns.map(({ name }) => name);
  const matched = matchColumns(names(before), names(after), request);
  const key = keyOf(before, after, request);
  if (key === undefined && request.isOnly) throw withoutKey(before, after);
  const leftOut = await leaveOutLater(sql, [before, after], request);
  const tables: ComparedTables = {
    before,
    after,
    ...key && { key },
    columns: matched.compared.filter(([, name]) => name !== key?.[1]),
    ...leftOut.only && { only: leftOut.only },
  };
  const isRenamed = [...tables.columns, ...key === undefined ? [] : [key]].some(([old, now]) => old !== now);
  // Keys of several rows are listed even if the versions are the same.
  if (request.asOf === undefined && !isRenamed && areSame(before, after) && !mayRepeat(tables, "old")) {
    return {
      ...describe(tables, describeColumns(matched, []), leftOut),
      rows: unchangedRows((before.rows ?? 0) + request.same),
      isSame: true,
      async *changes() {},
      countGroups: () => Promise.resolve([]),
      async *daffRows() {
        yield ["@@", ...names(after).map((name) => nameInFile(after, name))];
      },
    };
  }
  const rows = await findDifferingRows(sql, tables);
  const alike = key === undefined
    ? []
    : await pairByValues(sql, tables, { ...leftOver(matched), rows: Math.max(rows.old, rows.new) });
  const columns = describeColumns(matched, alike);
  return {
    ...describe(tables, columns, leftOut),
    rows: { ...rows, old: rows.old + request.same, new: rows.new + request.same },
    isSame: false,
    changes: () => new ChangedCells(sql, tables, rows.columns).read(),
    countGroups: (role) => countGroups(sql, tables, role),
    daffRows: () => readDaffRows(sql, tables, columns),
  };
}

function describe(tables: ComparedTables, columns: ColumnChanges, leftOut: LeftOut) {
  return { name: tables.after.name, ...tables.key && { key: tables.key[1] }, columns, leftOut };
}

/** Names that have no partner by the words of their names either. */
function leftOver(matched: MatchedColumns): Pick<MatchedColumns, "gone" | "came"> {
  const { removed, added } = describeColumns(matched, []);
  return { gone: removed, came: added };
}

/** A table of sequences without what a lake counts in them: the sequence itself is compared. */
function withoutCounted(side: SideTable): SideTable {
  if (side.sequence === undefined) return side;
  const stays = ({ name }: SideColumn) => name === side.idField || name === side.sequence;
  return { ...side, columns: side.columns.filter(stays) };
}

function withoutKey(before: SideTable, after: SideTable): RangeError {
  const shared = before.columns.map(({ name }) => name)
    .filter((name) => after.columns.some((column) => column.name === name));
  return new RangeError(
    `Cannot compare ${before.name} with ${after.name}: no column is known to identify a record; name one with --key ` +
      `(option key), such as ${shared.slice(0, 5).map((name) => `"${name}"`).join(", ") || "a column of both"}`,
  );
}

/** Whether both versions are the same bytes, of files with digests. */
function areSame(before: SideTable, after: SideTable): boolean {
  if (before.digests === undefined || after.digests === undefined || before.digests.length === 0) return false;
  return JSON.stringify([before.digests, before.columns]) === JSON.stringify([after.digests, after.columns]);
}

function unchangedRows(rows: number): DifferingRows {
  return {
    old: rows,
    new: rows,
    added: 0,
    removed: 0,
    suspects: 0,
    keyless: 0,
    oldKeyless: 0,
    duplicate: [],
    duplicates: 0,
    differingDuplicates: 0,
    differing: [],
    oldRowsOfThem: 0,
    columns: [],
  };
}
