/** Cells of one kind in the columns of a sheet: their number in each, and the first of them. */
import { columnName } from "./_cell_names.ts";
import type { SheetRow } from "./workbook.ts";

export interface FoundCells {
  /** Index of the column in the table. */
  readonly position: number;
  readonly column: string;
  count: number;
  /** The first of them, its text, and the index of its row in the table. */
  readonly cell: string;
  readonly text: string;
  readonly row: number;
}

/** A table that is made of a sheet. */
export interface PlacedTable {
  /** Index in the table of each column of the sheet. */
  readonly positions: readonly (number | undefined)[];
  /** Names of the table's columns. */
  readonly columns: readonly string[];
  /** Name of the table, for the notes. */
  readonly name: string;
}

/** Collects them row by row. */
export class CellsByColumn {
  readonly #columns = new Map<number, Omit<FoundCells, "position" | "column">>();

  /** Takes cells of a row, which has this index in the table, by their indices in it. */
  add({ number, columns, texts }: SheetRow, indices: readonly number[], row: number): void {
    for (const index of indices) {
      const column = columns[index];
      const known = this.#columns.get(column);
      if (known !== undefined) known.count++;
      else this.#columns.set(column, { count: 1, cell: columnName(column) + number, text: texts[index], row });
    }
  }

  /** Those of the columns that are in the table. */
  of({ positions, columns }: PlacedTable): FoundCells[] {
    return [...this.#columns].flatMap(([sheetColumn, cells]) => {
      const position = positions[sheetColumn];
      return position === undefined ? [] : [{ ...cells, position, column: columns[position] }];
    });
  }
}
