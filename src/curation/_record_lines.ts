/** Records with their fields as they came. */
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { rawTexts } from "@seqreg/again/columns";
import type { SideColumn } from "@seqreg/again/open_side";
import { bytesOfLines } from "./_result_folder.ts";
import { type RecordTable, textOf } from "./_record_table.ts";

export interface RecordChoice {
  /** What follows the records in SQL: a join with a table `chosen` that has `row`, such as `SEMI JOIN drawn chosen`. */
  readonly choice: string;
  readonly columns: readonly SideColumn[];
  /** What is made of the text of a cell, in SQL. */
  readonly cell: (text: string) => string;
}

/** Queries of some records, one after the other in the order of the source. */
export async function recordQueries(
  { sql, table, chunks }: RecordTable,
  { choice, columns, cell }: RecordChoice,
): Promise<string[]> {
  // Typed columns are null where a value does not fit; its text is in a table of its own, by rows from 1.
  const raw = table.raw.length === 0 ? undefined : await rawTexts(sql, table);
  const odd = raw === undefined
    ? []
    : (await sql.all(`SELECT DISTINCT field FROM ${raw}`)).map(([field]) => `${field}`);
  const cells = columns.map((column) => {
    const text = textOf(column);
    const at = odd.indexOf(column.name);
    return cell(at === -1 ? text : `coalesce(seqreg_raw_${at}, ${text})`);
  });
  const values = odd.map((field, at) =>
    `any_value(value) FILTER (WHERE field = ${sqlText(field)}) AS seqreg_raw_${at}`
  );
  return chunks.map(({ rows, end, offsets }) => {
    const last = Number.isFinite(end) ? ` AND row <= ${end}` : "";
    const texts = odd.length === 0
      ? ""
      : `LEFT JOIN (SELECT row - 1 AS seqreg_raw_row, ${values.join(", ")} FROM ${raw} WHERE row > ${offsets[0]}` +
        `${last} GROUP BY 1) texts ON seqreg_raw_row = seqreg_row`;
    return `SELECT ${cells.join(", ")} FROM (SELECT * FROM ${rows} ${choice} ON chosen.row = seqreg_row) records ` +
      `${texts} ORDER BY seqreg_row`;
  });
}

/**
 * The text of a column as it came: what its type does not hold, or else the text of the type.
 *
 * @param alias A name for such texts, which nothing else has.
 * @returns The text in SQL, and what has to be joined to the records for it, if anything.
 */
export async function textAsItCame(
  { sql, table }: RecordTable,
  { column, alias }: { readonly column: SideColumn; readonly alias: string },
): Promise<{ readonly text: string; readonly join: string }> {
  const own = { text: textOf(column), join: "" };
  if (table.raw.length === 0) return own;
  const texts = `(SELECT row - 1 AS ${alias}_row, any_value(value) AS ${alias} FROM ${await rawTexts(sql, table)} ` +
    `WHERE field = ${sqlText(column.name)} GROUP BY 1)`;
  const [some] = await sql.all(`SELECT 1 FROM ${texts} LIMIT 1`);
  if (some === undefined) return own;
  return {
    text: `coalesce(${alias}, ${own.text})`,
    join: `LEFT JOIN ${texts} ${alias}_texts ON ${alias}_row = seqreg_row`,
  };
}

/** Yields the header and some records as bytes of TSV. */
export async function* recordBytes(records: RecordTable, choice: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { columns } = records.table;
  // A row of one empty cell would be an empty line, which readers skip.
  const cell = columns.length === 1
    ? (text: string) => `coalesce(nullif(tsv_cell(${text}), ''), '""')`
    : (text: string) => `tsv_cell(${text})`;
  const queries = await recordQueries(records, { choice, columns, cell });
  yield* bytesOfLines(records.sql, { header: tsvRow(columns.map(({ name }) => name)), queries });
}
