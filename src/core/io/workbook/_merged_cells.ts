/**
 * Merged cells of a table: a workbook stores their value in the first one. Rows that share merged cells share the
 * value, so each row gets it. Across columns it is not repeated: such cells are headings of rows, or hold one value for
 * all.
 */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { ParseError } from "../../errors.ts";
import { type CellRange, rangeName } from "./_cell_names.ts";

/** Ranges that a note names. */
const NAMED = 20;

/** Where the rows and columns of a table are in its sheet. */
export interface TablePlace {
  /** Name of the table, for notes. */
  readonly name: string;
  readonly row: number;
  /** Number of each row below the header, ascending. */
  readonly numbers: readonly number[];
  /** Index in the table of each column of the sheet. */
  readonly positions: readonly (number | undefined)[];
}

/**
 * Copies the values of merged cells to the rows that share them; what is above the data is left alone.
 *
 * @throws {ParseError} If ranges overlap.
 */
export function fillMerged(
  rows: readonly string[][],
  ranges: readonly CellRange[],
  { name, row, numbers, positions }: TablePlace,
): LedgerEntry[] {
  const shared: string[] = [];
  const wide: string[] = [];
  let filled = 0;
  // Cells of ranges that do not overlap, at most.
  let left = rows.length * positions.length;
  for (const range of ranges) {
    const position = positions[range.left];
    const start = range.top <= row ? undefined : indexOf(numbers, range.top);
    if (position === undefined || start === undefined || rows[start][position] === "") continue;
    if (positions.slice(range.left + 1, range.right + 1).some((other) => other !== undefined)) {
      wide.push(rangeName(range));
    }
    const before = filled;
    for (let index = start + 1; index < rows.length && numbers[index] <= range.bottom; index++) {
      if (left-- === 0) throw new ParseError(`Cannot read ${name}: its merged cells overlap; save the workbook again`);
      if (rows[index][position] !== "") continue;
      rows[index][position] = rows[start][position];
      filled++;
    }
    if (filled > before) shared.push(rangeName(range));
  }
  const entries: LedgerEntry[] = [];
  const note = (ids: readonly string[], count: number, text: string) => {
    if (ids.length === 0) return;
    entries.push(noteEntry("cells-merged", `${text}: ${listSome(ids, NAMED)}`, { count, ids: ids.slice(0, NAMED) }));
  };
  const cells = countOf(filled, "empty cell");
  note(shared, filled, `${cells} of ${name} got the value of merged cells that rows share`);
  note(wide, wide.length, `merged cells of ${name} span columns, and their value is that of the first column`);
  return entries;
}

/** Index of a number in ascending numbers; `undefined` if it is absent. */
function indexOf(numbers: readonly number[], wanted: number): number | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : undefined;
}
