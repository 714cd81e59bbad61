/** Sorting of whole numbers together with what belongs to them. */

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Arrays of one length that are put in order together. */
export type SortLanes = Uint32Array[];

/**
 * Sorts lanes by the first, equal ones as they stand; `spare` has as many lanes as long, and is overwritten.
 *
 * @returns The lanes in order: either `lanes` or `spare`.
 */
export function sortLanes(lanes: SortLanes, spare: SortLanes, count: number): SortLanes {
  let from = lanes;
  let to = spare;
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const keys = from[0];
    const next = new Uint32Array(DIGITS + 1);
    for (let at = 0; at < count; at++) next[(keys[at] >>> shift & (DIGITS - 1)) + 1]++;
    // All in one bucket: this digit changes nothing.
    if (next.includes(count)) continue;
    for (let digit = 0; digit < DIGITS; digit++) next[digit + 1] += next[digit];
    if (from.length === 3) scatterThree(from, to, count, shift, next);
    else scatterTwo(from, to, count, shift, next);
    [from, to] = [to, from];
  }
  return from;
}

function scatterTwo([a, b]: SortLanes, [x, y]: SortLanes, count: number, shift: number, next: Uint32Array): void {
  for (let at = 0; at < count; at++) {
    const to = next[a[at] >>> shift & (DIGITS - 1)]++;
    x[to] = a[at];
    y[to] = b[at];
  }
}

function scatterThree(
  [a, b, c]: SortLanes,
  [x, y, z]: SortLanes,
  count: number,
  shift: number,
  next: Uint32Array,
): void {
  for (let at = 0; at < count; at++) {
    const to = next[a[at] >>> shift & (DIGITS - 1)]++;
    x[to] = a[at];
    y[to] = b[at];
    z[to] = c[at];
  }
}
