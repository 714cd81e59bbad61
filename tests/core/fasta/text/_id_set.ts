/** Finds identifiers that come twice: the reference of the compiled sieve. */
import { GrowingBytes } from "../../../../src/core/fasta/text/growing.ts";
import type { IdLimits } from "../../../../src/core/fasta/text/id_limits.ts";

/**
 * Remembers identifiers, as many as memory allows.
 *
 * They come as bytes with their hash, and lie end to end: a third of the memory of a `Set` of strings, which V8 fills
 * at 16.7 million, and no text is made of each.
 */
export class IdSet {
  readonly #limits: IdLimits;
  readonly #bytes = new GrowingBytes(1 << 12);
  /** Where id `i` begins; one more than there are ids. */
  #starts = new Int32Array(1 << 8);
  #hashes = new Int32Array(1 << 8);
  /** Number of an id plus one, or zero for a free slot; linear probing from the slot of its hash. */
  #slots = new Int32Array(1 << 9);
  #size = 0;

  constructor(limits: IdLimits) {
    this.#limits = limits;
  }

  /** Whether there were too many to remember: duplicates may have gone unseen since. */
  get isOverfull(): boolean {
    return this.#size >= this.#limits.mostIds || this.#bytes.length >= this.#limits.mostBytes;
  }

  /**
   * Remembers the id from `start` up to, not with, `end`; whether it had been seen before. Equal ids have equal hashes.
   */
  seen(hash: number, bytes: Uint8Array, start: number, end: number): boolean {
    const mask = this.#slots.length - 1;
    let place = hash & mask;
    for (; this.#slots[place] !== 0; place = place + 1 & mask) {
      if (this.#isId(this.#slots[place] - 1, hash, bytes, start, end)) return true;
    }
    if (!this.isOverfull) this.#add(place, hash, bytes, start, end);
    return false;
  }

  #isId(id: number, hash: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#hashes[id] !== hash) return false;
    const begin = this.#starts[id];
    if (this.#starts[id + 1] - begin !== end - start) return false;
    const known = this.#bytes.bytes;
    for (let at = start; at < end; at++) if (known[begin + at - start] !== bytes[at]) return false;
    return true;
  }

  #add(place: number, hash: number, bytes: Uint8Array, start: number, end: number): void {
    this.#slots[place] = this.#size + 1;
    this.#hashes[this.#size] = hash;
    this.#bytes.reserve(end - start);
    const kept = this.#bytes.bytes;
    let out = this.#bytes.length;
    // An id is short: a loop is quicker than a view and a copy of it.
    for (let at = start; at < end; at++) kept[out++] = bytes[at];
    this.#bytes.length = out;
    this.#size += 1;
    this.#starts[this.#size] = out;
    if (this.#size + 1 === this.#starts.length) this.#grow();
  }

  #grow(): void {
    this.#starts = doubled(this.#starts);
    this.#hashes = doubled(this.#hashes);
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let place = this.#hashes[id] & mask;
      while (this.#slots[place] !== 0) place = place + 1 & mask;
      this.#slots[place] = id + 1;
    }
  }
}

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
