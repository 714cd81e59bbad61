/**
 * What a frame holds as one digest, the same on whatever engine it was computed.
 *
 * A value is written with a character for its kind, texts with their length in UTF-16 code units, so that no two frames
 * have one text: `n` null, `t3:abc`, `i-5` whole number, `f0.1` float as JavaScript prints it (`fNaN`, `f-Infinity`;
 * −0, which is equal to 0, is `f0`), `b1`, `d2020-02-03`, `l2[t1:a,n]`. Values are joined by `,`, rows by a line
 * break; the first row holds the names of the columns. The width of numbers is not part of it: a count is one of 32
 * bits here and of 64 there.
 */
import type { DataFrame, Series } from "nodejs-polars";
import { startSha256 } from "../../io/digest/sha256.ts";
import { loadPolars, type Polars } from "../frames/frame_columns.ts";
import { membersOf } from "../frames/frame_members.ts";

/** Rows that are written at once. */
const BATCH_ROWS = 10_000;

/**
 * Digests a frame.
 *
 * @param frame Its rows are taken in their order.
 * @returns SHA-256 as 64 lower-case hexadecimal digits.
 *
 * @example
 * ```ts
 * import { assertEquals, assertNotEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { digestFrame } from "./frame_digest.ts";
 *
 * const counts = pl.DataFrame({ n: [1, 2] });
 * const wide = counts.select(pl.col("n").cast(pl.Int64));
 * const narrow = counts.select(pl.col("n").cast(pl.Int32));
 *
 * assertEquals(await digestFrame(wide), await digestFrame(narrow));
 * assertNotEquals(await digestFrame(wide), await digestFrame(wide.reverse()));
 * ```
 */
export async function digestFrame(frame: DataFrame): Promise<string> {
  const hash = startSha256();
  const encoder = new TextEncoder();
  const { columns, height } = membersOf(frame);
  hash.update(encoder.encode(columns.map((name) => `t${name.length}:${name}`).join(",") + "\n"));
  for (let from = 0; from < height; from += BATCH_ROWS) {
    const rows = await canonicalRows(membersOf(frame).slice(from, BATCH_ROWS));
    hash.update(encoder.encode(rows.join("\n") + "\n"));
  }
  return hash.digest();
}

/** Rows of a frame as canonical texts, optionally distinguishing −0 from 0. */
export async function canonicalRows(
  frame: DataFrame,
  { signedZeros = false }: { readonly signedZeros?: boolean } = {},
): Promise<string[]> {
  const pl = await loadPolars();
  const members = membersOf(frame);
  const columns = members.getColumns().map((column) => canonicalValues(pl, column, signedZeros));
  return Array.from({ length: members.height }, (_, row) => columns.map((values) => values[row]).join(","));
}

function canonicalValues(pl: Polars, column: Series, signedZeros: boolean): string[] {
  const variant = String(Reflect.get(column.dtype, "variant"));
  if (/^U?Int/.test(variant)) {
    // Beyond 2^53 a number of JavaScript is another one.
    return column.cast(pl.String).toArray().map((digits) => digits === null ? "n" : `i${digits}`);
  }
  return column.toArray().map((value) => signedZeros && Object.is(value, -0) ? "f-0" : canonicalValue(value, variant));
}

function canonicalValue(value: unknown, variant: string): string {
  if (value === null || value === undefined) return "n";
  if (typeof value === "string") return `t${value.length}:${value}`;
  if (typeof value === "boolean") return value ? "b1" : "b0";
  if (typeof value === "bigint") return `i${value}`;
  if (typeof value === "number") return `f${value}`;
  if (value instanceof Date) return `d${value.toISOString().slice(0, variant === "Date" ? 10 : 24)}`;
  const items = listOf(value);
  if (items !== undefined) return `l${items.length}[${items.map((item) => canonicalValue(item, "")).join(",")}]`;
  throw new TypeError(`Cannot digest a frame with a column of ${variant}: cast it to text, numbers or lists first`);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const toArray = typeof value === "object" && value !== null ? Reflect.get(value, "toArray") : undefined;
  return typeof toArray === "function" ? toArray.call(value) : undefined;
}
