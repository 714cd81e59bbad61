/** Batches of records for an answer: begun before its status is chosen, ended when its reader goes away. */

/** Batches that have begun: the first is there and not empty. */
export interface OpenBatches<T> {
  /** All batches, the first included. */
  readonly batches: AsyncGenerator<readonly T[]>;
  /** Ends the work, also when `batches` was never read. */
  close(): Promise<void>;
}

/**
 * Waits for the first batch that is not empty, so that "nothing" and a fault can still choose the answer's status.
 *
 * @param start Starts the work; the signal it is given ends with the request or with `close`.
 * @param signal Ends with the request.
 * @returns The batches, or `undefined` for an empty result.
 */
export async function openBatches<T>(
  start: (signal: AbortSignal) => AsyncGenerator<readonly T[]>,
  signal: AbortSignal,
): Promise<OpenBatches<T> | undefined> {
  const closing = new AbortController();
  const source = start(AbortSignal.any([signal, closing.signal]));
  for (;;) {
    const first = await source.next();
    if (first.done) return undefined;
    if (first.value.length === 0) continue;
    return {
      batches: resume(first.value, source),
      // A generator that was never begun runs no `finally`: so the source is ended here, not through `batches`.
      async close() {
        closing.abort(new DOMException("the reader went away", "AbortError"));
        await source.return(undefined).catch(() => {});
      },
    };
  }
}

async function* resume<T>(first: readonly T[], rest: AsyncGenerator<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield first;
  yield* rest;
}
