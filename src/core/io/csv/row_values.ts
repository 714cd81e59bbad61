/** What of a row is a value: empty rows and empty cells beyond the header are not. */

import { countOf } from "../../contract/count_of.ts";

/** White space as the module of rows knows it. */
const WHITE_SPACE = /^[ \t\r\n]*$/;

/**
 * Whether a row holds nothing: several cells that are empty or white space, as spreadsheets write below a table, or
 * white space alone.
 */
export function hasNoValue(cells: readonly string[]): boolean {
  return (cells.length > 1 || cells[0] !== "") && cells.every(isBlank);
}

/**
 * The cells of a row that is as wide as the header, or wider by cells without a value: separators at the end of a row
 * are nothing.
 *
 * @returns As many cells as the header has; `undefined` if the row has fewer, or a value beyond them.
 */
export function cellsOfWidth(cells: readonly string[], width: number): readonly string[] | undefined {
  if (cells.length === width) return cells;
  return cells.length > width && cells.slice(width).every(isBlank) ? cells.slice(0, width) : undefined;
}

/** What is wrong with a row of another width than the header. */
export function raggedRow(cells: number, width: number): string {
  return `the row has ${countOf(cells, "cell")}, the header has ${width}`;
}

function isBlank(cell: string): boolean {
  return cell === "" || WHITE_SPACE.test(cell);
}
