/** Joins sequences and rows by their ids, and gives each pair its accession. */
import type { CsvTable } from "../io/csv/csv_table.ts";
import { formatAccession, isAccession } from "../contract/accession.ts";
import { listSome } from "../contract/ledger.ts";

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
  /** Why something was left out, in words. */
  readonly reasons: readonly string[];
  /** Names of all that was left out. */
  readonly missing: readonly string[];
}

/** How many names a sentence shows. */
const NAMED = 20;

/**
 * Finds the column whose values match the FASTA's ids: the one with most matches, the first of several.
 *
 * @returns Its index, or -1 when no column has a match.
 */
export function matchingColumn({ columns, rows }: CsvTable, ids: ReadonlySet<string>): number {
  let best = -1;
  let most = 0;
  for (const column of columns.keys()) {
    const matched = new Set<string>();
    for (const row of rows) if (row[column] !== "" && ids.has(row[column])) matched.add(row[column]);
    if (matched.size > most) [best, most] = [column, matched.size];
  }
  return best;
}

/**
 * Joins by exact ids.
 *
 * @param ids Ids of the FASTA's records, in order.
 * @param table The rows.
 * @param columns Column of the ids, and of registry accessions that came in (-1 for none).
 */
export function joinById(
  ids: readonly string[],
  table: CsvTable,
  columns: { readonly id: number; readonly accession: number },
): JoinResult {
  const rowOf = new Map<string, number>();
  const laterRows: string[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const id = cells[columns.id];
    if (id !== "" && rowOf.has(id)) laterRows.push(id);
    else if (id !== "") rowOf.set(id, row);
  }
  const pairs: { sequence: number; row: number; accession: string | undefined }[] = [];
  const used = new Set<string>();
  const accessions = new Set<string>();
  const withoutRow: string[] = [];
  const laterSequences: string[] = [];
  const laterAccessions: string[] = [];
  for (const [sequence, id] of ids.entries()) {
    const row = rowOf.get(id);
    if (row === undefined) {
      withoutRow.push(id === "" ? `record ${sequence + 1}` : id);
    } else if (used.has(id)) {
      laterSequences.push(id);
    } else {
      used.add(id);
      const given = columns.accession === -1 ? "" : table.rows[row][columns.accession];
      const accession = isAccession(given) ? given : isAccession(id) ? id : undefined;
      if (accession !== undefined && accessions.has(accession)) {
        laterAccessions.push(`${id} (${accession})`);
      } else {
        if (accession !== undefined) accessions.add(accession);
        pairs.push({ sequence, row, accession });
      }
    }
  }
  const withoutSequence: string[] = [];
  for (const [row, cells] of table.rows.entries()) {
    const id = cells[columns.id];
    if (id === "") withoutSequence.push(`row ${row + 1}`);
    else if (!used.has(id) && rowOf.get(id) === row) withoutSequence.push(id);
  }
  return {
    joined: assignAccessions(pairs, accessions),
    kept: accessions.size,
    reasons: [
      leftOut(withoutSequence, "row", "without a sequence"),
      leftOut(withoutRow, "sequence", "without a row"),
      leftOut(laterRows, "later row", "with an id that came before"),
      leftOut(laterSequences, "later sequence", "with an id that came before"),
      leftOut(laterAccessions, "later use", "of an accession"),
    ].filter((reason) => reason !== ""),
    missing: [...withoutSequence, ...withoutRow, ...laterRows, ...laterSequences, ...laterAccessions],
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

function leftOut(names: readonly string[], what: string, fault: string): string {
  if (names.length === 0) return "";
  const plural = names.length === 1 ? "" : "s";
  return `${names.length} ${what}${plural} ${fault} left out: ${listSome(names, NAMED)}`;
}
