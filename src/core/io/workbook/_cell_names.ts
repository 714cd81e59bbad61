/** Names of cells: `B7` is the seventh row of the second column. */

/** Rows of a sheet at most: ECMA-376 leaves it open, every spreadsheet program has this limit. */
export const MAX_ROWS = 1_048_576;
/** Columns of a sheet at most: XFD is the last. */
export const MAX_COLUMNS = 16_384;

/** Index of a column, from 0, and number of a row, from 1, in either case; `undefined` if a text names no cell. */
export function readCellName(name: string): { readonly column: number; readonly row: number } | undefined {
  let at = 0;
  let column = 0;
  // Bit 5 of a letter is its case.
  for (let code = name.charCodeAt(0) & ~32; code >= 65 && code <= 90; code = name.charCodeAt(++at) & ~32) {
    column = column * 26 + code - 64;
    if (at === 7) return undefined;
  }
  if (at === 0 || at === name.length) return undefined;
  let row = 0;
  for (let index = at; index < name.length; index++) {
    const digit = name.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    row = row * 10 + digit;
  }
  return { column: column - 1, row };
}

/** Cells between two corners, both included. */
export interface CellRange {
  /** Numbers of rows, from 1. */
  readonly top: number;
  readonly bottom: number;
  /** Columns, from 0. */
  readonly left: number;
  readonly right: number;
}

/** Reads a range, `A2:C4`, or a single cell; `undefined` if a text names none. */
export function readCellRange(text: string): CellRange | undefined {
  const colon = text.indexOf(":");
  const first = readCellName(colon === -1 ? text : text.slice(0, colon));
  const last = readCellName(text.slice(colon + 1));
  if (first === undefined || last === undefined) return undefined;
  return { top: first.row, bottom: last.row, left: first.column, right: last.column };
}

/** Writes a range as {@linkcode readCellRange} reads it. */
export function rangeName({ top, bottom, left, right }: CellRange): string {
  return `${columnName(left)}${top}:${columnName(right)}${bottom}`;
}

/** Name of a column: A for 0, AA for 26. */
export function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + (rest - 1) % 26) + name;
  }
  return name;
}
