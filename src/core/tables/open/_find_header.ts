/** Finds the header of a text table: the first row with as many cells as the rows. */
import type { CsvRow } from "../../io/csv/split_rows.ts";
import { isCommentRow, isHashed } from "../../io/csv/comments.ts";
import { countFilled, HEAD_ROWS, isTitle, MAX_TITLES } from "../../io/csv/titles.ts";

/**
 * Finds the header below titles and comments.
 *
 * @returns Its index; 0 if there is no row.
 */
export function findHeader(rows: readonly CsvRow[]): number {
  const head = rows.slice(0, HEAD_ROWS).map(({ cells }) => cells);
  const width = commonWidth(head);
  const filled = head.map(countFilled);
  const isAbove = (index: number) =>
    isTitle(filled[index], filled.slice(index + 1)) || isSeparatorHint(head[index]) ||
    (head[index].length === width ? isCommentRow(head, index) : isComment(head, index, width));
  let index = 0;
  while (index < head.length - 1 && isAbove(index)) index++;
  return index <= MAX_TITLES || head.slice(0, index).every(isHashed) ? index : 0;
}

/** Whether a row is the `sep=;` that Excel reads before a table; split at its separator it is two cells wide. */
function isSeparatorHint(cells: readonly string[]): boolean {
  return /^sep=.?$/i.test(cells[0]) && cells.slice(1).every((cell) => cell === "");
}

/** Whether a row of another width than the table's is a comment, and not a header that lacks a name. */
function isComment(head: readonly (readonly string[])[], index: number, width: number): boolean {
  const [first] = head[index];
  const { length } = head[index];
  if (isHashed(head[index])) return true;
  const below = head.slice(index + 1).filter((cells) => cells.length === width);
  if (below.length < 2) return false;
  // Rows may end with separators that the header lacks.
  if (length < width && below.every((cells) => countFilled(cells.slice(length)) === 0)) return false;
  return length === 1 ? width > 2 || /\s/.test(first) : length * 2 <= width;
}

/** The width that most rows have, those below comments if there are any; the greatest of several. */
function commonWidth(head: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  const below = head.findIndex((cells) => !isHashed(cells));
  for (const { length } of head.slice(Math.max(0, below))) counts.set(length, (counts.get(length) ?? 0) + 1);
  let [width, most] = [0, 0];
  for (const [length, count] of counts) {
    if (count > most || count === most && length > width) [width, most] = [length, count];
  }
  return width;
}
