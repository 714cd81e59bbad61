/** The records of a sample that are drawn, and those that are not. */
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { Candidates } from "./_candidates.ts";
import type { RecordTable } from "./_record_table.ts";
import { bytesOfLines } from "./_result_folder.ts";

/** Everything that `md5_number_lower` can be. */
const HIGHEST = "18446744073709551615";

/**
 * Creates the table `drawn` (`row`, `accession`): forced ones first, then by precedence, then in the order of the draw.
 *
 * Of a group with a million records few can be among the least ten numbers: those whose number is small. Only they are
 * sorted. If a group gets too few that way (less likely than one in 10^12), all are.
 */
export async function createDrawn(
  { sql }: RecordTable,
  { candidates, shares }: { readonly candidates: Candidates; readonly shares: readonly number[] },
): Promise<void> {
  await sql.run("CREATE TABLE shares (id BIGINT, share BIGINT)");
  await sql.insert("shares", [shares.map((_, at) => String(at)), shares.map(String)]);
  // How many records of a group and a precedence are drawn, of those that are not forced.
  await sql.run(
    "CREATE TABLE wanted AS SELECT id, key, precedence, size - forced AS size, " +
      "greatest(0, least(size - forced, free - before)) AS wanted FROM (SELECT g.id, s.*, share - g.forced AS free, " +
      "coalesce(sum(s.size - s.forced) OVER (PARTITION BY g.id ORDER BY precedence ROWS BETWEEN UNBOUNDED PRECEDING AND " +
      "1 PRECEDING), 0) AS before FROM sizes s JOIN groups g USING (key) JOIN shares USING (id))",
  );
  const expected = shares.reduce((sum, share) => sum + share, 0);
  const likely = "(wanted + 8 * sqrt(wanted) + 30) / greatest(size, 1)";
  for (const bound of [`CASE WHEN ${likely} > 0.99 THEN ${HIGHEST} ELSE (${likely} * 1.8e19)::UBIGINT END`, HIGHEST]) {
    await sql.run(
      "CREATE OR REPLACE TABLE drawn AS SELECT row, accession FROM (SELECT c.row, c.accession, c.forced, wanted, " +
        `row_number() OVER (PARTITION BY w.id, c.precedence, c.forced ORDER BY ${candidates.draw}, c.accession) AS rank ` +
        `FROM ${candidates.rows()} c JOIN (SELECT *, ${bound} AS bound FROM wanted) w ` +
        `ON w.key = c.key AND w.precedence = c.precedence WHERE c.reason IS NULL AND ` +
        `(c.forced OR wanted > 0 AND ${candidates.draw} <= bound)) WHERE forced OR rank <= wanted`,
    );
    const [[drawn]] = await sql.all("SELECT count(*) FROM drawn");
    if (Number(drawn) === expected) return;
  }
}

/** A subquery of the records that are not drawn: `row`, `accession`, `reason`, and `name` of the group. */
export function undrawn({ rows }: Candidates, chunk?: string): string {
  return "(SELECT c.row, c.accession, coalesce(c.reason, 'not-drawn') AS reason, " +
    "CASE WHEN c.reason IS NULL THEN replace(c.key, chr(31), '|') ELSE '' END AS name " +
    `FROM ${rows(chunk)} c ANTI JOIN drawn d ON d.row = c.row)`;
}

/** Yields `excluded.tsv`. */
export function undrawnBytes(
  { sql, chunks }: RecordTable,
  candidates: Candidates,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const queries = chunks.map(({ rows }) =>
    `SELECT tsv_cell(accession), reason, tsv_cell(name) FROM ${undrawn(candidates, rows)} ORDER BY row`
  );
  return bytesOfLines(sql, { header: tsvRow(["accession", "reason", "group"]), queries });
}
