/** Records with the same sequence: which one is kept, and why. */
import { createDateTable } from "./_date_table.ts";
import { type RecordTable, textOf, valueOf } from "./_record_table.ts";

/**
 * Creates the table `duplicates` (`row`, `accession`, `kept`, `why`) of the records whose sequence a kept record has.
 * Of several that are not in the table `excluded` the one that was released first is kept, else the one with the least
 * accession.
 *
 * @returns Where sequences were compared; absent if the source has neither sequences nor digests.
 */
export async function findDuplicates(records: RecordTable): Promise<string | undefined> {
  const { sql } = records;
  const digest = records.find("digest");
  const sequences = digest === undefined ? await records.sequences() : undefined;
  if (digest === undefined && sequences === undefined) return undefined;
  const accession = `coalesce(${textOf(records.accession())}, '')`;
  if (sequences !== undefined) {
    await sql.run(
      `CREATE TABLE seqreg_digests AS SELECT row, digest FROM (SELECT seqreg_row AS row, ${accession} AS accession ` +
        "FROM records) JOIN (SELECT id, " +
        `md5(upper(sequence)) AS digest FROM (${sequences.rows}) WHERE sequence <> '' ` +
        `QUALIFY row_number() OVER (PARTITION BY id) = 1) ON id = accession`,
    );
  }
  const digests = digest === undefined
    ? "seqreg_digests"
    : `(SELECT seqreg_row AS row, ${valueOf(digest)} AS digest FROM records)`;
  // Few sequences occur twice, and numbers take less memory than digests: only possible copies are looked at closely.
  await sql.run(
    `CREATE TABLE seqreg_repeated AS SELECT hash(digest) AS hash FROM ${digests} WHERE digest IS NOT NULL GROUP BY 1 ` +
      "HAVING count(*) > 1",
  );
  const release = records.find("releaseDate");
  if (release !== undefined) await createDateTable(sql, { name: "seqreg_released", column: release });
  const [released, join] = release === undefined
    ? ["NULL::INTEGER", ""]
    : ["seqreg_earliest", `LEFT JOIN seqreg_released ON seqreg_text = ${textOf(release)}`];
  await sql.run(
    "CREATE TABLE seqreg_copies AS SELECT d.row, digest, accession, e.row IS NULL AS stays, released FROM " +
      `(SELECT * FROM ${digests} WHERE digest IS NOT NULL AND hash(digest) IN (FROM seqreg_repeated)) d JOIN ` +
      `(SELECT seqreg_row AS row, ${accession} AS accession, ${released} AS released FROM records ${join}) r ` +
      "ON r.row = d.row LEFT JOIN excluded e ON e.row = d.row",
  );
  await sql.run(
    "CREATE TABLE seqreg_first AS SELECT digest, row, accession, released FROM seqreg_copies WHERE stays " +
      "QUALIFY row_number() OVER (PARTITION BY digest ORDER BY released NULLS LAST, accession, row) = 1",
  );
  await sql.run(
    "CREATE TABLE duplicates AS SELECT c.row, c.accession, f.accession AS kept, " +
      "CASE WHEN f.released < c.released OR c.released IS NULL AND f.released IS NOT NULL THEN 'released first' " +
      "WHEN f.accession < c.accession THEN 'least accession' ELSE 'first row' END AS why " +
      "FROM seqreg_copies c JOIN seqreg_first f USING (digest) WHERE c.row <> f.row",
  );
  return digest?.name ?? sequences?.name;
}
