/** A Parquet file as a table of texts, with the types other than text that it declares; read by polars in slices. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { ParseError } from "../../errors.ts";
import type { FieldType } from "../../contract/metadata.ts";
import { type KnownColumn, knownColumn } from "../../contract/fields/column_names.ts";
import { exactColumn, fieldTypeOf, isListType, loadPolars, membersOf, type Polars } from "../../engine/frames/mod.ts";
import { scanFiles } from "../../engine/frames/scan_files.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { pathOfUrl } from "../../io/bytes/path_of_url.ts";
import { csvRow } from "../../io/csv/csv_text.ts";
import { releaseFrames } from "../types/release_frames.ts";

type DataType = DataFrame["dtypes"][number];

/** Rows that are held as text at a time. */
const ROWS = 10_000;
/** Bytes of text after which the frames that they were made of are released. */
const RELEASE_BYTES = 30e6;

export interface ParquetTable {
  readonly columns: readonly string[];
  readonly entries: readonly [];
  readonly types: readonly (KnownColumn | undefined)[];
  read(): Promise<{ readonly chunks: AsyncGenerator<Uint8Array>; digest(): string }>;
}

/**
 * Opens a Parquet file. Values within values, and lists in a column of which an item has a semicolon or begins with a
 * bracket, are JSON.
 *
 * @param source Where it is, not compressed.
 * @param file Name for errors, and the digest that readings have.
 * @throws {ParseError} If it is damaged, or has a column of a type that no text stands for, such as bytes.
 */
export async function openParquet(
  source: ByteSource,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
): Promise<ParquetTable> {
  const pl = await loadPolars();
  const query = guarded(
    name,
    () =>
      source instanceof Uint8Array
        ? pl.readParquet(Buffer.from(source)).lazy()
        : scanFiles(pl, [source instanceof URL ? pathOfUrl(source) : String(source)]),
  );
  const empty = guarded(name, () => membersOf(query.limit(0).collectSync()));
  const forms = empty.columns.map((column) => {
    const what = `${name}, column ${JSON.stringify(column)}`;
    return guarded(what, () => formOf(pl, query, column, empty.getColumn(column).dtype));
  });
  const texts = query.select(...forms.map(({ text }) => text));
  return {
    columns: empty.columns,
    entries: [],
    types: forms.map(({ type }, index) => type === undefined ? undefined : declared(empty.columns[index], type)),
    read: () => {
      const floats = empty.columns.filter((_, index) => forms[index].isFloat === true);
      return Promise.resolve({
        chunks: rowsOf(pl, { query: texts, columns: empty.columns, floats, name }),
        digest: () => sha256,
      });
    },
  };
}

/** A type that the file declares, with the unit that a column of this name and type has. */
function declared(column: string, type: FieldType): KnownColumn {
  const known = knownColumn(column);
  return { type, unit: known?.type === type ? known.unit : "" };
}

interface ParquetQuery {
  readonly query: LazyDataFrame;
  readonly columns: readonly string[];
  readonly floats: readonly string[];
  readonly name: string;
}

async function* rowsOf(pl: Polars, { query, columns, floats, name }: ParquetQuery): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${csvRow(columns)}\n`);
  let held = 0;
  for (let from = 0;; from += ROWS) {
    const rows = guarded(name, () => membersOf(query.slice(from, ROWS).collectSync()));
    const text = withFloats(pl, rows, floats).writeCSV({ includeHeader: false });
    if (rows.height > 0) yield text;
    if (rows.height < ROWS) return;
    held += text.length;
    if (held < RELEASE_BYTES) continue;
    await releaseFrames();
    held = 0;
  }
}

/** Floats that polars writes with an exponent, as JavaScript, and a lake, write them: `1e16` has digits alone there. */
function withFloats(pl: Polars, rows: DataFrame, floats: readonly string[]): DataFrame {
  if (floats.length === 0) return rows;
  const isOther = floats.map((name, at) => exactColumn(pl, name).str.contains("e").any().alias(String(at)));
  const found = membersOf(rows.select(...isOther)).row(0);
  return floats.filter((_, at) => found[at] === true).reduce((written, name) => {
    const texts = written.getColumn(name).toArray()
      .map((text) => typeof text === "string" && text.includes("e") ? String(Number(text)) : text);
    return membersOf(written.withColumn(pl.Series(name, texts, pl.String)));
  }, rows);
}

/** How a column is read. */
interface ColumnForm {
  readonly isFloat?: boolean;
  readonly text: Expr;
  /** The type that the file declares; `undefined` if the texts determine it. */
  readonly type?: FieldType;
}

/** Digits of a decimal that every float keeps. */
const FLOAT_DIGITS = 15;

function formOf(pl: Polars, query: LazyDataFrame, name: string, dtype: DataType): ColumnForm {
  const column = exactColumn(pl, name);
  const type = fieldTypeOf(dtype.variant);
  if (dtype.variant === "Duration") throw new TypeError("a duration has no text");
  if (isNested(dtype) || type === "list" && hasOtherItems(pl, query, column)) {
    return { text: jsonOf(pl, column).alias(name), type: "string" };
  }
  if (type === "list") {
    const items = itemOf(dtype)?.variant === "Time"
      ? column.lst.eval(timeText(pl.element()))
      : column.cast(pl.List(pl.String));
    // One item that is null would make the whole cell null.
    return { text: items.lst.eval(pl.element().fillNull(pl.lit(""))).lst.join(";"), type };
  }
  if (dtype.variant === "Time") return { text: timeText(column) };
  const cast = column.cast(pl.String);
  // A whole number among floats is written as JavaScript, and a lake, write it.
  const isFloat = /^Float/.test(dtype.variant);
  const text = isFloat ? cast.str.replace("\\.0$", "") : cast;
  const isExact = dtype.variant !== "Decimal" || Number(Reflect.get(dtype, "precision")) <= FLOAT_DIGITS;
  return { text, isFloat, ...type !== "string" && isExact && { type } };
}

/** A time of day with what is less than a second. */
function timeText(time: Expr): Expr {
  return time.dt.strftime("%H:%M:%S%.f");
}

/** Whether a value of a column consists of values other than a list of plain ones. */
function isNested(dtype: DataType): boolean {
  const item = itemOf(dtype);
  return item === undefined ? !IS_PLAIN.test(dtype.variant) : item.variant === "List" || isNested(item);
}

const IS_PLAIN = /^(?!Struct|Array|FixedSizeList|Object)/;

function itemOf(dtype: DataType): DataType | undefined {
  return isListType(dtype.variant) ? Reflect.get(dtype, "inner")?.[0] : undefined;
}

/** Whether an item of a column's lists would be split, or alone be read as an array of JSON. */
function hasOtherItems(pl: Polars, query: LazyDataFrame, column: Expr): boolean {
  const found = column.explode().cast(pl.String).str.contains("^\\s*\\[|;").any();
  return membersOf(query.select(found.alias("found")).collectSync()).row(0)[0] === true;
}

function jsonOf(pl: Polars, column: Expr): Expr {
  // Of an object with one key; polars has no word for the JSON of a list.
  const json = pl.struct([column.alias("v")]).struct.jsonEncode().str.slice('{"v":'.length);
  return pl.when(column.isNull()).then(pl.lit(null)).otherwise(json.str.replace("\\}$", ""));
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
