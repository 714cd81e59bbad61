/** Which part of a FASTA header is the id that a table holds. */
import type { TextTable } from "@seqreg/core/io/csv";
import { readPartialDate } from "@seqreg/core/contract/values";
import { foldId } from "./_id_spelling.ts";

/** Ids and whole headers of the records of a FASTA. */
export interface SequenceNames {
  readonly ids: readonly string[];
  readonly headers: readonly string[];
}

/** How the id of a sequence is read from its header; the id up to the first blank without any of these. */
export interface IdForm {
  /** Number of the piece of the header between `|`, from 1. */
  readonly part?: number;
  /** Whether the piece ends at a blank, before a description, as in `accn|KF1234 Zika virus`. */
  readonly endsAtBlank?: boolean;
  /** Whether a version such as `.2` at the end does not count, in the table neither. */
  readonly withoutVersion?: boolean;
  /** Whether `hCoV-19/` of GISAID or `SARS-CoV-2/` of GenBank does not count, nor in the table: Nextstrain drops it. */
  readonly withoutVirus?: boolean;
  /** Whether the whole header is the id. */
  readonly wholeHeader?: boolean;
}

/** A form and a column of the table that it joins. */
export interface FoundForm {
  readonly form: IdForm;
  readonly column: number;
}

/** Pieces of a header that are looked at. */
const MAX_PARTS = 20;
const VERSION = /\.[0-9]+$/;
const VIRUS = /^(?:hCoV-19|SARS-CoV-2)\//i;
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

/** Names a form, after "by". */
export function describeForm({ part, endsAtBlank, withoutVersion, withoutVirus, wholeHeader }: IdForm): string {
  const whose = endsAtBlank ? "header up to a blank" : "header";
  const what = part !== undefined
    ? part <= ORDINALS.length ? `the ${ORDINALS[part - 1]} piece of the ${whose}` : `piece ${part} of the ${whose}`
    : wholeHeader
    ? "the whole header"
    : "the id";
  if (withoutVirus) return `${what} without "hCoV-19/" or "SARS-CoV-2/"`;
  return withoutVersion ? `${what} without its version` : what;
}

/** Whether the id is taken as it stands. */
export function isPlainForm({ part, withoutVersion, withoutVirus, wholeHeader }: IdForm): boolean {
  return part === undefined && !withoutVersion && !withoutVirus && !wholeHeader;
}

/** Reads the ids of all sequences in a form; empty where a header has no such piece. */
export function sequenceKeys({ ids, headers }: SequenceNames, form: IdForm): string[] {
  const { part, endsAtBlank, wholeHeader } = form;
  return ids.map((id, index) => {
    const text = part !== undefined ? pieceOf(headers[index], part, endsAtBlank) : wholeHeader ? headers[index] : id;
    return rowKey(text, form);
  });
}

function pieceOf(header: string, part: number, endsAtBlank = false): string {
  const piece = header.split("|", part + 1)[part - 1]?.trim() ?? "";
  return endsAtBlank ? piece.split(/\s/, 1)[0] : piece;
}

export function rowKey(cell: string, { withoutVersion, withoutVirus }: IdForm): string {
  const id = withoutVirus ? cell.replace(VIRUS, "") : cell;
  return withoutVersion ? id.replace(VERSION, "") : id;
}

/** The forms that are tried after the id as it stands, in their order. */
function* otherForms({ headers }: SequenceNames): Generator<IdForm> {
  const parts = headers.reduce((most, header) => Math.max(most, header.split("|", MAX_PARTS).length), 0);
  const numbers = parts > 1 ? Array.from({ length: parts }, (_, index) => index + 1) : [];
  for (const part of numbers) yield { part };
  for (const part of numbers) yield { part, endsAtBlank: true };
  for (const part of numbers) yield { part, endsAtBlank: true, withoutVersion: true };
  yield { withoutVersion: true };
  yield { wholeHeader: true };
  for (const part of numbers) yield { part, withoutVirus: true };
  yield { withoutVirus: true };
  yield { wholeHeader: true, withoutVirus: true };
}

/**
 * Finds how ids and a column fit together: the id as it stands; else one piece of the header, whole, up to a blank or
 * without its version too, the id without its version, the whole header, or one of these without `hCoV-19/` or
 * `SARS-CoV-2/`, if each joins one sequence with one row and more of them than the forms before.
 *
 * @returns The form and its column, the one with most ids; `undefined` if no id is in the table.
 */
