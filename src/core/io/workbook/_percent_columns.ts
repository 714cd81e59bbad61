/**
 * Columns that show percent: 48.12% is stored as 0.4812 and read as 48.12, the number that the cell shows and that
 * tools print (GC content, identity, coverage).
 */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { CellsByColumn, PlacedTable } from "./_column_cells.ts";

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
