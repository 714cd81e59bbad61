/**
 * Titles and comments above the header of a table.
 *
 * @module
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Rows that are compared to find a header, and rows above it at most. */
export const HEAD_ROWS = 100;
export const MAX_TITLES = 20;

const MAX_TITLE_CELLS = 2;
/** Characters of a title that a message quotes. */
const QUOTED = 40;

/** Whether a row of so many cells with text is a title: of one or two, and a row below has at least twice as many. */
export function isTitle(cells: number, below: readonly number[]): boolean {
  return cells <= MAX_TITLE_CELLS && below.some((count) => count >= 3 && count >= 2 * cells);
}

/** Counts the cells of a row that hold text. */
export function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== "").length;
}

/**
 * Reports what is above a header; nothing without any.
 *
 * @param titles Cells of the rows above.
 * @param where The table and its header, such as `m.csv has its header on line 3`.
 */
export function noteTitles(titles: readonly (readonly string[])[], where: string): LedgerEntry[] {
  if (titles.length === 0) return [];
  const first = titles[0].find((cell) => cell.trim() !== "") ?? "";
  const quoted = JSON.stringify(first.length > QUOTED ? `${first.slice(0, QUOTED)}…` : first);
  const text = `${where}: ${countOf(titles.length, "row")} above left out, ${quoted} first`;
  return [noteEntry("titles-skipped", text, { count: titles.length })];
}
