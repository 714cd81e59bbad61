/** A reading under way: what it gives, and what it knows so far. */
import type { Ledger, Problem } from "../../contract/ledger.ts";
import type { FastaHead } from "../text/fasta_batch.ts";

/**
 * Yields records or batches one after the other, as a loop with `for await` asks for them.
 *
 * A loop that stops early closes the file or cancels the stream.
 */
export interface FastaReader<T> extends AsyncIterableIterator<T>, AsyncDisposable {
  /**
   * What the beginning of the file says: registry or plain FASTA, and the names of the values in its headers.
   *
   * Reads up to the first record and no further; may be asked at any time.
   *
   * @throws {FastaError} If the file is not a FASTA file.
   * @throws {GzipError} If gzip data is damaged.
   * @throws {RegistryError} With code `disk` if the file cannot be read.
   */
  head(): Promise<FastaHead>;
  /** Problems so far, in the order they were found: the first 1,000, or as many as were asked for. */
  readonly problems: readonly Problem[];
  /** Number of problems so far, those beyond {@linkcode FastaReader.problems} too. */
  readonly problemCount: number;
  /**
   * Records received, unique, duplicate and unparsed so far, with reasons and warnings; final after the last record,
   * and incomplete (`unfinished`) before that.
   */
  readonly ledger: Ledger;
  /** Bytes read so far, as received: compressed, if the source is. */
  readonly bytes: number;
  /** SHA-256 of those bytes after the last record, when the option `sha256` asks for it; else `null`. */
  readonly sha256: string | null;
  /** The next record or batch. */
  next(): Promise<IteratorResult<T>>;
  /** Stops: closes the file or cancels the stream. A loop that stops early does so by itself. */
  return(): Promise<IteratorResult<T>>;
  /** Itself. */
  [Symbol.asyncIterator](): FastaReader<T>;
}
