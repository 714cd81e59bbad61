/** Statistics of a whole FASTA. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { extendLedger, type Ledger, type Problem } from "../../contract/ledger.ts";
import { gcShare } from "../records/batch.ts";
import type { FastaHead } from "../text/fasta_batch.ts";
import { readFastaBatches } from "../records/read_fasta_batches.ts";
import { OtherResidues } from "./other_residues.ts";
import { READ_FASTA_OPTIONS, type ReadFastaOptions } from "../text/read_options.ts";
import { checkOptions } from "../../options/check_options.ts";

/** Statistics of a FASTA. Lengths are in bases; all are 0 for an empty file. */
export interface FastaStats extends FastaHead {
  /** Number of records. */
  readonly records: number;
  /** Length of the shortest sequence. */
  readonly min: number;
  /** Mean length. */
  readonly mean: number;
  /** Length of the longest sequence. */
  readonly max: number;
  /** Bases in all. */
  readonly sum: number;
  /** The greatest length L such that sequences of at least L hold half of all bases or more. */
  readonly n50: number;
  /** Share of G and C among A, C, G, T and U of all sequences; `null` without any of these. */
  readonly gc: number | null;
  /** Bases other than A, C, G, T and U. */
  readonly ambiguous: number;
  /** The first problems; all are counted in the ledger. */
  readonly problems: readonly Problem[];
  /** Records received, unique, duplicate and unparsed, with reasons and warnings. */
  readonly ledger: Ledger;
  /** Bytes read, as received: compressed, if the source is. */
  readonly bytes: number;
  /** SHA-256 of those bytes when the option `sha256` asks for it; else `null`. */
  readonly sha256: string | null;
}

/**
 * Counts records and bases of a FASTA, without keeping a sequence.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param options Strictness, limits, signal.
 * @throws {FastaError} If the text is not a FASTA file, or has an unrecoverable fault: see {@linkcode
 * readFastaBatches}.
 * @throws {GzipError} If gzip data is damaged.
 * @throws {RegistryError} With code `disk` if the file cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fastaStats } from "./fasta_stats.ts";
 *
 * const { records, mean, n50, gc, ambiguous } = await fastaStats(new TextEncoder().encode(">a\nACGTNN\n>b\nGC\n"));
 *
 * assertEquals({ records, mean, n50, gc, ambiguous }, { records: 2, mean: 4, n50: 6, gc: 4 / 6, ambiguous: 2 });
 * ```
 */
export async function fastaStats(source: ByteSource, options: ReadFastaOptions = {}): Promise<FastaStats> {
  checkOptions("fastaStats()", options, READ_FASTA_OPTIONS);
  const reader = readFastaBatches(source, { ...options, sequences: false });
  const lengths = new LengthTally();
  const others = new OtherResidues();
  let gcBases = 0;
  let ambiguous = 0;
  for await (const batch of others.watch(reader)) {
    for (let row = 0; row < batch.rows; row++) {
      lengths.add(batch.length[row]);
      gcBases += batch.gcLetters[row];
      ambiguous += batch.ambiguous[row];
    }
  }
  return {
    ...await reader.head(),
    ...lengths.summary(),
    gc: gcShare(gcBases, lengths.sum - ambiguous),
    ambiguous,
    problems: reader.problems,
    ledger: extendLedger(reader.ledger, others.entries),
    bytes: reader.bytes,
    sha256: reader.sha256,
  };
}

/** Lengths, each with how often it came: many genomes, few lengths. */
class LengthTally {
  sum = 0;
  #records = 0;
  readonly #counts = new Map<number, number>();

  add(length: number): void {
    this.sum += length;
    this.#records += 1;
    this.#counts.set(length, (this.#counts.get(length) ?? 0) + 1);
  }

  summary(): Pick<FastaStats, "records" | "min" | "mean" | "max" | "sum" | "n50"> {
    const falling = [...this.#counts.keys()].sort((a, b) => b - a);
    let held = 0;
    const n50 = falling.find((length) => (held += length * this.#counts.get(length)!) * 2 >= this.sum);
    return {
      records: this.#records,
      min: falling.at(-1) ?? 0,
      mean: this.#records === 0 ? 0 : this.sum / this.#records,
      max: falling[0] ?? 0,
      sum: this.sum,
      n50: n50 ?? 0,
    };
  }
}
