/**
 * Tells which character separates the cells of a table: spreadsheets of half the world write semicolons into a `.csv`.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { CsvSplitter } from "./csv_splitter.ts";

/** Character between the cells of a table. */
export type Separator = "," | ";" | "\t";

/** The separators in words. */
export const SEPARATOR_NAMES: Readonly<Record<Separator, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** Bytes of a table by which its separator is told. */
export const SEPARATOR_BYTES = 65536;

/** Rows that are compared with the header. */
const COMPARED_ROWS = 50;
const CANDIDATES: readonly Separator[] = [",", ";", "\t"];

/**
 * Finds the character that separates the cells of a table, by its header and its first rows.
 *
 * It is a comma unless commas do not fit: a header without one outside quotes, or rows of other widths than the header
 * where another character splits all of them evenly. A table of one column is separated by commas.
 *
 * @param head The beginning of the table, as UTF-8 or text; {@linkcode SEPARATOR_BYTES} are enough.
 * @returns The separator.
 * @see Not shown in the specification: a registry or a spreadsheet may write another than `text/csv` has (RFC 4180).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findSeparator } from "./separator.ts";
 *
 * assertEquals(findSeparator("strain;gc\nA;0,48\n"), ";");
 * assertEquals(findSeparator('strain,"city; country"\nA,"Lima; Peru"\n'), ",");
 * ```
 */
export function findSeparator(head: Uint8Array | string): Separator {
  const bytes = typeof head === "string" ? new TextEncoder().encode(head) : head.subarray(0, SEPARATOR_BYTES);
  const counts = CANDIDATES.map((separator) => countSeparators(bytes, separator));
  if (counts.every((rows) => rows.length === 0)) return ",";
  const [commas] = counts;
  const isEven = (widths: readonly number[]) => widths[0] > 0 && widths.every((width) => width === widths[0]);
  if (isEven(commas)) return ",";
  const others = CANDIDATES.map((separator, index) => ({ separator, widths: counts[index] })).slice(1)
    .filter(({ widths }) => widths[0] > 0)
    .toSorted((a, b) => Number(isEven(b.widths)) - Number(isEven(a.widths)) || b.widths[0] - a.widths[0]);
  const best = others[0];
  if (best === undefined) return ",";
  return (commas[0] ?? 0) === 0 || isEven(best.widths) ? best.separator : ",";
}

/** Separators in each of the first rows; a row that the end of the bytes cuts is left out, and what follows a fault. */
function countSeparators(bytes: Uint8Array, separator: Separator): number[] {
  const splitter = new CsvSplitter({ separator });
  try {
    const rows = splitter.push(bytes);
    const texts = rows.count > 0 ? rows.texts() : splitter.finish().texts();
    return texts.slice(0, COMPARED_ROWS + 1).map(({ cells }) => cells.length - 1);
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

/**
 * Words a warning that a table was read though it is separated by something else than was expected.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { separatorWarning } from "./separator.ts";
 *
 * assertEquals(separatorWarning("a.csv", ";"), "a.csv is separated by semicolons, not commas: it was read as such");
 * ```
 */
export function separatorWarning(name: string, separator: Separator): string {
  return `${name} is separated by ${SEPARATOR_NAMES[separator]}, not commas: it was read as such`;
}
