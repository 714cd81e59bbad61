/** Entries of an export's ledger. */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { noteSeparator, type Separator } from "../../io/csv/separator.ts";
import type { ExportType } from "./scan_options.ts";

/** What status 404 says where it says no more than that. */
const NO_MATCH = /^no (matching )?(record|result|match|hit)/i;

/** What was found while an export was read. */
export interface ExportFindings {
  readonly fileType: ExportType;
  /** Accessions that came more than once. */
  readonly repeated: readonly string[];
  /** Whether there are too many scattered accessions to find all of these. */
  readonly isFull: boolean;
  /** Whether an answer of no stated length ended within a line. */
  readonly mayBeCut: boolean;
  /** Message of an answer that nothing was found; empty without one. */
  readonly refusal: string;
  readonly separator: Separator;
  /** Requested fields that did not come. */
  readonly absent: readonly string[];
  /** The name that the deployment's naming lacks, in words. */
  readonly mismatch: string | undefined;
  /** What broke the format, in words. */
  readonly fault: string | undefined;
}

/** The warning about accessions that came more than once. */
export function noteDuplicates(ids: readonly string[]): LedgerEntry[] {
  if (ids.length === 0) return [];
  return [noteEntry("duplicates", `accessions that came more than once: ${listSome(ids, 20)}`, { ids })];
}

/** Entries of what was found, in the order of the ledger. */
export function noteFindings(found: ExportFindings): LedgerEntry[] {
  const { fileType, refusal, separator, absent, mismatch, fault } = found;
  const entries: LedgerEntry[] = [];
  // The reader of a FASTA has named them already, with their lines.
  if (fileType !== "fasta") entries.push(...noteDuplicates(found.repeated));
  if (refusal !== "" && !NO_MATCH.test(refusal)) {
    entries.push(noteEntry("registry-message", `the registry answered 404: ${refusal}`));
  }
  if (found.isFull) {
    const text = "too many scattered accessions to count duplicates among all of them";
    entries.push(noteEntry("duplicates-uncounted", text));
  }
  if (found.mayBeCut && fileType !== "xml") {
    const text = "the export has no stated length and ends without a line end, so it may have been cut: compare the " +
      "number of records with that of a search";
    entries.push(noteEntry("line-end-absent", text));
  }
  if (separator !== "," && fileType === "csv") entries.push(noteSeparator("the export", separator));
  if (absent.length > 0) {
    const what = fileType === "fasta" ? "header fields" : "columns";
    const text = `requested ${what} that did not arrive: ${listSome(absent, 20)}`;
    entries.push(noteEntry("fields-absent", text, { ids: absent }));
  }
  if (mismatch !== undefined) {
    // FASTA names its accessions by their position, and tables by the column's name.
    const level = fileType === "fasta" ? "warning" : "reason";
    entries.push(noteEntry("naming-mismatch", mismatch, { level }));
  }
  if (fault !== undefined) entries.push(noteEntry("counting-stopped", `not all records could be counted: ${fault}`));
  return entries;
}

/** Of an export without the accession's column only the number tells, unless the registry was asked for the names. */
export function noteUnnamed(
  { asked, received, absent, listed, fault, accessionField }: {
    readonly asked: number;
    readonly received: number;
    /** How many of the list did not come. */
    readonly absent: number;
    /** How many the registry does not list either; absent where it was not asked. */
    readonly listed: number | undefined;
    /** Why the registry did not list them. */
    readonly fault: string | undefined;
    readonly accessionField: string;
  },
): LedgerEntry[] {
  if (received > asked) {
    const records = countOf(received, "record");
    const text = `${records} received, ${asked} asked for: the export does not show which are extra`;
    return [noteEntry("accessions-absent", text, { count: received - asked })];
  }
  if (absent === 0 || listed === absent) return [];
  const why = fault === undefined ? "" : ` (${fault})`;
  const text = `${absent} of ${asked} asked for ${absent === 1 ? "is" : "are"} missing; the export has no accessions ` +
    `that tell which${why}: ask for ${accessionField} too`;
  return [noteEntry("accessions-absent", text, { count: absent })];
}
