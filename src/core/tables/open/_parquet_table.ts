/** A Parquet file as a table of texts, with the types other than text that it declares; read by polars in slices. */
import type { LazyDataFrame } from "nodejs-polars";
import { ParseError } from "../../errors.ts";
import type { FieldType } from "../../contract/metadata.ts";
import { type KnownColumn, knownColumn } from "../../contract/fields/column_names.ts";
import { exactColumn, fieldTypeOf, loadPolars, membersOf, type Polars } from "../../engine/frames/mod.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { pathOfUrl } from "../../io/bytes/path_of_url.ts";
import { sha256 } from "../../io/digest/sha256.ts";
import { csvRow } from "../../io/csv/csv_text.ts";

/** Rows that are held as text at a time. */
const ROWS = 50_000;

/** A Parquet file that is open. */
export interface ParquetTable {
  readonly columns: readonly string[];
  readonly entries: readonly [];
  readonly types: readonly (KnownColumn | undefined)[];
  read(): Promise<{ readonly chunks: AsyncGenerator<Uint8Array>; digest(): string }>;
}

/**
 * Opens a Parquet file.
 *
 * @throws {ParseError} If it is damaged, or has columns of values within values, other than lists.
 */
export async function openParquet(source: ByteSource, name: string): Promise<ParquetTable> {
  const pl = await loadPolars();
  const digest = await sha256(source);
  const query = guarded(
    name,
    () =>
      source instanceof Uint8Array
        ? pl.readParquet(Buffer.from(source)).lazy()
        : pl.scanParquet(source instanceof URL ? pathOfUrl(source) : String(source)),
  );
  const empty = guarded(name, () => membersOf(query.limit(0).collectSync()));
  const types = empty.dtypes.map((dtype) => fieldTypeOf(String(Reflect.get(dtype, "variant"))));
  const texts = query.select(
    ...empty.columns.map((column, index) => textOf(pl, column, types[index])),
  );
  return {
    columns: empty.columns,
    entries: [],
    types: types.map((type, index) => type === "string" ? undefined : declared(empty.columns[index], type)),
    read: () => Promise.resolve({ chunks: rowsOf(texts, empty.columns, name), digest: () => digest }),
  };
}

/** A type that the file declares, with the unit that a column of this name and type has. */
function declared(column: string, type: FieldType): KnownColumn {
  const known = knownColumn(column);
  return { type, unit: known?.type === type ? known.unit : "" };
}

async function* rowsOf(query: LazyDataFrame, columns: readonly string[], name: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${csvRow(columns)}\n`);
  for (let from = 0;; from += ROWS) {
    const rows = guarded(name, () => membersOf(query.slice(from, ROWS).collectSync()));
    if (rows.height > 0) yield rows.writeCSV({ includeHeader: false });
    if (rows.height < ROWS) return;
    await Promise.resolve();
  }
}

function textOf(pl: Polars, name: string, type: FieldType) {
  const column = exactColumn(pl, name);
  return type === "list" ? column.cast(pl.List(pl.String)).lst.join(";") : column.cast(pl.String);
}

function guarded<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new ParseError(
      `Cannot read the table ${name}: polars does not read this Parquet file (${reason}); write it anew, with columns ` +
        "of texts, numbers, booleans, dates and lists",
      {},
      { cause },
    );
  }
}
