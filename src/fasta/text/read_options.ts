/**
 * Options that every reader of FASTA takes.
 *
 * @module
 */

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
  /** Whether the SHA-256 of the bytes, as they travelled, is taken; false by default. */
  readonly sha256?: boolean;
}

/** Options of {@linkcode readFastaBatches}. */
export interface ReadFastaBatchesOptions extends ReadFastaOptions {
  /** Whether bases are kept; true by default. Without them only counts come, in less time and memory. */
  readonly sequences?: boolean;
  /** Records of a batch at most; 16,384 by default. */
  readonly batchRows?: number;
  /** Bases at which a batch is full; 8 MiB by default. One record more may come. */
  readonly batchBytes?: number;
}

/** Checks the numbers among the options. */
export function checkReadOptions(options: ReadFastaBatchesOptions): void {
  checkWhole("maxProblems", options.maxProblems, 0, 10_000_000);
  checkWhole("maxRecordBytes", options.maxRecordBytes, 1, MOST_RECORD_BYTES);
  checkWhole("maxHeaderBytes", options.maxHeaderBytes, 1, 100_000_000);
  checkWhole("batchRows", options.batchRows, 1, 1_000_000);
  checkWhole("batchBytes", options.batchBytes, 1, 100_000_000);
}

function checkWhole(option: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`Cannot use ${option} ${value}: expected a whole number from ${least} to ${most}`);
}
