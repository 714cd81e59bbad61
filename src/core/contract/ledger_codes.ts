/**
 * The codes of a ledger's entries: a closed list, with what each means and what to do.
 *
 * A program decides by the code; the text of an entry is for people and may be reworded.
 */

import type { LedgerCode } from "../options/ledger_code.ts";
import { type LedgerCodeInfo, type LedgerLevel, reason, warning } from "./codes/ledger_code_info.ts";
import { CURATION_CODES } from "./codes/curation_codes.ts";
import { WORKBOOK_CODES } from "./codes/workbook_codes.ts";

export type { LedgerCode, LedgerCodeInfo, LedgerLevel };

/** Every code of a ledger's entries, with its level, its meaning and what to do. */
export const LEDGER_CODES: Readonly<Record<LedgerCode, LedgerCodeInfo>> = {
  // Requested, promised, received.
  "missing": reason(
    "Something requested did not come: records, archives, fields or sequences.",
    "Check the identifiers listed in `missing`, or request them again.",
  ),
  "not-requested": reason(
    "Records came that were not requested.",
    "Leave out the identifiers listed in `unasked`, and report them to the registry.",
  ),
  "unreadable": reason(
    "Records, rows or sequences came that could not be read, or have no valid accession.",
    "Read the rows at fault in `problems`, correct the source or report it to the registry.",
  ),
  "truncated": reason("A limit cut the result.", "Raise the limit, or narrow the request."),
  "unfinished": reason("A result was not read to its end: it has what was read so far.", "Read it to its end."),
  "fewer-than-promised": reason(
    "Fewer records came than the registry announced or the source holds.",
    "Request them again; sort a search by a field so that its pages do not overlap.",
  ),
  "more-than-promised": reason(
    "More records came than the registry counts.",
    "Request them again: the registry's data may have changed meanwhile.",
  ),
  "counting-stopped": reason(
    "An export broke its format in the middle: its bytes were passed on and not counted to the end.",
    "Check the export from the named line on, or request it again.",
  ),
  "accessions-absent": reason(
    "The answer has no accessions, so it is unknown which records are missing, extra or also on other pages.",
    "Request the accession field too.",
  ),
  "fields-absent": reason(
    "Requested columns or header fields did not come.",
    "Check their names with `definitions`; `ids` lists them.",
  ),
  "naming-mismatch": reason(
    "The registry spells identifiers otherwise than the naming in use.",
    "Detect the spellings with `seqreg naming URL`, and use that naming.",
  ),
  "counts-differ": reason(
    "Two exports of the same query hold different numbers of records.",
    "Request both again: the registry's data may have changed meanwhile.",
  ),
  "duplicates": warning(
    "Records, or records with the same identifier, came more than once.",
    "Keep one of each; the ledger's `unique` counts distinct ones.",
  ),
  "duplicates-uncounted": warning(
    "There are too many scattered identifiers to find every duplicate in bounded memory.",
    "Count duplicates in the frame or in a lake.",
  ),
  "requested-twice": warning(
    "A name was requested more than once.",
    "Nothing: it was requested from the registry once.",
  ),
  "accession-not-requested": warning(
    "The requested fields do not include the accession, so rows cannot be joined with anything.",
    "Add the accession field to the requested fields.",
  ),
  "accession-empty": warning("Records have no accession.", "Report them to the registry."),
  "accession-invalid": warning(
    "Records have an accession of another form than the specification's.",
    "Report them to the registry; of data of your own, nothing.",
  ),
  "no-match": warning("No record matches the search.", "Follow the suggestion: a field or a value may be misspelt."),
  "excluded-absent": warning(
    "Records that were to be left out are not in the table.",
    "Nothing, if the list is made for several tables; else compare how they are written.",
  ),
  "facet-partial": warning(
    "The values of a facet are those of fewer records than match.",
    "Count the values in a lake, where all are: a registry may give the most frequent alone.",
  ),
  "range-over-text": warning(
    "A range between numbers or dates meets texts: it compares characters, or leaves these records out.",
    "Correct the values, or the type of the field in `definitions.json`, and search again.",
  ),
  // Pages of a search.
  "answer-partial": reason(
    "The registry states that an answer of a search is partial.",
    "Search again later, or narrow the query.",
  ),
  "page-short": reason(
    "A page holds fewer records than it should.",
    "Request the page again; report the registry if it happens again.",
  ),
  "page-long": reason(
    "A page holds more records than requested or counted.",
    "Report it to the registry; the extra records may be on the next page too.",
  ),
  "total-unknown": reason(
    "The registry counts only a lower bound of the matching records.",
    "Search for all (`searchAll`, `--all`): pages are read until one is not full.",
  ),
  "total-changed": reason(
    "The registry counted a different number of records while pages were read.",
    "Search again when the registry's data is not being changed.",
  ),
  "releases-mixed": reason(
    "The answers that a result is made of are of two releases of the registry's data.",
    "Request all again; the text names the parts of each release.",
  ),
  "pages-repeated": reason(
    "Pages hold only records of earlier pages.",
    "Report it to the registry, which seems to ignore the page number.",
  ),
  "beyond-paging": reason(
    "More records match than paging can reach, and the rest was not requested.",
    "Narrow the query, add a clause, search for all, or export the records.",
  ),
  "export-refused": reason(
    "The registry refused the export of the records that paging cannot reach.",
    "Read its message, and narrow the query.",
  ),
  "page-size-limited": reason(
    "The registry accepts fewer results per page than requested.",
    "Request the page size that it accepts, or search for all.",
  ),
  "joined-from-parts": warning(
    "Records that paging cannot reach came from several smaller searches.",
    "Sort the result if its order matters.",
  ),
  "joined-from-export": warning(
    "Records that paging cannot reach came from an export, without id and score.",
    "Sort the result if its order matters.",
  ),
  "changed-meanwhile": warning(
    "Records of the pages are not in the export of the same search.",
    "Search again if you need one state of the registry.",
  ),
  // Tables as text.
  "separator-unusual": warning(
    "A table is separated by semicolons, tabs or vertical bars.",
    "Check that its columns are as expected.",
  ),
  "row-names": warning(
    "A column of a table has no name: row numbers were left out, others are read as `row_name` or `column_N`.",
    "Nothing, unless the numbers are data: name the column then.",
  ),
  "header-repeated": warning(
    "Rows that repeat the header of a table, as in files that were joined, were left out.",
    "Nothing: check the line numbers if the table was not joined from several.",
  ),
  "header-doubtful": warning(
    "The header of a table holds what its columns hold, such as dates or numbers, or reads like a comment.",
    "Write a header above the table if it has none; delete a comment that was taken for it.",
  ),
  "separator-doubtful": warning(
    "A table of one column has blanks at equal positions in its header and all rows.",
    "Separate the columns by tabs or commas.",
  ),
  "characters-left-out": warning(
    "An XML export lacks characters that XML cannot hold.",
    "Request CSV if you need them.",
  ),
  // FASTA.
  "value-count": reason(
    "Records were left out, because their number of values differs from the header's fields.",
    "Correct these records, or request them again.",
  ),
  "range-outside": reason(
    "A requested range starts after the end of its sequence.",
    "Request a range within the sequence.",
  ),
  "range-cut": warning("A requested range ends after the end of its sequence and was cut there.", "Check the range."),
  "id-empty": warning("FASTA records have no id.", "Give them an id if you look records up."),
  "sequence-empty": warning("FASTA records have no sequence.", "Leave them out if a tool does not accept them."),
  "bases-unexpected": warning(
    "Sequences have characters that are not nucleotide codes, or more others than A, C, G, T and U.",
    "Check whether they are proteins, masked or damaged.",
  ),
  "record-hidden": warning(
    "A sequence holds `>`: another record may have vanished in it.",
    "Put a line end before each such `>`, and read the file again.",
  ),
  "header-encoding": warning("FASTA headers are not valid UTF-8.", "Convert the file to UTF-8."),
  "header-line-break": warning("FASTA headers have a carriage return.", "Convert the line ends of the file."),
  "comments-skipped": warning("Comment lines of a FASTA were skipped.", "Nothing, unless you need them."),
  "field-names-absent": warning(
    "A FASTA export has no `;fields=` line, so only the accession of a header is known.",
    "Report it to the registry if you need the other values.",
  ),
  "header-invalid": reason(
    "The header of an export has names that a table cannot have, so no frame can be made of it.",
    "Request other fields, or report it to the registry.",
  ),
  "registry-message": warning(
    "The registry has answered that nothing was found, with a message of its own.",
    "Read the message: the request may be wrong.",
  ),
  "bgzf-end-absent": warning(
    "A BGZF file has no end block, so it may have been cut.",
    "Fetch the file again.",
  ),
  "line-end-absent": warning(
    "An export of no stated length ends without a line end, so it may have been cut.",
    "Compare the number of records with that of a search.",
  ),
  "non-ascii": warning(
    "Records have characters outside ASCII, which take two bytes in Parquet.",
    "Check these records: bases are ASCII.",
  ),
  "index-rebuilt": warning("A FASTA index was invalid or outdated and was rebuilt.", "Nothing."),
  "index-not-saved": warning("A FASTA index could not be saved.", "Make the folder writable, or name another."),
  "not-indexed": warning(
    "Records are not in a FASTA index: their id is a duplicate, has a tab, or they have no sequence.",
    "Give records unique ids without tabs.",
  ),
  // Types.
  "values-invalid": warning(
    "Values do not fit their field's type: the typed column is empty there, or the text is kept as received.",
    "Read `problems` or the raw frame, and correct the values.",
  ),
  "dates-ambiguous": warning(
    "Dates are written in an unknown order of day and month and were kept as received.",
    'Pack again with the order, `dates: "day-first"` or `"month-first"`.',
  ),
  "dates-rewritten": warning(
    "Dates were read in the given order and written as YYYY-MM-DD.",
    "Check the first of them.",
  ),
  "dates-not-columns": warning(
    "Columns of dates were requested, and a column that seems to hold dates is text.",
    "Give the field the type date in a definition, or correct the values that are no dates.",
  ),
  "dates-order-unused": warning("An order of day and month was given, and no date needs one.", "Leave the option out."),
  "values-missing": warning(
    "Values are words for a missing value, such as `missing` or `not collected`.",
    "Nothing: they are null in the frame; the raw frame has the words.",
  ),
  "integers-too-wide": warning(
    "A field of integers holds numbers beyond 64 bits, so its column stays text.",
    "Define the field as text, or correct the values.",
  ),
  "problems-not-listed": warning(
    "There are more problems than are listed.",
    "Raise `maxProblems` to list more.",
  ),
  "columns-renamed": warning(
    "Columns named by aliases got the public names of their fields.",
    "Use the public names.",
  ),
  "columns-alike": warning(
    "Names of columns or tables differ in case alone, which SQL does not see: all but the first have a number.",
    "Use the stated names in SQL; the data keep their own.",
  ),
  "types-inferred": warning(
    "Types of columns without a definition were inferred from their values.",
    "Give definitions to choose the types.",
  ),
  // Definitions.
  "definitions-unrecognised": reason(
    "Definitions came, and no column of them contains field names.",
    "Report it to the registry, or give definitions in a file.",
  ),
  "definitions-unavailable": reason(
    "Definitions could not be requested, so fields are treated as text.",
    "Request them again when the registry is available.",
  ),
  "definitions-outdated": warning(
    "Fields are typed by saved definitions, since the registry does not return them.",
    "Request them again when the registry is available.",
  ),
  "definitions-not-written": reason(
    "`definitions.json` was not written or not changed.",
    "Remove the cause that the ledger names, and run the command again.",
  ),
  "definitions-unused": warning(
    "`definitions.json` defines fields that the archives do not have.",
    "Check that it belongs to these archives.",
  ),
  "definition-repeated": warning(
    "A field is defined more than once; its first definition is used.",
    "Remove the other definitions of it.",
  ),
  "fields-undefined": reason(
    "Fields have no definition and are treated as text.",
    "Add their definitions to the registry or to `definitions.json`.",
  ),
  "types-unknown": warning(
    "Definitions have no types or unknown ones; their fields are treated as text.",
    "Use the types of the specification.",
  ),
  ...WORKBOOK_CODES,
  // Metadata and sequences joined.
  "without-sequence": reason(
    "Records have metadata and no sequence.",
    "Add their sequences, or leave the records out.",
  ),
  "without-metadata": reason(
    "Records have a sequence and no metadata.",
    "Add their metadata, or leave the sequences out.",
  ),
  "left-out-duplicates": reason(
    "Rows or sequences were left out, because their id or accession came before.",
    "Give each record one row, one sequence and its own id.",
  ),
  "joined-by-form": warning(
    "Sequences and rows were joined by a part of their ids or headers, since whole ids are not equal.",
    "Check that the named pair belongs together.",
  ),
  "lengths-differ": warning(
    "Rows state another length than their sequence has.",
    "Check that rows and sequences belong together.",
  ),
  "accessions-replaced": warning(
    "Values in the column of accessions were not valid accessions; new ones were assigned.",
    "Use the assigned accessions; the submitted ones are kept where there is a field for them.",
  ),
  // Archives, lakes and caches.
  "download-restarted": warning("A download could not be resumed and restarted.", "Nothing: the archive is verified."),
  "checksum-changed": warning(
    "An archive changed while it was fetched, so it was fetched again.",
    "Nothing: the archive is verified.",
  ),
  "cached-copy-damaged": warning("A cached copy was damaged and was removed.", "Check the disk if it happens again."),
  "import-damaged": warning(
    "An import of archives was damaged and was made again from the archives.",
    "Check the disk if it happens again.",
  ),
  "checksums-absent": warning(
    "A table of a lake has no checksums, so damage may pass unnoticed.",
    "Build the lake again.",
  ),
  "keys-repeated": reason(
    "Keys stand in several rows that differ between two versions, and which row became which is not known.",
    "Compare by a field that identifies each record.",
  ),
  "keys-absent": reason("Rows without a key were not compared.", "Compare by a field that every record has."),
  "release-dates-absent": reason(
    "A table has no release date, so that records released later were compared as well.",
    "Name an archive or table with release dates.",
  ),
  "lock-absent": warning(
    "A research object has no lock, so the calls of its notebook or script cannot be replayed.",
    "Record the calls with `--lock seqreg.lock`, and write it again.",
  ),
  "store-without-conditions": warning(
    "An object store does not keep conditions on writing, so builds at the same time may lose tables.",
    "Build the tables of a lake in it one after the other.",
  ),
  "queries-alone": reason(
    "Queries of a context set have no near record in the index.",
    "Read the note of each query; index more records, or compare proteins.",
  ),
  ...CURATION_CODES,
  "unchanged": warning("Tables of a lake are unchanged since the last build.", "Nothing."),
  "without-code": warning(
    "A remark that an older toolkit saved, before remarks had codes.",
    "Read its text; build the lake or import the archives again to have codes.",
  ),
};

/**
 * Whether a text is a code of this version's list: entries that another version has written may have others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isLedgerCode } from "./ledger_codes.ts";
 *
 * assertEquals(["missing", "mislaid"].map(isLedgerCode), [true, false]);
 * ```
 */
export function isLedgerCode(text: string): text is LedgerCode {
  return Object.hasOwn(LEDGER_CODES, text);
}
