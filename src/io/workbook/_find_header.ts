/** Finds the header of a sheet below titles and comments. */
import { countOf } from "../../contract/count_of.ts";
import type { SheetRow } from "./_sheet_rows.ts";

/** Rows with text that are compared. */
export const HEAD_ROWS = 100;
/** Rows above a header at most, and cells of such a row. */
const MAX_TITLES = 20;
const MAX_TITLE_CELLS = 2;
/** Characters of a title that a message quotes. */
const QUOTED = 40;

/**
 * Finds the header: the first row, unless it has one or two cells and a row below has at least twice as many.
 *
 * @param rows The first rows of a sheet, at least one.
 * @returns Its index.
 */
export function findHeader(rows: readonly SheetRow[]): number {
  const counts = rows.slice(0, HEAD_ROWS).map(({ texts }) => texts.filter((text) => text.trim() !== "").length);
  let index = 0;
  while (isTitle(counts[index], counts.slice(index + 1))) index++;
  return index <= MAX_TITLES ? index : 0;
}

function isTitle(cells: number, below: readonly number[]): boolean {
  return cells <= MAX_TITLE_CELLS && below.some((count) => count >= 3 && count >= 2 * cells);
}

/** What is reported of rows above the header; nothing without any. */
export function describeTitles(titles: readonly SheetRow[], header: number, name: string): string[] {
  if (titles.length === 0) return [];
  const [first] = titles[0].texts;
  const quoted = JSON.stringify(first.length > QUOTED ? `${first.slice(0, QUOTED)}…` : first);
  return [`${name} has its header in row ${header}: ${countOf(titles.length, "row")} above left out, ${quoted} first`];
}
