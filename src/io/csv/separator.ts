/**
 * Tells which character separates the cells of a table: spreadsheets of half the world write semicolons into a `.csv`.
 *
 * @module
 */

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
  const text = typeof head === "string" ? head : new TextDecoder().decode(head.subarray(0, SEPARATOR_BYTES));
  const rows = firstRows(text.replace(/^\uFEFF/, ""));
  if (rows.length === 0) return ",";
  const counts = CANDIDATES.map((separator) => rows.map((row) => countOf(row, separator)));
  const [commas] = counts;
  const isEven = (widths: readonly number[]) => widths[0] > 0 && widths.every((width) => width === widths[0]);
  if (isEven(commas)) return ",";
  const others = CANDIDATES.map((separator, index) => ({ separator, widths: counts[index] })).slice(1)
    .filter(({ widths }) => widths[0] > 0)
    .toSorted((a, b) => Number(isEven(b.widths)) - Number(isEven(a.widths)) || b.widths[0] - a.widths[0]);
  const best = others[0];
  if (best === undefined) return ",";
  return commas[0] === 0 || isEven(best.widths) ? best.separator : ",";
}

/** The first rows without what stands in quotes; a row that is cut by the end of the text is left out. */
function firstRows(text: string): string[] {
  const rows: string[] = [];
  let row = "";
  let at = 0;
  while (at < text.length && rows.length <= COMPARED_ROWS) {
    const feed = nextOf(text, "\n", at);
    const quote = nextOf(text, '"', at);
    if (feed < quote || quote === text.length) {
      row += text.slice(at, feed).replace(/\r$/, "");
      if (row !== "" && (feed < text.length || rows.length === 0)) rows.push(row);
      row = "";
      at = feed + 1;
      continue;
    }
    row += text.slice(at, quote + 1);
    // A quote in the middle of a cell is a character of it.
    const opens = quote === 0 || /[,;\t\n]/.test(text[quote - 1]);
    if (!opens) {
      at = quote + 1;
      continue;
    }
    let close = text.indexOf('"', quote + 1);
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close === -1) break;
    at = close + 1;
  }
  return rows;
}

function nextOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

function countOf(row: string, separator: Separator): number {
  let count = 0;
  for (let at = row.indexOf(separator); at !== -1; at = row.indexOf(separator, at + 1)) count++;
  return count;
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
