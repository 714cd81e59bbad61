/**
 * Comments above the header of a table that have as many cells as it. Real headers begin with `#` too, as those of
 * NCBI's `assembly_summary.txt` do, so only what stands below tells one from the other.
 */
import { knownColumn } from "../../contract/fields/column_names.ts";
import { isMissing, readPartialDate } from "../../contract/values/mod.ts";

type RowCells = readonly string[];

const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Words of a first cell from which it reads like a sentence. */
const SENTENCE_WORDS = 3;

/**
 * Returns whether a row that begins with `#` is a comment, and not the header. It is one if a row below it, the next
 * without `#` or one between them, has more names of known fields; or if it reads like a remark and that row names
 * columns of numbers or dates.
 *
 * @param rows The first rows of a table, as wide as each other where they are of the table.
 */
export function isCommentRow(rows: readonly RowCells[], index: number): boolean {
  if (!isHashed(rows[index])) return false;
  const readsAsRemark = isRemark(rows, index);
  for (let at = index + 1; at < rows.length; at++) {
    if (rows[at].length === rows[index].length && mayBeHeader(rows[at])) {
      const below = rows.slice(at + 1);
      if (countKnown(rows[at], below) > countKnown(rows[index], below)) return true;
      if (readsAsRemark && namesValues(rows[at], below)) return true;
    }
    if (!isHashed(rows[at])) return false;
  }
  return false;
}

/**
 * Whether a row that begins with `#` reads like a remark: a sentence or a pair in its first cell, a number or a date in
 * another, an empty cell, or blanks after its separators that the rows below lack; a known name in another cell tells
 * otherwise.
 */
export function isRemark(rows: readonly RowCells[], index: number): boolean {
  const cells = rows[index];
  if (!isHashed(cells)) return false;
  const others = cells.slice(1);
  if (others.some(isKnown)) return false;
  const first = cells[0].replace(/^#+/, "").trim();
  if (first.split(/\s+/).length >= SENTENCE_WORDS || /[:=](?:\s|$)|\/\//.test(first)) return true;
  return others.some((cell) => cell.trim() === "" || isNumberOrDate(cell)) ||
    others.some((cell) => /^\s/.test(cell)) &&
      !rows.slice(index + 1).some((row) => row.slice(1).some((cell) => /^\s/.test(cell)));
}

/** Whether a row begins with `#`. */
export function isHashed([first = ""]: RowCells): boolean {
  return first.startsWith("#");
}

function isNumberOrDate(cell: string): boolean {
  return NUMBER.test(cell.trim()) || readPartialDate(cell) !== undefined;
}

/** Whether each cell may be a name, and no two are one. */
function mayBeHeader(cells: RowCells): boolean {
  return new Set(cells).size === cells.length && cells.every((cell) => cell.trim() !== "" && !isNumberOrDate(cell));
}

function isKnown(cell = ""): boolean {
  return knownColumn(cell) !== undefined;
}

/** Cells that are names of known fields; a column with several such names lists fields, it is not one. */
function countKnown(cells: RowCells, below: readonly RowCells[]): number {
  return cells.filter((cell, index) => isKnown(cell) && !below.some((row) => isKnown(row[index]))).length;
}

/** Whether a cell is a name above numbers or dates. */
function namesValues(cells: RowCells, below: readonly RowCells[]): boolean {
  return cells.some((cell, index) => {
    const values = below.map((row) => row[index] ?? "").filter((text) => !isMissing(text));
    return !isMissing(cell) && /^\p{L}/u.test(cell) && values.length > 0 && values.every(isNumberOrDate);
  });
}
