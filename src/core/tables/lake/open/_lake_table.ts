/** Columns of a table of a lake with a ledger, the values that do not fit, and writers. */
import { countOf } from "../../../contract/count_of.ts";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { closeLedger, type Ledger, type Problem, quoteValue } from "../../../contract/ledger.ts";
import { describeUnread } from "../../../io/csv/unread_rows.ts";
import { scanFiles } from "../../../engine/frames/scan_files.ts";
import { scanObjects } from "../../../engine/frames/scan_objects.ts";
import { isObjectTable } from "../objects/object_table.ts";
import { type MissingValues, noteMissing } from "../../types/missing_values.ts";
import { buildProblemsFrame, type Polars } from "../../types/polars.ts";
import { type BuiltTable, pathOf } from "../build/lake_layout.ts";
import { hasChecksums, readingTables } from "./check_lake.ts";
import { readValue } from "../../../contract/values/mod.ts";
import type { LakeTable } from "./lake.ts";
import type { LakeColumn, LakeManifest } from "../build/lake_manifest.ts";
import type { WriteTableOptions } from "../../types/table.ts";
import { type FrameFormat, writeScan } from "../../types/write_frame.ts";
import { noteInvalid, noteUnlisted } from "../../types/table_entries.ts";
import { noteEntry, savedEntries } from "../../../contract/ledger_entries.ts";
import { exactColumn } from "../../../engine/frames/frame_members.ts";

/** A table, and columns that its files lack, which hold nothing. */
export interface ScannedTable extends BuiltTable {
  readonly emptyColumns?: readonly LakeColumn[];
}

/** Rows of a table, lazily. */
export function scanTable(pl: Polars, table: ScannedTable): LazyDataFrame {
  const { manifest, emptyColumns = [] } = table;
  return scanKind(pl, table, "parquet")
    .select(
      ...manifest.columns.map(({ name }) => exactColumn(pl, name)),
      ...emptyColumns.map(({ name, dtype }) => pl.lit(null).cast(dtypeOf(pl, dtype)).alias(name)),
    );
}

function dtypeOf(pl: Polars, dtype: LakeColumn["dtype"]) {
  return dtype === "List(String)" ? pl.List(pl.String) : pl[dtype];
}

/** Texts that are not written as their type is, lazily. */
function scanRaw(pl: Polars, table: BuiltTable): LazyDataFrame {
  return scanKind(pl, table, "raw");
}

function scanKind(pl: Polars, table: BuiltTable, ending: "parquet" | "raw"): LazyDataFrame {
  if (isObjectTable(table)) return scanObjects(pl, table.objects.addresses(ending), table.objects.store.access);
  return scanFiles(pl, ending === "parquet" ? table.files : table.manifest.raw.map((file) => pathOf(table, file)));
}

/** Reads what the ledger of some columns needs. */
export async function readLakeTable(
  pl: Polars,
  table: ScannedTable,
  options: { readonly columns: readonly LakeColumn[]; readonly maxProblems?: number; readonly signal?: AbortSignal },
): Promise<LakeTable> {
  const { columns, maxProblems = 100_000, signal } = options;
  const { manifest } = table;
  signal?.throwIfAborted();
  const fields = new Set(columns.map(({ field }) => field));
  const misfits = Object.entries(manifest.misfits).filter(([field]) => fields.has(field));
  const problems = [
    ...manifest.problems.slice(0, maxProblems),
    ...await readInvalid(pl, table, { misfits, most: maxProblems - manifest.problems.length, signal }),
  ];
  const count = misfits.reduce((sum, [, each]) => sum + each, 0) +
    Math.max(manifest.unparsed, manifest.problems.length);
  const missingValues = Object.fromEntries(
    Object.entries(manifest.missingValues ?? {}).filter(([field]) => fields.has(field)),
  );
  const ledger = ledgerOf(manifest, misfits, { missingValues, listed: problems.length, count });
  return lakeTable(pl, table, columns, { problems, problemCount: count, missingValues, ledger });
}

type InvalidCounts = readonly (readonly [field: string, count: number])[];

/** Values that do not fit, field by field in the order of the rows. */
async function readInvalid(
  pl: Polars,
  table: BuiltTable,
  { misfits, most, signal }: { readonly misfits: InvalidCounts; readonly most: number; readonly signal?: AbortSignal },
): Promise<Problem[]> {
  const { manifest } = table;
  const found: { row: number; field: string; value: string }[] = [];
  for (const [field, count] of misfits) {
    signal?.throwIfAborted();
    const room = Math.min(count, most - found.length);
    if (room <= 0) break;
    const frame = await scanRaw(pl, table)
      .filter(pl.col("field").eq(pl.lit(field)).and(pl.col("fits").not())).limit(room).select("row", "value").collect();
    for (const { row, value } of frame.toRecords()) found.push({ row: Number(row), field, value: String(value) });
  }
  const ids = await readIds(pl, table, found.map(({ row }) => row));
  return found.map(({ row, field, value }): Problem => {
    const column = manifest.columns.find(({ name }) => name === field);
    const definition = manifest.definitions.find(({ name }) => name === field);
    const read = readValue(value, { type: column?.type ?? "string", unit: definition?.unit ?? "" });
    const id = ids.get(row);
    return {
      row,
      ...id !== undefined && { id },
      field,
      value: quoteValue(value),
      reason: read.kind === "invalid" ? read.reason : "does not fit",
      kept: column?.type === "date",
    };
  });
}

