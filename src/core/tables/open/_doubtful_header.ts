/** What a header makes doubtful: a table that has none, and columns between blanks that were read as one. */
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { isRemark } from "../../io/csv/comments.ts";
import { isMissing, readPartialDate } from "../../contract/values/mod.ts";

/** Cells of a header that a note quotes. */
const QUOTED = 3;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Accessions of INSDC, RefSeq, BioSample, SRA and GISAID. */
const ACCESSION = /^(?:EPI_ISL_[0-9]+|[A-Z]{1,6}_?[0-9]{5,}(?:\.[0-9]+)?)$/;
/** A whole date, or a year that is likely one of a sample. */
const YEAR = /^(?:19|20)[0-9]{2}$/;

const isDate = (text: string) => YEAR.test(text) || !NUMBER.test(text) && readPartialDate(text) !== undefined;
const isAccession = (text: string) => ACCESSION.test(text);

/**
 * Notes a header that may be none.
 *
 * @param where The table and the line of its header, such as `m.csv, line 1`.
 * @param rows Cells of the first rows below it.
 */
export function noteDoubtfulHeader(
  where: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): LedgerEntry[] {
  const names = header.filter((cell) => cell.trim() !== "");
  if (names.length === 0 || rows.length === 0) return [];
  const pieces = piecesBetweenBlanks(header, rows);
  if (pieces !== undefined) {
    const text = `the header of ${where}, ${JSON.stringify(header[0])}, and the rows below it are ${pieces} pieces ` +
      "between blanks, read as one column: separate the pieces by tabs or commas if they are columns";
    return [noteEntry("separator-doubtful", text)];
  }
  if (isRemark([header, ...rows], 0)) {
    const text = `the header of ${where}, ${JSON.stringify(header[0])} first, reads like a comment: if it is one, ` +
      "the header is a row here; delete the comment";
    return [noteEntry("header-doubtful", text)];
  }
  const values = names.every((cell) => NUMBER.test(cell.trim()) || isDate(cell))
    ? names
    : header.filter((cell, index) => isValue(cell, rows.map((row) => row[index] ?? "")));
  if (values.length === 0) return [];
  const quoted = listSome(values.map((cell) => JSON.stringify(cell)), QUOTED);
  const text =
    `the header of ${where}, holds what its columns hold (${quoted}): if the table has no header, a row of ` +
    "it is missing here; write one above it";
  return [noteEntry("header-doubtful", text)];
}

/** Whether the name of a column is a value such as it has: dates under a date, accessions under an accession. */
function isValue(cell: string, below: readonly string[]): boolean {
  const known = below.filter((text) => !isMissing(text));
  return known.length > 0 &&
    [isDate, isAccession].some((is) => is(cell.trim()) && known.every((text) => is(text.trim())));
}

/**
 * How many pieces between blanks all rows of a single column have, and its header, too, which lacks one where R wrote
 * names of rows. Pieces are columns if one of them is always a number or a date: names may all be of two words.
 */
function piecesBetweenBlanks(header: readonly string[], rows: readonly (readonly string[])[]): number | undefined {
  if (header.length !== 1) return undefined;
  const split = (text = "") => text.trim().split(/\s+/);
  const lines = rows.map(([cell]) => split(cell)).filter(([first]) => first !== "");
  const [first, ...others] = lines;
  const names = split(header[0]).length;
  if (first === undefined || names < 2 || names !== first.length && names !== first.length - 1) return undefined;
  if (others.some(({ length }) => length !== first.length)) return undefined;
  const isColumn = first.some((_, index) =>
    lines.every((line) => NUMBER.test(line[index]) || line[index].length > 4 && isDate(line[index]))
  );
  return isColumn && readPartialDate(rows[0][0]) === undefined ? first.length : undefined;
}
