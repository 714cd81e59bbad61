/** Positions within a block of rows: sorted lists of numbers below 65,536, and buffers to hold them. */

/** Most rows of a block. */
const MOST = 1 << 16;

/** All positions, in order: only to be read. */
export const EVERY = Uint16Array.from({ length: MOST }, (_, at) => at);

const idle: Uint16Array[] = [];

/** Works with a buffer that is anyone's again afterwards; the work waits for nothing. */
export function withBuffer<T>(work: (buffer: Uint16Array) => T): T {
  const buffer = idle.pop() ?? new Uint16Array(MOST);
  try {
    return work(buffer);
  } finally {
    idle.push(buffer);
  }
}

/** Takes away some of the positions; `into` may be `from`. Returns how many are left. */
export function takeAway(
  from: Uint16Array,
  count: number,
  { taken, takenCount, into }: { readonly taken: Uint16Array; readonly takenCount: number; readonly into: Uint16Array },
): number {
  let left = 0;
  let next = 0;
  for (let at = 0; at < count; at++) {
    const position = from[at];
    if (next < takenCount && taken[next] === position) next++;
    else into[left++] = position;
  }
  return left;
}
