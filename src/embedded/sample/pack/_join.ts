/** Joins sequences and rows by their ids, and gives each pair its accession. */
import type { TextTable } from "@seqreg/core/io/csv";
import { formatAccession, isAccession } from "@seqreg/core/contract/accession";
import { listSome } from "@seqreg/core/contract/ledger";
import { countOf } from "@seqreg/core/contract/count_of";
import type { LedgerCode } from "@seqreg/core/contract";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { type FoundForm, rowKey, sequenceKeys, type SequenceNames } from "./_id_forms.ts";
import { describeDifference, foldId } from "./_id_spelling.ts";

/** A sequence and its row. */
export interface Joined {
  /** Which record of the FASTA, counted from 0. */
  readonly sequence: number;
  /** Which row of the table, counted from 0. */
  readonly row: number;
  /** Its accession, kept or assigned. */
  readonly accession: string;
}

/** What came together, and what did not. */
export interface JoinResult {
  /** Pairs in the order of the FASTA. */
  readonly joined: readonly Joined[];
  /** Accessions that came in and were kept. */
  readonly kept: number;
  /** Why something was left out. */
  readonly entries: readonly LedgerEntry[];
  /** Names of what was left out and is not there by another row or sequence. */
  readonly missing: readonly string[];
}

/** How many names a sentence shows. */
const NAMED = 20;

/**
 * Joins sequences and rows whose ids are equal in a form, character by character.
 *
 * @param names Ids and headers of the FASTA's records, in order.
 * @param options Form of the ids, their column, and the column of registry accessions that came in (-1 for none).
 */
export function joinById(
  names: SequenceNames,
  table: TextTable,
  { form, column, accession }: FoundForm & { readonly accession: number },
): JoinResult {
  const keys = sequenceKeys(names, form);
  const nameOf = (sequence: number) => names.ids[sequence] || `record ${sequence + 1}`;
  const rowOf = new Map<string, number>();
  const laterRows: string[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const key = rowKey(cells[column], form);
    if (key !== "" && rowOf.has(key)) laterRows.push(cells[column]);
    else if (key !== "") rowOf.set(key, row);
  }
  const pairs: { sequence: number; row: number; accession: string | undefined }[] = [];
  const used = new Set<string>();
  const accessions = new Set<string>();
  const withoutRow: string[] = [];
  const laterSequences: string[] = [];
  const laterAccessions: string[] = [];
  for (const [sequence, key] of keys.entries()) {
    const row = rowOf.get(key);
    if (row === undefined) {
      withoutRow.push(nameOf(sequence));
    } else if (used.has(key)) {
      laterSequences.push(nameOf(sequence));
    } else {
      used.add(key);
      const given = accession === -1 ? "" : table.rows[row][accession];
      const kept = [given, key, names.ids[sequence]].find(isAccession);
      if (kept !== undefined && accessions.has(kept)) {
        laterAccessions.push(`${nameOf(sequence)} (${kept})`);
      } else {
        if (kept !== undefined) accessions.add(kept);
        pairs.push({ sequence, row, accession: kept });
      }
    }
  }
  const withoutSequence: string[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const key = rowKey(cells[column], form);
    if (key === "") withoutSequence.push(`row ${row + 1}`);
    else if (!used.has(key) && rowOf.get(key) === row) withoutSequence.push(cells[column]);
  }
  return {
    joined: assignAccessions(pairs, accessions),
    kept: accessions.size,
    entries: [
      ...noteLeftOut("without-sequence", withoutSequence, ["row", "without a sequence"]),
      ...noteLeftOut("without-metadata", withoutRow, [
        "sequence",
        "without a row",
        nearlyEqual(withoutRow, withoutSequence),
      ]),
      ...noteLeftOut("left-out-duplicates", laterRows, ["later row", "with an id that came before"]),
      ...noteLeftOut("left-out-duplicates", laterSequences, ["later sequence", "with an id that came before"]),
      ...noteLeftOut("left-out-duplicates", laterAccessions, ["later use", "of an accession"]),
    ],
    // A later row or sequence has an id that is there, by its first one.
    missing: [...withoutSequence, ...withoutRow, ...laterAccessions],
  };
}

function assignAccessions(
  pairs: readonly { readonly sequence: number; readonly row: number; readonly accession: string | undefined }[],
  kept: ReadonlySet<string>,
): Joined[] {
  let number = 0;
  const next = (): string => {
    do number++; while (kept.has(formatAccession(number)));
    return formatAccession(number);
  };
  return pairs.map(({ sequence, row, accession }) => ({ sequence, row, accession: accession ?? next() }));
}

function noteLeftOut(
  code: LedgerCode,
  ids: readonly string[],
  [what, fault, more = ""]: readonly [what: string, fault: string, more?: string],
): LedgerEntry[] {
  if (ids.length === 0) return [];
  return [noteEntry(code, `${countOf(ids.length, what)} ${fault} left out: ${listSome(ids, NAMED)}${more}`, { ids })];
}

/** What is added where ids that were left out differ only in how they are written. */
function nearlyEqual(sequences: readonly string[], rows: readonly string[]): string {
  const folded = new Map(rows.map((id) => [foldId(id), id]));
  const pairs = sequences.flatMap((id) => {
    const row = folded.get(foldId(id));
    return row === undefined
      ? []
      : [`${JSON.stringify(id)} and ${JSON.stringify(row)} (${describeDifference(id, row)})`];
  });
  if (pairs.length === 0) return "";
  return `; ids that differ only in how they are written do not join, make them equal: ${listSome(pairs, NAMED)}`;
}
