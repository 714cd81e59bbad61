/** Data of a mark as the drawing library reads it: rows, with numbers in place of BigInts. */

import { membersOf } from "@seqreg/core/engine/frames";

/** What a frame has and a list of rows has not. */
interface RowFrame {
  readonly schema: Readonly<Record<string, unknown>>;
  toRecords(): readonly unknown[];
}

/**
 * Rows of what is drawn.
 *
 * A polars frame iterates over its columns, so the library would draw as many marks as there are columns: its rows are
 * taken instead. BigInts, which polars gives for counts of many kinds, become numbers: beyond 2^53 they are rounded,
 * which no picture shows. Other data is returned as it is.
 *
 * @throws {TypeError} If the data is a lazy frame, which has no rows yet, or has decimals, which polars does not give.
 */
export function rowsOf(data: unknown): unknown {
  if (kindOf(data) === "LazyDataFrame" || isLazy(data)) {
    throw new TypeError("Cannot draw a lazy frame: it has no rows yet; draw await frame.collect()");
  }
  const rows = isFrame(data) ? recordsOf(membersOf(data)) : data;
  if (rows instanceof BigInt64Array || rows instanceof BigUint64Array) return Array.from(rows, Number);
  return Array.isArray(rows) && rows.some(holdsBigInt) ? rows.map(withNumbers) : rows;
}

function recordsOf(frame: RowFrame): readonly unknown[] {
  const decimal = Object.entries(frame.schema).find(([, dtype]) => Reflect.get(Object(dtype), "variant") === "Decimal");
  if (decimal === undefined) return frame.toRecords();
  const name = JSON.stringify(decimal[0]);
  throw new TypeError(
    `Cannot draw the frame: its column ${name} is of Decimal; draw frame.withColumns(pl.col(${name}).cast(pl.Float64))`,
  );
}

function isFrame(data: unknown): data is RowFrame {
  return kindOf(data) === "DataFrame" && typeof Reflect.get(membersOf(Object(data)), "toRecords") === "function";
}

function isLazy(data: unknown): boolean {
  return typeof data === "object" && data !== null && "collectSync" in data;
}

function kindOf(data: unknown): unknown {
  return typeof data === "object" && data !== null ? Reflect.get(data, Symbol.toStringTag) : undefined;
}

function holdsBigInt(row: unknown): boolean {
  if (typeof row === "bigint") return true;
  return isPlain(row) && Object.values(row).some((value) => typeof value === "bigint");
}

function withNumbers(row: unknown): unknown {
  if (typeof row === "bigint") return Number(row);
  if (!isPlain(row)) return row;
  const numbers = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Array.isArray(row) ? numbers.map(([, value]) => value) : Object.fromEntries(numbers);
}

/** Whether a row is one of named values or a list of them, not an object of a class. */
export function isPlain(row: unknown): row is object {
  if (typeof row !== "object" || row === null) return false;
  const kind = Object.getPrototypeOf(row);
  return kind === Object.prototype || kind === null || Array.isArray(row);
}
