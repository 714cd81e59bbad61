/** Results of DuckDB as frames of polars: what polars for Node cannot hold exactly is text, as DuckDB writes it. */
import type { DuckDBResultReader, DuckDBType, DuckDBValueConverter, JS } from "@duckdb/node-api";
import type { DataFrame } from "nodejs-polars";
import type { CellValue } from "../../contract/values/mod.ts";
import { buildFrame, type ColumnDtype, type FrameColumn } from "../frames/frame_columns.ts";

/** Types whose values become other ones in JavaScript: cut to milliseconds, rounded, or counted in some unit. */
const AS_TEXT = [
  ...["DATE", "TIME", "TIME_NS", "TIME_TZ", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"],
  ...["TIMESTAMP_TZ", "INTERVAL", "DECIMAL", "BLOB", "BIT"],
] as const;

/** Reads all columns of a result. */
export async function frameOf(reader: DuckDBResultReader): Promise<DataFrame> {
  const { DuckDBTypeId, JSDuckDBValueConverter } = await import("@duckdb/node-api");
  const asText: ReadonlySet<number> = new Set(AS_TEXT.map((name) => DuckDBTypeId[name]));
  const convertInner: DuckDBValueConverter<JS> = (value, type, converter) => {
    if (value === null || !asText.has(type.typeId)) return JSDuckDBValueConverter(value, type, converter);
    const text = textOf(value);
    return type.typeId === DuckDBTypeId.DECIMAL && isExactFloat(text) ? Number(text) : text;
  };
  const convert: DuckDBValueConverter<JS> = (value, type) =>
    value !== null && asText.has(type.typeId) ? textOf(value) : JSDuckDBValueConverter(value, type, convertInner);
  const values = reader.convertColumns(convert);
  const types = reader.columnTypes();
  const names = uniqueNames(reader.columnNames());
  // A result without rows has no chunks, and then no columns of values either.
  return await buildFrame(names.map((name, index) => columnOf(name, types[index], values[index] ?? [])));
}

/** Writes a value as DuckDB does; its package has numbers for days without end. */
function textOf(value: unknown): string {
  const days = typeof value === "object" && value !== null && "days" in value ? value.days : undefined;
  return days === ENDLESS_DAYS ? "infinity" : days === -ENDLESS_DAYS ? "-infinity" : String(value);
}

/**
 * Keeps U+FEFF at the beginning of texts: the decoder of DuckDB's package takes it for a byte order mark, which no
 * value has.
 */
export async function keepLeadingMarks(): Promise<void> {
  const accessors = await import("@duckdb/node-api/lib/vectors/dataAccessors.js");
  Object.assign(accessors.default, { textDecoder: new TextDecoder("utf-8", { ignoreBOM: true }) });
}

const ENDLESS_DAYS = 2 ** 31 - 1;
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const DAY_MS = 86_400_000;

/**
 * Types of DuckDB that polars has under another name. Sums of integers come as HUGEINT: those beyond 64 bits are text,
 * and so are decimals with more digits than a float keeps.
 */
function columnOf(name: string, type: DuckDBType, values: readonly unknown[]): FrameColumn {
  const column = (dtype: ColumnDtype, convert: (value: unknown) => CellValue) => ({
    column: { name, dtype },
    values: values.map((value) => value === null || value === undefined ? null : convert(value)),
  });
  const areAll = (test: (value: unknown) => boolean) =>
    values.every((value) => value === null || value === undefined || test(value));
  const word = type.toString();
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(word) && areAll(fitsInt64)) {
    return column("Int64", (value) => typeof value === "bigint" ? value : Number(value));
  }
  if (/^(FLOAT|DOUBLE)$/.test(word) || word.startsWith("DECIMAL(") && areAll(isExactFloat)) {
    return column("Float64", Number);
  }
  if (word === "BOOLEAN") return column("Bool", (value) => value === true);
  // Infinity and years of five digits stay text.
  if (word === "DATE" && areAll((value) => DAY.test(String(value)))) {
    return column("Date", (value) => Date.parse(`${value}T00:00:00Z`) / DAY_MS);
  }
  // A list with a null in it, like lists of anything else, is JSON: its null is not the word.
  if (word === "VARCHAR[]" && !values.some((value) => Array.isArray(value) && value.includes(null))) {
    return column("List(String)", (value) => Array.isArray(value) ? value.map(String) : []);
  }
  return column("String", plainText);
}

function fitsInt64(value: unknown): boolean {
  return typeof value !== "bigint" || value >= LEAST && value <= MOST;
}

/** Whether a decimal, written with its scale, comes back from a float as it is. */
function isExactFloat(decimal: unknown): boolean {
  const text = String(decimal);
  return Number(text).toFixed(text.split(".")[1]?.length ?? 0) === text;
}

/** JSON has no such numbers, and would make null of them. */
function isNotFinite(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function plainText(value: unknown): string {
  return typeof value === "object"
    ? JSON.stringify(value, (_, inner) => typeof inner === "bigint" || isNotFinite(inner) ? String(inner) : inner)
    : String(value);
}

/** A result may have two columns of one name; a frame may not. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let times = 1; seen.has(name) && taken.has(unique); times++) unique = `${name}_${times}`;
    seen.add(name);
    taken.add(unique);
    return unique;
  });
}
