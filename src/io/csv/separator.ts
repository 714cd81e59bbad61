/**
 * Finds which character separates the cells of a table: spreadsheets of half the world write semicolons into a `.csv`.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";

/** Character between the cells of a table. */
export type Separator = "," | ";" | "\t";

/** The separators in words. */
export const SEPARATOR_NAMES: Readonly<Record<Separator, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** Bytes of a table from which its separator is detected. */
export const SEPARATOR_BYTES = 65536;

/** Rows that are compared with the header. */
const COMPARED_ROWS = 50;
const CANDIDATES: readonly Separator[] = [",", ";", "\t"];

/**
 * Finds the character that separates the cells of a table, by its header and its first rows.
 *
 * It is a comma unless another character fits better: it splits the header, and commas do not, or it splits all rows as
 * evenly as the header, and commas do not or less often. A table of one column is separated by commas.
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
  const isEven = (widths: readonly number[]) => widths[0] > 0 && widths.every((width) => width === widths[0]);
  const [commas, ...others] = CANDIDATES.map((separator, index) => ({
    separator,
    most: counts[index][0] ?? 0,
    isEven: isEven(counts[index]),
  }));
  // Of equals the first: commas, then semicolons.
  const best = others.toSorted((a, b) => Number(b.isEven) - Number(a.isEven) || b.most - a.most)[0];
  if (best.most === 0 || commas.isEven && !(best.isEven && best.most > commas.most)) return ",";
  return commas.most === 0 || best.isEven ? best.separator : ",";
}

/** Separators in each of the first rows; a row that the end of the bytes cuts is left out, and what follows a fault. */
function countSeparators(bytes: Uint8Array, separator: Separator): readonly number[] {
  const quoted = countBy(bytes, { separator });
  // In a table with tabs a quote may be an ordinary character.
  return quoted.length === 0 && separator === "\t" ? countBy(bytes, { separator, quotes: false }) : quoted;
}

function countBy(bytes: Uint8Array, options: CsvSplitterOptions): readonly number[] {
  const splitter = new CsvSplitter(options);
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
