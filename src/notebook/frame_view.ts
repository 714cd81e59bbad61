/**
 * A polars frame under a cell.
 *
 * @module
 */
import type { MediaBundle } from "./display.ts";
import { type CellValue, tableView } from "./table_view.ts";

/** What the view uses of a polars frame; the frame's own display fails on big integers and structs. */
export interface FrameLike {
  /** Names of the columns. */
  readonly columns: string[];
  /** Types of the columns. */
  readonly dtypes: readonly unknown[];
  /** Number of rows. */
  readonly height: number;
  /** The first rows. */
  head(length?: number): FrameLike;
  /** All rows as lists of values. */
  rows(): unknown[][];
}

/**
 * Tells whether a value is a polars frame, without loading polars.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isFrame } from "./frame_view.ts";
 *
 * assertEquals(isFrame({ columns: [] }), false);
 * ```
 */
export function isFrame(value: unknown): value is FrameLike {
  // A polars frame is a proxy over a function: `typeof` says either.
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return "columns" in value && "dtypes" in value && "height" in value && "head" in value && "rows" in value &&
    Array.isArray(value.columns) && typeof value.head === "function" && typeof value.rows === "function";
}

/**
 * Writes a polars frame for a notebook: its shape, types and first rows.
 *
 * @param frame The frame; at most its first 1,000 rows are read.
 * @param caption What it is, in a few words.
 */
export function frameView(frame: FrameLike, caption = "frame"): MediaBundle {
  const types = frame.dtypes.map(typeName);
  const rows = frame.height === 0 ? [] : frame.head(1000).rows();
  return tableView({
    caption,
    columns: frame.columns,
    types,
    rows: rows.map((row) => row.map(cellOf)),
    total: frame.height,
  });
}

function typeName(dtype: unknown): string {
  if (typeof dtype === "object" && dtype !== null && "variant" in dtype && typeof dtype.variant === "string") {
    const inner = "inner" in dtype && Array.isArray(dtype.inner) ? dtype.inner[0] : undefined;
    return inner === undefined || dtype.variant !== "List" ? dtype.variant : `List(${typeName(inner)})`;
  }
  return String(dtype);
}

function cellOf(value: unknown): CellValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? part.toString() : part) ?? String(value);
}
