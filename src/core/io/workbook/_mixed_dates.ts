/**
 * Dates among texts: a spreadsheet program makes a date of a name such as `MARCH1` or `3-1`, which only the
 * other names of the column show.
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { isMissing, readPartialDate } from "../../contract/values/mod.ts";
import type { CellsByColumn, PlacedTable } from "./_column_cells.ts";

/** Notes columns with at least as many other texts as dates. */
export function noteMixedDates(
  dates: CellsByColumn,
  rows: readonly (readonly string[])[],
  table: PlacedTable,
): LedgerEntry[] {
  return dates.of(table).flatMap(({ column, position, count, cell, row }) => {
    const texts = rows.filter((cells) => isText(cells[position])).length;
    if (texts < count) return [];
    const said = `the column ${JSON.stringify(column)} of ${table.name} has dates among texts, such as ` +
      `${rows[row][position]} in ${cell} (${countOf(count, "cell")}): a spreadsheet program may have made them of ` +
      "names such as MARCH1 or 3-1";
    return [noteEntry("dates-among-texts", said, { count, ids: [column] })];
  });
}

/** Whether a cell holds a text that is neither a number nor a date, nor a word for a missing value. */
function isText(cell: string): boolean {
  return !isMissing(cell) && Number.isNaN(Number(cell)) && readPartialDate(cell) === undefined;
}
