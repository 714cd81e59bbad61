/** Processes the items of a stream while the next item is produced. */

export interface MapAheadOptions {
  /** Results that may be outstanding while the next item is asked for. */
  readonly ahead: number;
}

/**
 * Converts the items of a stream, several at a time, and yields the results in the order of the items.
 *
 * When the consumer stops or anything fails, the signal given to `convert` aborts, and every conversion under way is
 * waited for.
 *
 * @throws What the source or `convert` throws; a failed conversion when its result is due.
 */
export async function* mapAhead<Item, Result>(
  items: AsyncIterable<Item>,
  { ahead }: MapAheadOptions,
  convert: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController();
  const pending: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = convert(item, stop.signal);
      // It is looked at when it is due; until then a failure must not be an unhandled one.
      result.catch(() => {});
      pending.push(result);
      if (pending.length > ahead) yield await pending.shift()!;
    }
    while (pending.length > 0) yield await pending.shift()!;
  } finally {
    stop.abort();
    await Promise.allSettled(pending);
  }
}