async function readIds(pl: Polars, table: BuiltTable, rows: readonly number[]): Promise<Map<number, string>> {
  const { idField } = table.manifest;
  if (idField === null || rows.length === 0) return new Map();
  const wanted = pl.DataFrame({ row: pl.Series("row", [...new Set(rows)], pl.Int64) }).lazy();
  const frame = await scanTable(pl, table).select(exactColumn(pl, idField).alias("id")).withRowIndex("row", 1)
    .withColumns(pl.col("row").cast(pl.Int64)).join(wanted, { on: "row", how: "inner" }).collect();
  const ids = new Map<number, string>();
  for (const { row, id } of frame.toRecords()) if (typeof id === "string") ids.set(Number(row), id);
  return ids;
}

function lakeTable(
  pl: Polars,
  table: ScannedTable,
  columns: readonly LakeColumn[],
  parts: Pick<LakeTable, "problems" | "problemCount" | "missingValues" | "ledger">,
): LakeTable {
  let frame: Promise<DataFrame> | undefined;
  const scan = () => scanTable(pl, table).select(...columns.map(({ name }) => exactColumn(pl, name)));
  const read = () => {
    const reading = frame ??= readingTables([table], () => scan().collect());
    // The file or the store may be there again at the next call.
    reading.catch(() => {
      if (frame === reading) frame = undefined;
    });
    return reading;
  };
  const write = (path: string, format: FrameFormat, options: WriteTableOptions | undefined) =>
    readingTables(
      [table],
      () => writeScan(() => ({ rows: scan(), columns }), path, format, options),
      options?.signal,
    );
  return {
    ...parts,
    columns,
    rows: table.manifest.rows,
    frame: read,
    rawFrame: () =>
      readingTables([table], () => scanTexts(pl, table, columns.filter(({ name, field }) => name === field)).collect()),
    problemsFrame: () => buildProblemsFrame(parts.problems),
    toCSV: (path, options) => write(path, "csv", options),
    toTSV: (path, options) => write(path, "tsv", options),
    toParquet: (path, options) => write(path, "parquet", options),
  };
}

/** Some of the rows of a table: so many after the first ones. */
export interface RowSlice {
  readonly from: number;
  readonly count: number;
}

/** The texts that came, lazily: those that were kept, else what a plain value is printed as. */
export function scanTexts(
  pl: Polars,
  table: ScannedTable,
  columns: readonly LakeColumn[],
  slice?: RowSlice,
): LazyDataFrame {
  const plain = columns.map(({ name, type }) => {
    const column = exactColumn(pl, name);
    if (type === "list") return column.lst.join(";");
    const text = column.cast(pl.String);
    return type === "float" ? text.str.replace("\\.0$", "") : text;
  });
  const [row, value] = ["row", "value"].map((name) => unusedName(name, columns));
  const scan = scanTable(pl, table).select(...plain);
  const { from, count } = slice ?? { from: 0, count: table.manifest.rows };
  let rows = (slice === undefined ? scan : scan.slice(from, count)).withRowIndex(row, 1 + from)
    .withColumns(pl.col(row).cast(pl.Int64));
  for (const { name } of table.manifest.raw.length === 0 ? [] : columns.filter(isCast)) {
    const isIn = pl.col("row").gt(pl.lit(from)).and(pl.col("row").lt(pl.lit(from + count + 1)));
    const kept = scanRaw(pl, table).filter(pl.col("field").eq(pl.lit(name)).and(isIn))
      .select(pl.col("row").alias(row), pl.col("value").alias(value));
    rows = rows.join(kept, { on: row, how: "left" })
      .withColumns(pl.col(value).fillNull(exactColumn(pl, name)).alias(name)).drop(value);
  }
  return rows.sort(row).drop(row);
}

function unusedName(wanted: string, columns: readonly LakeColumn[]): string {
  let name = wanted;
  while (columns.some((column) => column.name === name)) name += "'";
  return name;
}

function isCast({ dtype }: LakeColumn): boolean {
  return dtype === "Int64" || dtype === "Float64" || dtype === "Bool" || dtype === "List(String)";
}

function ledgerOf(
  manifest: LakeManifest,
  misfits: InvalidCounts,
  { missingValues, listed, count }: {
    readonly missingValues: MissingValues;
    readonly listed: number;
    readonly count: number;
  },
): Ledger {
  const type = (field: string) => manifest.columns.find(({ name }) => name === field)?.type ?? "string";
  const entries = [...savedEntries(manifest), ...misfits.map(([field, each]) => noteInvalid(each, field, type(field)))];
  if (!hasChecksums(manifest)) {
    const text = `${manifest.table} carries no checksums: an older toolkit built it; build the lake again`;
    entries.push(noteEntry("checksums-absent", text));
  }
  entries.push(...noteMissing(missingValues, type));
  const again = manifest.rows - manifest.unique;
  // A lake of this version names them.
  if (again > 0 && !entries.some(({ code }) => code === "duplicates")) {
    entries.push(noteEntry("duplicates", `${countOf(again, "record")} came more than once`, { count: again }));
  }
  entries.push(...noteUnlisted(listed, count));
  return closeLedger({
    received: manifest.rows,
    unique: manifest.unique,
    unparsed: manifest.unparsed,
    unparsedReason: describeUnread(manifest.unparsed, manifest.problems),
    entries,
  });
}
