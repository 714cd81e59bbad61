/** Dates of a column, each text read once. */
import { formatDay, isoWeek, readPartialDate } from "@seqreg/core/contract/values";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import type { SideColumn } from "@seqreg/again/open_side";
import { textOf } from "./_record_table.ts";

/** Dates that are inserted together. */
const INSERTED = 4096;

/**
 * Creates a table of the texts of a column that are dates, with the days that each may mean: `seqreg_text`,
 * `seqreg_earliest` and `seqreg_latest` (days since 1970-01-01), and `seqreg_year`, `seqreg_month` and
 * `seqreg_isoweek`, each null unless it holds all of these days.
 */
export async function createDateTable(
  sql: ScratchSql,
  { name, column }: { readonly name: string; readonly column: SideColumn },
): Promise<void> {
  await sql.run(
    `CREATE TABLE ${name} (seqreg_text VARCHAR, seqreg_earliest INTEGER, seqreg_latest INTEGER, ` +
      "seqreg_year VARCHAR, seqreg_month VARCHAR, seqreg_isoweek VARCHAR)",
  );
  let rows: (string | null)[][] = [];
  const insert = async () => {
    await sql.insert(name, [0, 1, 2, 3, 4, 5].map((at) => rows.map((row) => row[at])));
    rows = [];
  };
  for await (const batch of sql.stream(`SELECT DISTINCT ${textOf(column)} FROM records`)) {
    for (const text of batch.column(0)) {
      const date = text === null ? undefined : readPartialDate(String(text));
      if (date === undefined) continue;
      const [first, last] = [date.earliest, date.latest];
      const both = (of: (day: number) => string) => of(first) === of(last) ? of(first) : null;
      rows.push([
        String(text),
        String(first),
        String(last),
        both((day) => formatDay(day).slice(0, 4)),
        both((day) => formatDay(day).slice(0, 7)),
        both(isoWeek),
      ]);
    }
    if (rows.length >= INSERTED) await insert();
  }
  await insert();
}
