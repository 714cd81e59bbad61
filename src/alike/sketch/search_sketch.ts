/**
 * Sketches for searching: a nested FracMinHash of canonical 21-mers, by a fast hash of our own.
 *
 * One of sixteen hashes is kept. A short sequence has a denser sketch, by powers of two, so that at least 128 hashes
 * remain where it has as many k-mers. A sparser sketch is the beginning of a denser one: two sequences are compared at
 * the sparser of their densities.
 *
 * A hash of 49 bits is kept as a _code_ of 46: a group of 0 to 78, and 39 bits within it. The groups from 64 on, which
 * sparse sketches never reach, are 64 times as wide as the others, and drop six bits.
 */
import { SEARCH_K, type SketchRoutines } from "./sketch_routines.ts";

export { SEARCH_K };

export const GROUP_CODES = 2 ** 39;
/** Groups of codes. */
export const GROUPS = 79;
/** The sparsest sketch keeps one of 2^4 hashes. */
export const LAST_SHIFT = 4;
/** Hashes that a sketch has at least, if the sequence has as many k-mers. */
const LEAST_HASHES = 128;
const HASH_BITS = 49;
/** The end of the codes of a sketch that keeps one of 2^shift hashes, by shift. */
const CODE_ENDS: readonly number[] = [79, 71, 67, 65, 64].map((groups) => groups * GROUP_CODES);

export interface SearchSketch {
  /** One of 2^shift hashes is kept. */
  readonly shift: number;
  /** Twice the code of each distinct hash, plus 1 where the k-mer's own strand is the canonical one; ascending. */
  readonly values: Float64Array;
  /** Hashes that are left at each shift from 0 to 4; of a denser sketch than this, all. */
  readonly sizes: readonly number[];
}

/** Sketches a sequence: as sparse as it can be. */
export function sketchForSearch(routines: SketchRoutines, sequence: Uint8Array): SearchSketch {
  for (let shift = LAST_SHIFT;; shift--) {
    const values = routines.search(sequence, HASH_BITS - shift);
    if (values.length >= LEAST_HASHES || shift === 0) return { shift, values, sizes: sizesOf(values) };
  }
}

function sizesOf(values: Float64Array): number[] {
  return CODE_ENDS.map((end) => {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[middle] < 2 * end) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
