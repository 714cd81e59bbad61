/** Options that every reader of FASTA takes. */
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** The greatest {@linkcode ReadFastaOptions.maxRecordBytes}: a batch holds no more bases. */
export const MOST_RECORD_BYTES = 2_000_000_000;

/** Options of {@linkcode readFasta}, {@linkcode readFastaBatches} and what is built on them. */
export interface ReadFastaOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Named in errors; the path by default. */
  readonly name?: string;
  /** Throws at the first problem instead of keeping the good records and a list; false by default. */
  readonly strict?: boolean;
  /** Problems that are kept in full; all are counted. 1,000 by default. */
  readonly maxProblems?: number;
  /** Bases of one sequence at most, where sequences are kept; 1 GiB by default, at most 2,000,000,000. */
  readonly maxRecordBytes?: number;
  /** Bytes of one header at most; 1 MiB by default. */
  readonly maxHeaderBytes?: number;
  /** Whether to compute the SHA-256 of the bytes as received (compressed, if the source is); false by default. */
  readonly sha256?: boolean;
}

export const READ_FASTA_OPTIONS = {
  signal: rule.signal,
  name: rule.text,
  strict: rule.flag,
  maxProblems: rule.wholeNumber({ from: 0, to: 10_000_000 }),
  maxRecordBytes: rule.wholeNumber({ from: 1, to: MOST_RECORD_BYTES }),
  maxHeaderBytes: rule.wholeNumber({ from: 1, to: 100_000_000 }),
  sha256: rule.flag,
} satisfies OptionRules<ReadFastaOptions>;

/** Options of {@linkcode readFastaBatches}. */
export interface ReadFastaBatchesOptions extends ReadFastaOptions {
  /** Whether bases are kept; true by default. Without sequences, reading is faster and uses less memory. */
  readonly sequences?: boolean;
  /** Records of a batch at most; 16,384 by default. */
  readonly batchRows?: number;
  /** A batch ends after this many bases; its last record may exceed it. 8 MiB by default. */
  readonly batchBytes?: number;
}

export const READ_FASTA_BATCHES_OPTIONS = {
  ...READ_FASTA_OPTIONS,
  sequences: rule.flag,
  batchRows: rule.wholeNumber({ from: 1, to: 1_000_000 }),
  batchBytes: rule.wholeNumber({ from: 1, to: 100_000_000 }),
} satisfies OptionRules<ReadFastaBatchesOptions>;
