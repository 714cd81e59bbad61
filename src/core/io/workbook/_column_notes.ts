/**
 * What only the other cells of a column show: dates among texts, which a spreadsheet program has made of names such as
 * `MARCH1` or `3-1`, and percents among numbers.
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

const PERCENT = /^-?[0-9.]+(?:e[+-]?[0-9]+)?%$/;

/**
 * Makes numbers of percents in the rows, unless a column has other numbers too: there the sign tells one from the
 * other.
 */
export function readPercents(percents: CellsByColumn, rows: readonly string[][], table: PlacedTable): LedgerEntry[] {
  return percents.of(table).map(({ column, position, count, cell, text }) => {
    const isMixed = rows.some((row) => isNumber(row[position]));
    if (!isMixed) {
      for (const row of rows) if (PERCENT.test(row[position])) row[position] = row[position].slice(0, -1);
    }
    const what = isMixed
      ? `has other numbers too, which mean something else: percents keep their sign, as ${text} in ${cell}`
      : `shows percent: ${text} in ${cell} is read as ${text.slice(0, -1)}, and so on`;
    const said = `the column ${JSON.stringify(column)} of ${table.name} ${what} (${countOf(count, "cell")})`;
    return noteEntry("percents-read", said, { count, ids: [column] });
  });
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && !Number.isNaN(Number(text));
}
