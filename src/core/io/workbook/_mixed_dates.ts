/**
 * Dates among texts: a spreadsheet program makes a date of a name such as `MARCH1` or `3-1`, which only the
 * other names of the column show.
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { isMissing, readPartialDate } from "../../contract/values/mod.ts";
import { columnName } from "./_cell_names.ts";
import type { SheetRow } from "./workbook.ts";

/** Cells with dates of a column. */
interface DateCells {
  count: number;
  /** The first of them. */
  readonly cell: string;
  /** Its row in the table. */
  readonly row: number;
}

/** The columns of a table that have cells with dates. */
export class MixedDates {
  readonly #columns = new Map<number, DateCells>();

  /** Takes the next row of data, which has this index in the table. */
  add({ number, columns, dates = [] }: SheetRow, row: number): void {
    for (const index of dates) {
      const column = columns[index];
      const known = this.#columns.get(column);
      if (known === undefined) this.#columns.set(column, { count: 1, cell: columnName(column) + number, row });
      else known.count++;
    }
  }

  /**
   * Notes columns with at least as many other texts as dates.
   *
   * @param positions Index in the table of each column of the sheet.
   * @param columns Names of the table's columns.
   * @param name Name of the table, for the notes.
   */
  finish(
    rows: readonly (readonly string[])[],
    { positions, columns, name }: {
      readonly positions: readonly (number | undefined)[];
      readonly columns: readonly string[];
      readonly name: string;
    },
  ): LedgerEntry[] {
    const entries: LedgerEntry[] = [];
    for (const [column, { count, cell, row }] of this.#columns) {
      const position = positions[column];
      if (position === undefined) continue;
      const texts = rows.filter((cells) => isText(cells[position])).length;
      if (texts < count) continue;
      const said = `the column ${JSON.stringify(columns[position])} of ${name} has dates among texts, such as ` +
        `${rows[row][position]} in ${cell} (${countOf(count, "cell")}): a spreadsheet program may have made them of ` +
        "names such as MARCH1 or 3-1";
      entries.push(noteEntry("dates-among-texts", said, { count, ids: [columns[position]] }));
    }
    return entries;
  }
}

/** Whether a cell holds a text that is neither a number nor a date, nor a word for a missing value. */
function isText(cell: string): boolean {
  return !isMissing(cell) && Number.isNaN(Number(cell)) && readPartialDate(cell) === undefined;
}
