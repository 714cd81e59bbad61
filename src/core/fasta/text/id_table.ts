/** Unique identifiers as bytes, in a hash table: texts are made only on demand. */
import { GrowingBytes } from "./growing.ts";
import { textsOf } from "./text_column.ts";

const encoder = new TextEncoder();

/** Identifiers in the order they came. */
export class IdTable {
  size = 0;
  readonly #bytes = new GrowingBytes(1 << 16);
  #ends = new Uint32Array(1 << 12);
  #hashes = new Int32Array(1 << 12);
  /** Numbers of identifiers plus one, or zero for a free slot; linear probing from the slot of the hash. */
  #slots = new Uint32Array(1 << 13);
  /** Odd and unforeseeable, so that no file can be made whose identifiers all fall on one slot. */
  readonly #factor = crypto.getRandomValues(new Uint32Array(1))[0] & ~7 | 5;
  #texts: readonly string[] | undefined;

  /** Adds the identifier that lies from `start` to `end`; false, and nothing is added, when it was there before. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    const hash = this.#hash(bytes, start, end);
    const slot = this.#find(hash, bytes, start, end);
    if (this.#slots[slot] !== 0) return false;
    const kept = this.#bytes;
    kept.reserve(end - start);
    // An identifier is short: a loop is quicker than a view and a copy of it.
    for (let at = start, out = kept.length; at < end; at++) kept.bytes[out++] = bytes[at];
    kept.length += end - start;
    if (this.size === this.#ends.length) this.#grow();
    this.#ends[this.size] = kept.length;
    this.#hashes[this.size] = hash;
    this.size += 1;
    if (this.size * 2 > this.#slots.length) this.#spread();
    else this.#slots[slot] = this.size;
    this.#texts = undefined;
    return true;
  }

  /** Which identifier a text is, counted from 0; -1 for none. */
  indexOf(id: string): number {
    const bytes = encoder.encode(id);
    const found = this.#slots[this.#find(this.#hash(bytes, 0, bytes.length), bytes, 0, bytes.length)] - 1;
    // What stands for bytes that are not UTF-8 is not what they are.
    return found < 0 && id.includes("\uFFFD") ? this.texts().indexOf(id) : found;
  }

  texts(): readonly string[] {
    const offsets = new Int32Array(this.size + 1);
    offsets.set(this.#ends.subarray(0, this.size), 1);
    return this.#texts ??= textsOf({ offsets, data: this.#bytes.view() });
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1];
  }

  #hash(bytes: Uint8Array, start: number, end: number): number {
    let hash = end - start;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], this.#factor) ^ hash >>> 15;
    return hash;
  }

  /** The slot of an identifier, or the free one where it would be. */
  #find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ hash >>> 16) & mask;
    for (;; slot = slot + 1 & mask) {
      const index = this.#slots[slot] - 1;
      if (index < 0 || this.#hashes[index] === hash && this.#is(index, bytes, start, end)) return slot;
    }
  }

  #is(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    let from = this.#start(index);
    if (this.#ends[index] - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#bytes.bytes[from++] !== bytes[at]) return false;
    return true;
  }

  #grow(): void {
    const ends = new Uint32Array(this.#ends.length * 2);
    ends.set(this.#ends);
    this.#ends = ends;
    const hashes = new Int32Array(ends.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.size; index++) {
      const hash = this.#hashes[index];
      let slot = (hash ^ hash >>> 16) & mask;
      while (this.#slots[slot] !== 0) slot = slot + 1 & mask;
      this.#slots[slot] = index + 1;
    }
  }
}
