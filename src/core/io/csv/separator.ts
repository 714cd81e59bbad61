/**
 * Finds which character separates the cells of a table: spreadsheets of half the world write semicolons into a `.csv`.
 */
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { ParseError } from "../../errors.ts";
import { HEAD_ROWS, MAX_TITLES } from "./titles.ts";
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";

const HASH = 35;

/** Character between the cells of a table. */
export type Separator = "," | ";" | "\t";

/** The same of a table that a person brings: in files of registries a vertical bar is a character of headers. */
export type TableSeparator = Separator | "|";

/** The separators in words. */
export const SEPARATOR_NAMES: Readonly<Record<TableSeparator, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "vertical bars",
};

/** Bytes of a table from which its separator is detected. */
export const SEPARATOR_BYTES = 65536;

/** Rows that are compared with the header. */
const COMPARED_ROWS = 50;
const CANDIDATES: readonly Separator[] = [",", ";", "\t"];
const TABLE_CANDIDATES: readonly TableSeparator[] = [...CANDIDATES, "|"];

/**
 * Finds the character that separates the cells of a table, by its header and its first rows.
 *
 * It is a comma unless another character fits better: it splits the header, and commas do not, or it splits all rows as
 * evenly as the header, and commas do not or less often. A table of one column is separated by commas.
 *
 * @param head The beginning of the table, as UTF-8 or text; {@linkcode SEPARATOR_BYTES} are enough.
 * @see Not shown in the specification: a registry or a spreadsheet may write another than `text/csv` has (RFC 4180).
 */
export function findSeparator(head: Uint8Array | string): Separator {
  const bytes = typeof head === "string" ? new TextEncoder().encode(head) : head.subarray(0, SEPARATOR_BYTES);
  return bestSeparator(bytes, CANDIDATES);
}

/** The `sep=;` that Excel reads before a table. */
const HINT = /^(?:\xEF\xBB\xBF)?"?sep=([,;\t|])"?[,;\t|]*\r?\n/i;
const HINT_BYTES = 64;

/**
 * Finds the separator of a table that a person brings: also a vertical bar, and below titles and comments. It is that
 * of a first line such as `sep=;`, if it splits the next one.
 *
 * @param head The beginning of the table, as UTF-8; {@linkcode SEPARATOR_BYTES} are enough.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findTableSeparator } from "./separator.ts";
 *
 * const head = (text: string) => new TextEncoder().encode(text);
 *
 * assertEquals(findTableSeparator(head("strain|date\nA|2013\n")), "|");
 * assertEquals(findTableSeparator(head("Samples, 2013\n\nstrain;date\nA;2013\nB;2014\n")), ";");
 * ```
 */
export function findTableSeparator(head: Uint8Array): TableSeparator {
  const bytes = head.subarray(0, SEPARATOR_BYTES);
  const hint = HINT.exec(String.fromCharCode(...bytes.subarray(0, HINT_BYTES)));
  const hinted = TABLE_CANDIDATES.find((separator) => separator === hint?.[1]);
  if (hint !== null && hinted !== undefined) {
    const [splits = 0] = countSeparators(bytes.subarray(hint[0].length), hinted);
    if (splits > 0) return hinted;
  }
  let titles = 0;
  for (let [line, start] = [0, 0]; titles <= MAX_TITLES && line < HEAD_ROWS && start < bytes.length; line++) {
    const rest = bytes.subarray(start);
    if (TABLE_CANDIDATES.some((separator) => isEven(countSeparators(rest, separator), 2))) {
      return bestSeparator(rest, TABLE_CANDIDATES);
    }
    if (bytes[start] !== HASH) titles++;
    const feed = bytes.indexOf(10, start);
    if (feed === -1) break;
    start = feed + 1;
  }
  return bestSeparator(bytes, TABLE_CANDIDATES);
}

/** Whether at least so many rows are split into more than one cell, and all into as many. */
function isEven(counts: readonly number[], least: number): boolean {
  return counts.length >= least && counts[0] > 0 && counts.every((count) => count === counts[0]);
}

function bestSeparator<S extends TableSeparator>(bytes: Uint8Array, candidates: readonly S[]): S | "," {
  const counts = candidates.map((separator) => countSeparators(bytes, separator));
  if (counts.every((rows) => rows.length === 0)) return ",";
  const [commas, ...others] = candidates.map((separator, index) => ({
    separator,
    most: counts[index][0] ?? 0,
    isEven: isEven(counts[index], 1),
  }));
  // Of equals the first: commas, then semicolons.
  const best = others.toSorted((a, b) => Number(b.isEven) - Number(a.isEven) || b.most - a.most)[0];
  if (best.most === 0 || commas.isEven && !(best.isEven && best.most > commas.most)) return ",";
  return commas.most === 0 || best.isEven ? best.separator : ",";
}

/** Separators in each of the first rows; a row that the end of the bytes cuts is left out, and what follows a fault. */
function countSeparators(bytes: Uint8Array, separator: TableSeparator): readonly number[] {
  const quoted = countBy(bytes, { separator });
  // In a table with tabs or vertical bars a quote may be an ordinary character.
  return quoted.length === 0 && (separator === "\t" || separator === "|")
    ? countBy(bytes, { separator, quotes: false })
    : quoted;
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
 * Makes the warning that a table was read though it is separated by something else than was expected.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { noteSeparator } from "./separator.ts";
 *
 * assertEquals(noteSeparator("a.csv", ";").text, "a.csv is separated by semicolons, not commas: it was read as such");
 * ```
 */
export function noteSeparator(name: string, separator: TableSeparator): LedgerEntry {
  const text = `${name} is separated by ${SEPARATOR_NAMES[separator]}, not commas: it was read as such`;
  return noteEntry("separator-unusual", text);
}
