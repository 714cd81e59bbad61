/** Ranges of keys. */
import type { Key, KeyInterval, RangeEnd } from "@seqreg/core/query";

/** A range; open where an end is absent. */
export interface Range {
  readonly from?: RangeEnd<Key>;
  readonly to?: RangeEnd<Key>;
}

export function exactly(key: Key): Range {
  return within({ start: key, end: key });
}

/** All that lies from the first to the last, both included. */
export function within({ start, end }: KeyInterval): Range {
  return { from: { value: start, inclusive: true }, to: { value: end, inclusive: true } };
}
