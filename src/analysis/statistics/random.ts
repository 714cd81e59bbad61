/** Seeded chance: the same numbers for the same seed, on every machine. */

/** Means beyond which a rounded normal distribution is drawn instead of Poisson's. */
const MANY = 400;

/** A source of numbers: sfc32 by Chris Doty-Humphrey (public domain). */
export class Random {
  #a: number;
  #b = 0x9e3779b9;
  #c = 0x85ebca6b;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    for (let turn = 0; turn < 16; turn++) this.uniform();
  }

  /** A number from 0 to below 1. */
  uniform(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21 | this.#c >>> 11) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  /** A number of the standard normal distribution. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A count of Poisson's distribution. */
  poisson(mean: number): number {
    if (mean > MANY) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    let left = this.uniform();
    let share = Math.exp(-mean);
    let drawn = 0;
    // Rounding may leave a rest that no share uses up.
    for (; left >= share && drawn < 2 * MANY; drawn++) {
      left -= share;
      share *= mean / (drawn + 1);
    }
    return drawn;
  }

  /** How many of `n` happen that each happen with this probability. */
  binomial(n: number, probability: number): number {
    if (probability > 0.5) return n - this.binomial(n, 1 - probability);
    const mean = n * probability;
    if (n === 0 || mean <= 0) return 0;
    if (mean > MANY) {
      return Math.min(n, Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - probability)) * this.normal())));
    }
    const odds = probability / (1 - probability);
    let left = this.uniform();
    let share = Math.exp(n * Math.log1p(-probability));
    let drawn = 0;
    for (; left >= share && drawn < n; drawn++) {
      left -= share;
      share *= odds * (n - drawn) / (drawn + 1);
    }
    return drawn;
  }
}
