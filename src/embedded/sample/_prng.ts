/**
 * Seeded chance that is the same on every machine: 32-bit integers only, no floating point functions.
 *
 * The generator is sfc32 by Chris Doty-Humphrey (public domain), started from a seed, a stream and an index, so that
 * any record's values can be made without making those before it.
 */

/** What a sequence of numbers is for; streams do not influence each other. */
export const STREAM = {
  taxa: 1,
  plan: 2,
  kinds: 3,
  ancestor: 4,
  lineage: 5,
  genome: 6,
  isolate: 7,
  row: 8,
  family: 9,
  member: 10,
} as const;

export class Prng {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  /** Starts at the state that three numbers determine. */
  constructor(seed: number, stream: number, index = 0) {
    this.restart(seed, stream, index);
  }

  /** Starts again at another state, without a new object. */
  restart(seed: number, stream: number, index: number): void {
    this.#a = mix(seed);
    this.#b = mix(stream + 0x9e3779b9);
    this.#c = mix(index ^ 0x85ebca6b);
    this.#counter = 1;
    for (let turn = 0; turn < 12; turn++) this.word();
  }

  /** The next 32 bits, as a whole number from 0. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21 | this.#c >>> 11) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number from 0 to below `bound`, which is at most 2^20. */
  below(bound: number): number {
    return Math.floor(this.word() / 4294967296 * bound);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Whether a thing happens that happens `percent` times in a hundred. */
  percent(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(things: readonly T[]): T {
    return things[this.below(things.length)];
  }

  /** A whole number from 0 to below `bound`, small ones more often than great ones. */
  skewed(bound: number): number {
    return Math.min(this.below(bound), this.below(bound), this.below(bound));
  }
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) | 0;
}
