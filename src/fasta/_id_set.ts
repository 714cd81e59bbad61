/** Finds identifiers that come twice, in bounded memory. */

/** How many identifiers other than accessions are remembered: a `Set` of V8 holds no more than 16.7 million. */
const MOST_TEXTS = 16_000_000;
/** How many accessions are remembered: 2 GiB at most. */
const MOST_NUMBERS = 128_000_000;
/** Digits of an accession, after two letters. */
const DIGITS = 12;

/** Remembers identifiers, as many as memory allows. */
export class IdSet {
  readonly #texts = new Set<string>();
  readonly #numbers = new NumberSet();
  #prefix: string | undefined;

  /** Whether there were too many to remember: duplicates may have gone unseen since. */
  get isOverfull(): boolean {
    return this.#texts.size >= MOST_TEXTS || this.#numbers.size >= MOST_NUMBERS;
  }

  /** Remembers an identifier; whether it had been seen before. */
  seen(id: string): boolean {
    const number = this.#numberOf(id);
    if (number >= 0) return this.#numbers.seen(number);
    const before = this.#texts.size;
    if (before >= MOST_TEXTS) return this.#texts.has(id);
    return this.#texts.add(id).size === before;
  }

  /** The number of an accession with the prefix of the first one; -1 for any other id. */
  #numberOf(id: string): number {
    if (id.length !== DIGITS + 2) return -1;
    let number = 0;
    for (let at = 2; at < id.length; at++) {
      const digit = id.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    this.#prefix ??= id.slice(0, 2);
    return id.startsWith(this.#prefix) ? number : -1;
  }
}

/** A set of whole numbers: an eighth of the memory of texts, and quicker. */
class NumberSet {
  size = 0;
  /** Number plus one, or zero where there is none; a number is at its place or, where that is taken, soon after. */
  #slots = new Float64Array(1 << 10);
  /** Odd and unforeseeable, so that no file can be made whose numbers all fall on one place. */
  readonly #factor = crypto.getRandomValues(new Uint32Array(1))[0] | 1;

  seen(number: number): boolean {
    const place = this.#find(number);
    if (this.#slots[place] !== 0) return true;
    if (this.size >= MOST_NUMBERS) return false;
    this.#slots[place] = number + 1;
    this.size += 1;
    if (this.size * 2 > this.#slots.length) this.#grow();
    return false;
  }

  #find(number: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(number % 0x1_0000_0000 ^ Math.floor(number / 0x1_0000_0000) * 0x9e37, this.#factor);
    let place = (mixed ^ mixed >>> 15) & mask;
    while (this.#slots[place] !== 0 && this.#slots[place] !== number + 1) place = place + 1 & mask;
    return place;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const slot of old) if (slot !== 0) this.#slots[this.#find(slot - 1)] = slot;
  }
}
