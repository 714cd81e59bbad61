/**
 * Columns that show percent: 48.12% is stored as 0.4812 and read as 48.12, the number that the cell shows and that
 * tools print (GC content, identity, coverage).
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { columnName } from "./_cell_names.ts";
import type { SheetRow } from "./workbook.ts";

const PERCENT = /^-?[0-9.]+(?:e[+-]?[0-9]+)?%$/;

/** Cells in percent of a column. */
interface PercentCells {
  count: number;
  /** The first of them, and its text. */
  readonly cell: string;
  readonly text: string;
}

/** The columns of a table whose cells show percent. */
export class PercentColumns {
  readonly #columns = new Map<number, PercentCells>();

  /** Takes the next row of data. */
  add({ number, columns, texts, percents = [] }: SheetRow): void {
    for (const index of percents) {
      const column = columns[index];
      const known = this.#columns.get(column);
      if (known === undefined) {
        this.#columns.set(column, { count: 1, cell: columnName(column) + number, text: texts[index] });
      } else known.count++;
    }
  }

  /**
   * Makes numbers of percents in the rows, unless a column has other numbers too: there the sign tells one from the
   * other.
   *
   * @param positions Index in the table of each column of the sheet.
   * @param columns Names of the table's columns.
   * @param name Name of the table, for the notes.
   */
  finish(
    rows: readonly string[][],
    { positions, columns, name }: {
      readonly positions: readonly (number | undefined)[];
      readonly columns: readonly string[];
      readonly name: string;
    },
  ): LedgerEntry[] {
    const entries: LedgerEntry[] = [];
    for (const [column, { count, cell, text }] of this.#columns) {
      const position = positions[column];
      if (position === undefined) continue;
      const isMixed = rows.some((row) => isNumber(row[position]));
      if (!isMixed) {
        for (const row of rows) if (PERCENT.test(row[position])) row[position] = row[position].slice(0, -1);
      }
      const what = isMixed
        ? `has other numbers too, which mean something else: percents keep their sign, as ${text} in ${cell}`
        : `shows percent: ${text} in ${cell} is read as ${text.slice(0, -1)}, and so on`;
      const said = `the column ${JSON.stringify(columns[position])} of ${name} ${what} (${countOf(count, "cell")})`;
      entries.push(noteEntry("percents-read", said, { count, ids: [columns[position]] }));
    }
    return entries;
  }
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && !Number.isNaN(Number(text));
}