export function findIdForm(
  names: SequenceNames,
  table: TextTable,
  given: { readonly column?: number; readonly form?: IdForm } = {},
): FoundForm | undefined {
  const columns = given.column === undefined ? [...table.columns.keys()] : [given.column];
  const most = Math.min(new Set(names.headers).size, table.rows.length);
  const first = given.form ?? {};
  let best = matchForm(names, table, { form: first, columns, isForced: true });
  if (given.form !== undefined) {
    if (best !== undefined || given.form.part === undefined) return best;
    return matchForm(names, table, { form: { ...given.form, endsAtBlank: true }, columns, isForced: true });
  }
  for (const form of otherForms(names)) {
    if (best !== undefined && best.matched >= most) break;
    const found = matchForm(names, table, { form, columns, isForced: false });
    if (found !== undefined && found.matched > (best?.matched ?? 0)) best = found;
  }
  return best;
}

/** The column that has most ids of a form, the first of several. */
function matchForm(
  names: SequenceNames,
  table: TextTable,
  { form, columns, isForced }: {
    readonly form: IdForm;
    readonly columns: readonly number[];
    readonly isForced: boolean;
  },
): FoundForm & { readonly matched: number } | undefined {
  const headersOf = new Map<string, string | null>();
  for (const [index, key] of sequenceKeys(names, form).entries()) {
    if (key === "" || !isForced && isDate(key)) continue;
    const header = names.headers[index];
    const other = headersOf.get(key);
    // Null marks a key of different headers; a record that is there twice is one.
    headersOf.set(key, other === undefined || other === header ? header : null);
  }
  let best: FoundForm & { readonly matched: number } | undefined;
  for (const column of columns) {
    const rows = new Map<string, readonly string[] | null>();
    let isUnique = true;
    for (const row of table.rows) {
      const key = rowKey(row[column], form);
      const header = key === "" ? undefined : headersOf.get(key);
      if (header === undefined) continue;
      const other = rows.get(key);
      if (header === null || other !== undefined && !isSameRow(other, row)) isUnique = false;
      if (!isForced && !isUnique) break;
      rows.set(key, row);
    }
    if ((isForced || isUnique) && rows.size > (best?.matched ?? 0)) best = { form, column, matched: rows.size };
  }
  return best;
}

function isSameRow(other: readonly string[] | null, row: readonly string[]): boolean {
  return other !== null && other.every((cell, index) => cell === row[index]);
}

/** Whether a text is a month or day: pieces of headers often are, and two records may share one by chance. */
function isDate(text: string): boolean {
  return /[-/]/.test(text) && readPartialDate(text) !== undefined;
}

/** An id of the FASTA and a value of the table that differ only in how they are written, or not at all. */
export interface NearlyEqual {
  readonly form: IdForm;
  readonly column: number;
  readonly sequence: string;
  readonly value: string;
  /** Whether they are equal, and do not join because several sequences or rows have this id. */
  readonly isEqual: boolean;
}

/**
 * Finds a pair that differs only in how it is written, or that several have, in any form and column; the form and
 * column are those with most pairs. Of tables without a match.
 */
export function findNearlyEqual(
  names: SequenceNames,
  table: TextTable,
  given: { readonly column?: number; readonly form?: IdForm } = {},
): NearlyEqual | undefined {
  const columns = given.column === undefined ? [...table.columns.keys()] : [given.column];
  let best: NearlyEqual | undefined;
  let most = 0;
  for (const form of given.form !== undefined ? [given.form] : [{}, ...otherForms(names)]) {
    const folded = new Map<string, string>();
    for (const key of sequenceKeys(names, form)) if (key.trim() !== "" && !isDate(key)) folded.set(foldId(key), key);
    for (const column of columns) {
      const found = new Map<string, NearlyEqual>();
      for (const row of table.rows) {
        const key = rowKey(row[column], form);
        const sequence = folded.get(foldId(key));
        if (sequence === undefined) continue;
        found.set(sequence, { form, column, sequence, value: row[column], isEqual: sequence === key });
      }
      if (found.size <= most) continue;
      most = found.size;
      const pairs = [...found.values()];
      best = pairs.find(({ isEqual }) => !isEqual) ?? pairs[0];
    }
  }
  return best;
}
