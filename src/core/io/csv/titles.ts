/** Titles and comments above the header of a table. */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** Rows that are compared to find a header, and rows above it at most. */
export const HEAD_ROWS = 100;
export const MAX_TITLES = 20;

const MAX_TITLE_CELLS = 2;
/** Rows that are titles whatever the number of wider rows; more of them may be a header and its data. */
const FEW_TITLES = 2;
/** Characters of a title that a message quotes. */
const QUOTED = 40;

/**
 * Returns whether a row is a title: it has one or two cells with text, and a row below at least twice as many. Below
 * three or more such rows, which may be a header of two columns and its data, that row must not be the only one.
 *
 * @param cells Number of its cells with text.
 */
export function isTitle(cells: number, below: readonly number[]): boolean {
  if (cells > MAX_TITLE_CELLS) return false;
  const isWide = (count: number) => count >= 3 && count >= 2 * cells;
  const first = below.findIndex(isWide);
  if (first === -1) return false;
  const narrow = first + 1;
  if (narrow <= FEW_TITLES) return true;
  const rest = below.slice(first);
  // Titles of one cell above cells that are mostly empty; pairs of a name and a value above a table.
  return cells === 1 ? rest.slice(1).some((count) => count > 1) : 2 * rest.filter(isWide).length >= narrow;
}

/** Counts the cells of a row that hold text. */
export function countFilled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== "").length;
}

/**
 * Reports what is above a header; nothing without any.
 *
 * @param where The table and its header, such as `m.csv has its header on line 3`.
 */
export function noteTitles(titles: readonly (readonly string[])[], where: string): LedgerEntry[] {
  if (titles.length === 0) return [];
  const first = titles[0].find((cell) => cell.trim() !== "") ?? "";
  const quoted = JSON.stringify(first.length > QUOTED ? `${first.slice(0, QUOTED)}…` : first);
  const text = `${where}: ${countOf(titles.length, "row")} above left out, ${quoted} first`;
  return [noteEntry("titles-skipped", text, { count: titles.length })];
}
