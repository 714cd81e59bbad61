/** A polars frame under a cell, or the first rows of a lazy one. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { MediaBundle } from "@seqreg/core/io/display";
import { readableRows, type ShownValue, type TableContent, tableView } from "./table_view.ts";
import { membersOf } from "@seqreg/core/engine/frames";

/** Rows that are read to be shown. */
const MOST_SHOWN = 1000;

/** Returns whether a value is a polars frame, without loading polars. */
export function isFrame(value: unknown): value is DataFrame {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  // A polars frame is a proxy that answers for its members only when they are read: `in` does not find them.
  const members = membersOf(value);
  const read = (name: string): unknown => Reflect.get(members, name);
  return Array.isArray(read("columns")) && Array.isArray(read("dtypes")) && typeof read("height") === "number" &&
    typeof read("head") === "function" && typeof read("rows") === "function";
}

/**
 * Writes a polars frame for a notebook: its shape, types and first rows.
 *
 * @param frame The frame; as many of its first rows are read as a table holds.
 * @param caption What it is, in a few words.
 */
export async function frameView(frame: DataFrame, caption = "frame"): Promise<MediaBundle> {
  return await firstRowsView(frame, {
    caption,
    total: membersOf(frame).height,
    complete: `writeFrame(frame, "all.csv", { format: "csv" }) of seqreg/tables writes all of it`,
    live: "await live(frame) shows all rows",
  });
}

/** Returns whether a value is a lazy polars frame, without loading polars. */
export function isLazyFrame(value: unknown): value is LazyDataFrame {
  return typeof value === "object" && value !== null && Reflect.get(value, Symbol.toStringTag) === "LazyDataFrame" &&
    typeof Reflect.get(value, "limit") === "function";
}

/**
 * Formats a lazy polars frame for a notebook: only its first 1,000 rows are computed, and the others are not counted.
 *
 * @param frame The lazy frame; it stays lazy.
 * @param caption What it is, in a few words.
 */
export async function lazyFrameView(frame: LazyDataFrame, caption = "lazy frame"): Promise<MediaBundle> {
  const first = membersOf(await frame.limit(MOST_SHOWN + 1).collect());
  return await firstRowsView(first, {
    caption,
    total: first.height > MOST_SHOWN ? null : first.height,
    complete: `writeFrame(await frame.collect(), "all.csv", { format: "csv" }) of seqreg/tables writes all of it`,
    live: "await live(frame) shows all rows",
  });
}

async function firstRowsView(
  frame: DataFrame,
  about: Pick<TableContent, "caption" | "complete" | "live"> & { readonly total: number | null },
): Promise<MediaBundle> {
  const members = membersOf(frame);
  const { columns, dtypes } = members;
  const types = dtypes.map(typeName);
  const first = await rowsOf(members.head(MOST_SHOWN), types);
  const worth = readableRows(columns, first, about.total ?? first.length);
  const rows = worth > first.length ? await rowsOf(members.head(worth), types) : first;
  return tableView({ ...about, columns, types, rows });
}

async function rowsOf(frame: DataFrame, types: readonly string[]): Promise<ShownValue[][]> {
  const head = membersOf(frame);
  if (head.height === 0) return [];
  const rows = readRows(head).map((row) => row.map((value, index) => cellOf(value, types[index])));
  for (const [index, type] of types.entries()) {
    const exact = await exactValues(head, index, type);
    for (const [row, value] of exact?.entries() ?? []) rows[row][index] = value;
  }
  return rows;
}

/** Some nested values cannot be read row by row, some of these not as values at all: then as JSON. */
function readRows(frame: DataFrame): unknown[][] {
  try {
    return frame.rows();
  } catch {
    const columns = frame.columns.map((name) => readColumn(membersOf(frame.select(name)), name));
    return Array.from({ length: frame.height }, (_, row) => columns.map((column) => column[row]));
  }
}

function readColumn(frame: DataFrame, name: string): unknown[] {
  try {
    return frame.rows().map(([value]) => value);
  } catch {
    const rows: unknown = JSON.parse(frame.writeJSON({ format: "json" }).toString());
    return Array.isArray(rows) ? rows.map((row: unknown) => Object(row)[name]) : [];
  }
}

/**
 * Values that polars rounds: 64-bit integers as JavaScript numbers, which are wrong beyond 2^53, and times as
 * dates of JavaScript by way of floats, a millisecond off at times. As texts they are exact.
 */
async function exactValues(frame: DataFrame, index: number, type: string): Promise<ShownValue[] | undefined> {
  const unit = Reflect.get(Object(frame.dtypes[index]), "timeUnit");
  const digits = type === "Datetime" ? FRACTION_DIGITS[String(unit)] : undefined;
  if (digits === undefined && !/^(?:List\()?U?Int64\)?$/.test(type)) return undefined;
  const { default: pl } = await import("nodejs-polars");
  const column = frame.getColumn(frame.columns[index]);
  if (type.startsWith("List(")) {
    return column.cast(pl.List(pl.String)).toArray().map((items: unknown) =>
      Array.isArray(items) ? `[${items.map((item) => item ?? "null").join(",")}]` : null
    );
  }
  const whole = digits === undefined ? column : column.cast(pl.Int64);
  const exact = (text: string) => digits === undefined ? exactInteger(text) : exactTime(text, digits);
  return whole.cast(pl.String).toArray().map((text) => typeof text === "string" ? exact(text) : null);
}

function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Digits of a second's fraction by the unit of a time of polars: `ns`, `us` or `ms`. */
const FRACTION_DIGITS: Readonly<Record<string, number>> = { ns: 9, us: 6 };

function exactTime(text: string, digits: number): string {
  const whole = 10n ** BigInt(digits);
  const fraction = (BigInt(text) % whole + whole) % whole;
  const time = new Date(Number((BigInt(text) - fraction) / whole) * 1000);
  if (Number.isNaN(time.getTime())) return "invalid date";
  const shown = String(fraction).padStart(digits, "0").replace(/^(...)(?:0+)$/, "$1");
  return `${time.toISOString().slice(0, -4)}${shown}Z`;
}

/** The name of a type of polars. */
export function typeName(dtype: unknown): string {
  if (typeof dtype === "object" && dtype !== null && "variant" in dtype && typeof dtype.variant === "string") {
    const inner = "inner" in dtype && Array.isArray(dtype.inner) ? dtype.inner[0] : undefined;
    return inner === undefined || dtype.variant !== "List" ? dtype.variant : `List(${typeName(inner)})`;
  }
  return String(dtype);
}

function cellOf(value: unknown, type: string): ShownValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "invalid date";
    return type === "Date" ? value.toISOString().replace(/T.*/, "") : value.toISOString();
  }
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? part.toString() : part) ?? String(value);
}
