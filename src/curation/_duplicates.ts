/** Records with the same sequence: which one is kept, and why. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { createDateTable } from "./_date_table.ts";
import { type RecordTable, textOf, valueOf } from "./_record_table.ts";

/** What was compared, and what could not be. */
export interface ComparedSequences {
  /** Where the sequences or their digests are. */
  readonly name: string;
  /** Accessions of which it is not known which sequence is whose. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Creates the table `duplicates` (`row`, `accession`, `kept`, `why`) of the records whose sequence a kept record has.
 * Of several that are not in the table `excluded` the one that was released first is kept, else the one with the least
 * accession.
 *
 * Sequences and digests among the fields are those of their row. Sequences of another table belong to the records by
 * their accession, if it is that of one record and one sequence.
 *
 * @returns What was compared; absent if the source has neither sequences nor digests.
 */
export async function findDuplicates(records: RecordTable): Promise<ComparedSequences | undefined> {
  const { sql } = records;
  const own = records.find("digest") ?? records.find("sequence");
  const sequences = own === undefined ? await records.sequences() : undefined;
  if (own === undefined && sequences === undefined) return undefined;
  const accession = `coalesce(${textOf(records.accession())}, '')`;
  const entries = sequences === undefined ? [] : await joinDigests(records, { rows: sequences.rows, accession });
  const isDigest = own !== undefined && own === records.find("digest");
  const digests = own === undefined
    ? "seqreg_digests"
    : `(SELECT seqreg_row AS row, ${isDigest ? valueOf(own) : digestOf(valueOf(own))} AS digest FROM records)`;
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
  return { name: own?.name ?? sequences!.name, entries };
}

/** The digest of a sequence in SQL: white space between its lines is no base, and case makes no difference. */
function digestOf(sequence: string): string {
  const bases = `CASE WHEN regexp_matches(${sequence}, '\\s') THEN regexp_replace(${sequence}, '\\s+', '', 'g') ` +
    `ELSE ${sequence} END`;
  return `md5(upper(${bases}))`;
}

/** Creates the table `seqreg_digests` (`row`, `digest`) of sequences that belong to records by their accession. */
async function joinDigests(
  { sql }: RecordTable,
  { rows, accession }: { readonly rows: string; readonly accession: string },
): Promise<LedgerEntry[]> {
  const named = `(SELECT seqreg_row AS row, ${accession} AS accession FROM records)`;
  const known = `(SELECT id, value_of(sequence) AS sequence FROM (${rows}))`;
  await sql.run(
    "CREATE TABLE seqreg_unclear AS (SELECT accession FROM " +
      `${named} WHERE accession <> '' GROUP BY 1 HAVING count(*) > 1) UNION (SELECT id FROM ${known} ` +
      `WHERE sequence IS NOT NULL GROUP BY 1 HAVING count(DISTINCT ${digestOf("sequence")}) > 1)`,
  );
  await sql.run(
    `CREATE TABLE seqreg_digests AS SELECT row, digest FROM ${named} JOIN (SELECT id, ` +
      `any_value(${digestOf("sequence")}) AS digest FROM ${known} WHERE sequence IS NOT NULL GROUP BY 1) ` +
      "ON id = accession " +
      "ANTI JOIN seqreg_unclear USING (accession) WHERE accession <> ''",
  );
  const unclear = await sql.all(
    `SELECT DISTINCT accession FROM ${named} SEMI JOIN seqreg_unclear USING (accession) ORDER BY 1`,
  );
  const [[without]] = await sql.all(`SELECT count(*) FROM ${named} WHERE accession = ''`);
  const ids = unclear.map(([id]) => String(id));
  return [...repeatedAccessions(ids, "not compared"), ...withoutAccession(Number(without))];
}

function withoutAccession(count: number): LedgerEntry[] {
  if (count === 0) return [];
  return [noteEntry("accession-empty", `${countOf(count, "record")} without an accession not compared`, { count })];
}

/** Accessions of several records or sequences, and what became of these. */
export function repeatedAccessions(ids: readonly string[], effect: string): LedgerEntry[] {
  if (ids.length === 0) return [];
  const text = `${countOf(ids.length, "accession")} of several records or sequences ${effect}: ${listSome(ids, 5)}`;
  return [noteEntry("accession-repeated", text, { ids })];
}
