/** The nucleotide sequences of a FASTA, one after the other. */
import { type ByteSource, sourceName } from "@seqreg/core/io/bytes";
import type { FastaBatch, FastaReader } from "@seqreg/core/fasta";
import { readFastaBatches } from "@seqreg/core/fasta/records/read_fasta_batches";
import { FastaError } from "@seqreg/core/fasta/text";
import { asFasta } from "./sequence_tables.ts";

/** How the sequences are read. */
export interface ReadSequencesOptions {
  /** Named in errors (default: the path). */
  readonly name?: string;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One sequence; its bytes are valid until the next is asked for. */
export interface NucleotideSequence {
  readonly id: string;
  /** Bases as they are, without white space. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Bases other than A, C, G, T and U. */
  readonly ambiguous: number;
}

/** A reading under way: its sequences, and the reader with the ledger. */
export interface SequenceReading extends AsyncDisposable {
  readonly reader: FastaReader<FastaBatch>;
  /** @throws {FastaError} At a protein, and after the last record if no record had a base. */
  sequences(): AsyncGenerator<NucleotideSequence>;
  /** As `sequences`, many records at once. */
  batches(): AsyncGenerator<FastaBatch>;
}

/** Bases at which a batch is full. */
const BATCH_BYTES = 4 << 20;

/** Starts to read a FASTA, or the sequences of a lake, an archive or a table. */
export async function readSequences(source: ByteSource, options: ReadSequencesOptions): Promise<SequenceReading> {
  const name = options.name ?? sourceName(source);
  const reader = readFastaBatches(await asFasta(source, options.signal), {
    ...options,
    name,
    batchBytes: BATCH_BYTES,
    sha256: true,
  });
  return {
    reader,
    sequences: () => sequencesOf(nucleotideBatches(reader, name)),
    batches: () => nucleotideBatches(reader, name),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

async function* sequencesOf(batches: AsyncGenerator<FastaBatch>): AsyncGenerator<NucleotideSequence> {
  for await (const batch of batches) {
    const { offsets, data } = batch.sequences!;
    for (let row = 0; row < batch.rows; row++) {
      const bytes = data.subarray(offsets[row], offsets[row + 1]);
      const { [row]: length } = batch.length;
      yield { id: batch.ids[row], bytes, length, ambiguous: batch.ambiguous[row] };
    }
  }
}

async function* nucleotideBatches(reader: FastaReader<FastaBatch>, name: string): AsyncGenerator<FastaBatch> {
  let records = 0;
  let bases = 0;
  for await (const batch of reader) {
    for (let row = 0; row < batch.rows; row++) {
      if (isProtein(batch, row)) {
        throw new FastaError(
          `Cannot sketch ${name}: a sequence looks like a protein, nucleotides were expected; give the genomes or genes`,
          { line: batch.line[row], id: batch.ids[row] },
        );
      }
      bases += batch.length[row] - batch.ambiguous[row];
    }
    records += batch.rows;
    yield batch;
  }
  if (records === 0) throw new FastaError(`Cannot sketch ${name}: it has no records; give a FASTA with sequences`);
  if (bases === 0) {
    throw new FastaError(
      `Cannot sketch ${name}: its sequences have no A, C, G, T or U, such as N alone; give sequences with bases`,
    );
  }
}

/** Residues at the beginning of a sequence by which it is judged. */
const JUDGED = 1000;
/** Residues that no code of nucleotides has: E, F, I, J, L, O, P, Q, Z; upper and lower case. */
const RESIDUES = new Uint8Array(256);
for (const residue of "EFIJLOPQZefijlopqz") RESIDUES[residue.charCodeAt(0)] = 1;

/** Whether more than one in twenty residues at the beginning are outside the nucleotide codes of IUPAC. */
function isProtein({ sequences, ambiguous, length }: FastaBatch, row: number): boolean {
  const judged = Math.min(length[row], JUDGED);
  // Most records have so few characters other than A, C, G and T that these need not be checked.
  if (ambiguous[row] * 20 <= judged) return false;
  const { offsets, data } = sequences!;
  let count = 0;
  for (let i = offsets[row]; i < offsets[row] + judged; i++) count += RESIDUES[data[i]];
  return count * 20 > judged;
}
