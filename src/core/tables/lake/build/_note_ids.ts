/** What is unusual about the identifiers of a table that is written: repeated, absent, of another form. */
import { scanFiles } from "../../../engine/frames/scan_files.ts";
import { ACCESSION_PATTERN } from "../../../contract/accession.ts";
import { listSome, quoteValue } from "../../../contract/ledger.ts";
import { type LedgerEntry, MAX_ENTRY_IDS, noteEntry } from "../../../contract/ledger_entries.ts";
import { loadPolars } from "../../types/polars.ts";

/** Identifiers that a text names. */
const MAX_NAMED = 20;

/**
 * Examines the accessions of a table.
 *
 * @param table Column of the accessions, number of rows, and of distinct accessions among them.
 */
export async function noteIds(
  files: readonly string[],
  { idField, rows, unique }: { readonly idField: string; readonly rows: number; readonly unique: number },
): Promise<LedgerEntry[]> {
  const pl = await loadPolars();
  const id = pl.col(idField);
  const isEmpty = id.isNull().or(id.str.strip().eq(pl.lit("")));
  const isInvalid = isEmpty.not().and(id.str.contains(ACCESSION_PATTERN.source).not());
  const counts = await scanFiles(pl, files).select(isEmpty.sum().alias("empty"), isInvalid.sum().alias("invalid"))
    .collect();
  const [empty, invalid] = ["empty", "invalid"].map((name) => Number(counts.getColumn(name).toArray()[0] ?? 0));
  const namesOf = async (scan: ReturnType<typeof scanFiles>): Promise<string[]> =>
    (await scan.select(id).limit(MAX_ENTRY_IDS).collect()).getColumn(idField).toArray().map((value) => String(value));
  const entries: LedgerEntry[] = [];
  if (unique < rows) {
    const repeated = scanFiles(pl, files).filter(id.isNotNull()).groupBy(idField).agg(pl.len().alias("n"))
      .filter(pl.col("n").gt(pl.lit(1)));
    const ids = await namesOf(repeated.sort(idField));
    const all = ids.length < MAX_ENTRY_IDS
      ? ids.length
      : Number((await repeated.select(pl.len().alias("n")).collect()).getColumn("n").toArray()[0]);
    const [are, come] = rows - unique === 1 ? ["row has", "comes"] : ["rows have", "come"];
    entries.push(
      noteEntry(
        "duplicates",
        `${rows - unique} ${are} an accession that ${come} before: ${listSome(ids, MAX_NAMED, all)}`,
        { count: rows - unique, ids },
      ),
    );
  }
  if (empty > 0) {
    const text = `${empty} ${empty === 1 ? "row has" : "rows have"} no accession`;
    entries.push(noteEntry("accession-empty", text, { count: empty }));
  }
  if (invalid > 0) {
    const ids = await namesOf(scanFiles(pl, files).filter(isInvalid));
    const named = listSome(ids.map((text) => JSON.stringify(quoteValue(text))), MAX_NAMED, invalid);
    const text = `${invalid} ${
      invalid === 1 ? "accession is" : "accessions are"
    } not vj followed by 12 digits: ${named}`;
    entries.push(noteEntry("accession-invalid", text, { count: invalid, ids: ids.map(quoteValue) }));
  }
  return entries;
}
