/** Reads FASTA record by record. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { BatchSource } from "./batch_source.ts";
import type { FastaBatch } from "../text/fasta_batch.ts";
import { FastaError } from "../text/fasta_error.ts";
import type { FastaReader } from "./fasta_reader.ts";
import { SourceReader } from "./source_reader.ts";
import { READ_FASTA_OPTIONS, type ReadFastaOptions } from "../text/read_options.ts";
import { textAt, textsOf } from "../text/text_column.ts";
import { checkOptions } from "../../options/check_options.ts";

/** One record of a FASTA. */
export interface FastaRecord {
  /** The accession in a registry FASTA, else the header up to the first white space. */
  readonly id: string;
  /** The header line as it is, without `>` and line end. */
  readonly header: string;
  /** The values of the header, one for each field of the reader's head: in a plain FASTA the id and the description. */
  readonly values: readonly string[];
  /** Bases as they are, without white space. A byte outside ASCII is read as Latin-1, so that each is one character. */
  readonly sequence: string;
  /** Number of bases. */
  readonly length: number;
  /** Share of G and C among A, C, G, T and U, either case; `null` without any of these. */
  readonly gc: number | null;
  /** Number of bases other than A, C, G, T and U. */
  readonly ambiguous: number;
  /** Line of the header, counted from 1. */
  readonly line: number;
  /** Offset of the `>` in the uncompressed text, counted from 0. */
  readonly byte: number;
}

/** Characters that V8 holds in one text at most. */
const MAX_TEXT_BASES = 536_870_888;

/**
 * Reads FASTA, plain or of the registry, plain, gzip or Zstandard, record by record, in bounded memory.
 *
 * The rules are those of {@linkcode readFastaBatches}.
 *
 * @param source Where the FASTA is.
 * @param options Limits, strictness, signal.
 * @returns A reader of records.
 * @throws {RangeError} If an option is out of its range.
 * @throws {FastaError} While reading: as {@linkcode readFastaBatches} does, and if a sequence has more bases than a
 * text can hold.
 * @throws {GzipError} While reading: if gzip data is damaged.
 * @throws {RegistryError} While reading: with code `disk` if the file cannot be read.
 * @see Specification 4.2, rule 3.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFasta } from "./read_fasta.ts";
 *
 * const reader = readFasta(new TextEncoder().encode(">a first\nACG\nTN\n>b\nacgt\n"));
 * const sequences: Record<string, string> = {};
 * for await (const { id, sequence } of reader) sequences[id] = sequence;
 *
 * assertEquals(sequences, { a: "ACGTN", b: "acgt" });
 * assertEquals(reader.ledger.received, 2);
 * ```
 */
export function readFasta(source: ByteSource, options: ReadFastaOptions = {}): FastaReader<FastaRecord> {
  checkOptions("readFasta()", options, READ_FASTA_OPTIONS);
  const batches = new BatchSource(source, { ...options, batchBytes: 1 << 20, sequences: true });
  return new SourceReader(batches, records(batches));
}

async function* records(source: BatchSource): AsyncGenerator<FastaRecord> {
  for await (const batch of source.batches()) {
    const { kind } = await source.head();
    const headers = textsOf(batch.headers);
    for (let row = 0; row < batch.rows; row++) yield recordAt(batch, row, headers[row], kind);
  }
}

function recordAt(batch: FastaBatch, row: number, header: string, kind: "registry" | "plain"): FastaRecord {
  const id = batch.ids[row];
  return {
    id,
    header,
    values: kind === "registry" ? header.split("|") : [id, header.slice(id.length).replace(/^[\t\v\f\r ]+/, "")],
    sequence: sequenceAt(batch, row),
    length: batch.length[row],
    gc: batch.gc(row),
    ambiguous: batch.ambiguous[row],
    line: batch.line[row],
    byte: batch.byte[row],
  };
}

const latin1 = new TextDecoder("latin1");

function sequenceAt(batch: FastaBatch, row: number): string {
  const sequences = batch.sequences!;
  const length = batch.length[row];
  if (length > MAX_TEXT_BASES) {
    throw new FastaError(
      `Cannot read a sequence of ${length} bases as a text, which holds ${MAX_TEXT_BASES}; use readFastaBatches`,
      { line: batch.line[row], byte: batch.byte[row], id: batch.ids[row] },
    );
  }
  const text = textAt(sequences, row);
  const isAscii = text.length === length && !text.includes("\uFFFD");
  return isAscii ? text : latin1.decode(sequences.data.subarray(sequences.offsets[row], sequences.offsets[row + 1]));
}
