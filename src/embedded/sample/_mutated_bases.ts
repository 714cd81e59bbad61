/** Bases with substitutions, insertions and deletions, and how many are still the ones they were. */
import type { Prng } from "./_prng.ts";

export interface MutatedBases {
  readonly bases: Uint8Array<ArrayBuffer>;
  /** Number of bases that equal the original's at their position. */
  readonly equal: number;
  /** The same of a stretch. */
  equalWithin(from: number, to: number): number;
}

/** Of 100 changed bases so many are inserted or deleted; the others are substituted. */
const INDEL_PERCENT = 5;
/** Bases of an insertion or deletion at most; most are short. */
const LONGEST_INDEL = 12;
const LETTERS = new TextEncoder().encode("ACGT");

/** Changes a share of the bases, which are A, C, G and T. */
export function mutateBases(original: Uint8Array, share: number, prng: Prng): MutatedBases {
  const changed = Math.round(original.length * share);
  const substituted = original.slice();
  const isEqual = new Uint8Array(original.length).fill(1);
  for (let left = changed - Math.floor(changed * INDEL_PERCENT / 100); left > 0;) {
    const at = prng.below(original.length);
    // Each position is substituted once, so that the share is exact.
    if (isEqual[at] === 0) continue;
    substituted[at] = LETTERS[(LETTERS.indexOf(original[at]) + prng.between(1, 3)) % 4];
    isEqual[at] = 0;
    left -= 1;
  }
  const indels = planIndels(original.length, Math.floor(changed * INDEL_PERCENT / 100), prng);
  const size = indels.reduce((sum, { bases }) => sum + Math.max(0, bases), original.length);
  const bases = new Uint8Array(size);
  const kept = new Uint8Array(size);
  let [from, to] = [0, 0];
  for (const { at, bases: length } of indels) {
    const end = Math.max(from, at);
    bases.set(substituted.subarray(from, end), to);
    kept.set(isEqual.subarray(from, end), to);
    to += end - from;
    from = end;
    for (let i = 0; i < length; i++) bases[to++] = LETTERS[prng.word() & 3];
    if (length < 0) from = Math.min(original.length, end - length);
  }
  bases.set(substituted.subarray(from), to);
  kept.set(isEqual.subarray(from), to);
  to += original.length - from;
  const equalWithin = (first: number, last: number) => {
    let count = 0;
    for (let i = first; i < last; i++) count += kept[i];
    return count;
  };
  return { bases: bases.slice(0, to), equal: equalWithin(0, to), equalWithin };
}

/** An insertion of so many bases, or a deletion where they are negative. */
interface Indel {
  readonly at: number;
  readonly bases: number;
}

function planIndels(length: number, changed: number, prng: Prng): Indel[] {
  const indels: Indel[] = [];
  for (let left = changed; left > 0;) {
    const bases = 1 + prng.skewed(Math.min(LONGEST_INDEL, left));
    indels.push({ at: prng.below(length), bases: prng.percent(50) ? bases : -bases });
    left -= bases;
  }
  return indels.sort((a, b) => a.at - b.at);
}
