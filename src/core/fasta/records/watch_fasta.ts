/** Reads a FASTA while its bytes go by, untouched. */
import type { Ledger } from "../../contract/ledger.ts";
import type { FastaBatch, FastaHead } from "../text/fasta_batch.ts";
import type { ReadFastaOptions } from "../text/read_options.ts";
import { readFastaBatches } from "./read_fasta_batches.ts";

/** What {@linkcode watchFasta} reports, and to whom. */
export interface WatchFastaOptions extends Omit<ReadFastaOptions, "maxRecordBytes" | "sha256"> {
  /** Called once, with what the beginning of the file says. */
  readonly onHead?: (head: FastaHead) => void;
  /** Called with each batch of good records, without sequences; the batch is valid during the call. */
  readonly onBatch?: (batch: FastaBatch) => void;
  /** Called at the end of the file, with what was found. */
  readonly onLedger?: (ledger: Ledger) => void;
}

/**
 * Passes a FASTA on and reports of its records, by the reader that makes frames: the same problems, the same errors.
 *
 * Each chunk is scanned, then yielded; no chunk is held back, and no sequence is kept.
 *
 * @param chunks Bytes of the FASTA; its owner may reuse a chunk when the next one is requested.
 * @throws {FastaError} As {@linkcode readFastaBatches}, before the chunk with the fault is yielded.
 * @throws {GzipError} If the bytes are gzip data and damaged.
 * @see Specification 4.2, rule 3. What to do with faults is our choice: the specification does not show it.
 */
export async function* watchFasta(
  chunks: AsyncIterable<Uint8Array>,
  options: WatchFastaOptions = {},
): AsyncGenerator<Uint8Array> {
  const { onHead, onBatch, onLedger, ...rest } = options;
  const relay = new ChunkRelay();
  const reading = read();
  reading.catch((error) => relay.fail(error));
  try {
    for await (const chunk of chunks) {
      await relay.push(chunk);
      yield chunk;
    }
  } finally {
    relay.end();
    // A failure is thrown below, or was thrown by push().
    await reading.catch(() => {});
  }
  await reading;

  async function read(): Promise<void> {
    const reader = readFastaBatches(relay, { ...rest, sequences: false });
    onHead?.(await reader.head());
    for await (const batch of reader) onBatch?.(batch);
    onLedger?.(reader.ledger);
  }
}

/** Hands chunks from one loop to another, one at a time. */
class ChunkRelay implements AsyncIterable<Uint8Array> {
  #chunk: Uint8Array | undefined;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #onChunk: (() => void) | undefined;
  #taken: PromiseWithResolvers<void> | undefined;

  /** Hands a chunk over; resolves when the reader asks for the next one, rejects when the reader has failed. */
  push(chunk: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#chunk = chunk;
    this.#taken = Promise.withResolvers();
    this.#onChunk?.();
    return this.#taken.promise;
  }

  /** No chunk follows. */
  end(): void {
    this.#isEnded = true;
    this.#onChunk?.();
  }

  /** The reader has failed: the chunk that it has is not read any further. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#taken?.reject(error);
    this.#taken = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#chunk === undefined && !this.#isEnded) {
        await new Promise<void>((resolve) => this.#onChunk = resolve);
        this.#onChunk = undefined;
      }
      const chunk = this.#chunk;
      if (chunk === undefined) return;
      this.#chunk = undefined;
      yield chunk;
      this.#taken?.resolve();
      this.#taken = undefined;
    }
  }
}
