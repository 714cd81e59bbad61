/** Batches of records for an answer: begun before its status is chosen, ended when its reader goes away. */
import { closing } from "@seqreg/core/io/bytes";

/** Batches that have begun: the first is there and not empty. */
export interface OpenBatches<T> {
  /** All batches, the first included. */
  readonly batches: AsyncGenerator<T[]>;
  /** Ends the work, also when `batches` was never read. */
  close(): Promise<void>;
}

/**
 * Makes a text of a batch, and empties it. A generator keeps its variables while it waits, so that each that a batch
 * came through still holds it: what waits for a slow reader is then the text alone, not the records as well.
 */
export function spend<T>(batch: T[], write: (record: T) => string): string {
  const texts = batch.map(write);
  batch.length = 0;
  return texts.join("");
}

/**
 * Waits for the first batch with a record that counts, so that "nothing" and a fault can still choose the answer's
 * status.
 *
 * @param start Starts the work; the signal it is given ends with the request or with `close`.
 * @param options The request's signal, and whether a record counts; all do by default.
 * @returns The batches, or `undefined` for an empty result.
 */
export async function openBatches<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T[]>,
  { signal, counts = () => true }: { readonly signal: AbortSignal; readonly counts?: (record: T) => boolean },
): Promise<OpenBatches<T> | undefined> {
  const leaving = new AbortController();
  const source = start(AbortSignal.any([signal, leaving.signal]));
  for (;;) {
    const first = await source.next();
    if (first.done) return undefined;
    if (!first.value.some(counts)) continue;
    const batches = closing(() => resume(first.value, source), () => source.return(undefined));
    return {
      batches,
      async close() {
        leaving.abort(new DOMException("the reader went away", "AbortError"));
        await batches.return(undefined).catch(() => {});
      },
    };
  }
}

async function* resume<T>(first: T[], rest: AsyncGenerator<T[]>): AsyncGenerator<T[]> {
  yield first;
  yield* rest;
}
