/** Numbers for keys of 64 bits, in the order in which they first come: 0, 1, 2 … */

const LEAST_SLOTS = 1024;
/** Words of a slot: both halves of the key, and its number from 1, which is 0 in a slot that is free. */
const [HIGH, NUMBER, WORDS] = [1, 2, 4];

/** A table of keys. Each is two halves of 32 bits, of which the low one is as good as random. */
export class KeyNumbers {
  #table = new Uint32Array(LEAST_SLOTS * WORDS);
  #size = 0;

  /** How many keys there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of a key; a key that is new has the number that was the size. */
  number(low: number, high: number): number {
    const table = this.#table;
    const last = table.length - 1;
    let at = low * WORDS & last;
    for (; table[at + NUMBER] !== 0; at = at + WORDS & last) {
      if (table[at] === low && table[at + HIGH] === high) return table[at + NUMBER] - 1;
    }
    table[at] = low;
    table[at + HIGH] = high;
    table[at + NUMBER] = ++this.#size;
    if (this.#size * 2 * WORDS > table.length) this.#grow();
    return this.#size - 1;
  }

  /** Forgets the keys, and keeps the memory for others. */
  clear(): void {
    this.#table.fill(0);
    this.#size = 0;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    const last = this.#table.length - 1;
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + NUMBER] === 0) continue;
      let at = old[from] * WORDS & last;
      while (this.#table[at + NUMBER] !== 0) at = at + WORDS & last;
      this.#table.set(old.subarray(from, from + WORDS), at);
    }
  }
}
