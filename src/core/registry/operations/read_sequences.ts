/** Sequences of a `/v2/sequence` answer, held against the accessions that were asked for. */
import type { SequenceAnswer } from "../../client/mod.ts";
import { isAccession } from "../../contract/accession.ts";
import { closeLedger, type Ledger, listSome, warningsOf } from "../../contract/ledger.ts";
import { type FastaRecord, readFasta, writePlainFasta } from "../../fasta/mod.ts";
import { examineNucleotides } from "../../fasta/text/nucleotides.ts";
import { type AccessionList, noteRepeated } from "../plan/accession_list.ts";
import { describeResidues } from "../plan/nucleotide_words.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** A sequence that holds a line of FASTA's own: written as FASTA it would become two records. */
const HEADER_LINE = /(?:^|[\r\n])\s*>/;

export interface ReadSequences {
  /** Records of accessions that were asked for, in the order asked. */
  readonly records: readonly FastaRecord[];
  /** What was requested and what was received. */
  readonly ledger: Ledger;
  /** Whether the answers hold these sequences and nothing else. */
  readonly isExact: boolean;
}

/**
 * Reads answers to requests that together asked for a list.
 *
 * Sequences go through the reader of FASTA, so that their characters are judged by one set of rules. An accession that
 * was not asked for is left out and named; `null` is as good as absent. A text that holds a header line of FASTA, or
 * that is no nucleotide sequence, such as an error message, cannot be read as one sequence.
 */
export async function readSequences(
  list: AccessionList,
  answers: readonly Pick<SequenceAnswer, "sequences" | "nulls">[],
  signal?: AbortSignal,
): Promise<ReadSequences> {
  const asked = new Set(list.accessions);
  const sequences = new Map<string, string>();
  const others = new Set<string>();
  const headed: string[] = [];
  const foreign = new Map<string, string>();
  const protein: string[] = [];
  for (const [accession, sequence] of answers.flatMap((answer) => [...answer.sequences])) {
    if (!asked.has(accession)) others.add(accession);
    else if (HEADER_LINE.test(sequence)) headed.push(accession);
    else {
      const { isSequence, residues } = examineNucleotides(sequence);
      if (isSequence) sequences.set(accession, sequence);
      else foreign.set(accession, sequence);
      // The reader reports what is not a residue.
      if (isSequence && residues.length > 0) protein.push(`${accession} (${residues.join(", ")})`);
    }
  }
  for (const { nulls } of answers) for (const accession of nulls) if (!asked.has(accession)) others.add(accession);
  const found = list.accessions.filter((accession) => sequences.has(accession));
  const written = writePlainFasta(found.map((header) => ({ header, sequence: sequences.get(header)! })));
  const reader = readFasta(written, { name: "the sequences", signal });
  const records = await Array.fromAsync(reader);
  const unread = new Set([...headed, ...foreign.keys()]);
  const invalid = [...others].filter((accession) => !isAccession(accession));
  const unparsedReasons = [
    headed.length === 0
      ? ""
      : `${headed.length} could not be read, since a line within the sequence begins with ">": ${listSome(headed, 20)}`,
    foreign.size === 0
      ? ""
      : `${foreign.size} could not be read, since the text is no nucleotide sequence: ${
        listSome([...foreign].map(([accession, text]) => `${accession} (${JSON.stringify(text.slice(0, 60))})`), 20)
      }`,
    invalid.length === 0
      ? ""
      : `${invalid.length} came without a valid accession: ${
        listSome(invalid.map((text) => JSON.stringify(text)), 20)
      }`,
  ].filter((reason) => reason !== "");
  const nulls = answers.reduce((sum, answer) => sum + answer.nulls.length, 0);
  return {
    records,
    ledger: closeLedger({
      asked: list.accessions.length,
      received: found.length,
      missing: list.accessions.filter((accession) => !sequences.has(accession) && !unread.has(accession)),
      unasked: [...others].filter(isAccession),
      unparsed: unread.size + invalid.length,
      unparsedReason: unparsedReasons.join("; "),
      entries: [...noteRepeated(list), ...noteProtein(protein), ...warningsOf(reader.ledger)],
    }),
    isExact: others.size === 0 && unread.size === 0 && nulls === 0,
  };
}

/** The warning about sequences that may be proteins. */
function noteProtein(ids: readonly string[]): LedgerEntry[] {
  if (ids.length === 0) return [];
  const text = `${describeResidues(ids.length)}: ${listSome(ids, 20)}`;
  return [noteEntry("bases-unexpected", text, { ids })];
}
