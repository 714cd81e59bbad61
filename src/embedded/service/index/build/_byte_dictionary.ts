/** Numbers texts, in the order in which they come: a hash table over bytes, which no collector has to walk. */
import { Buffer } from "node:buffer";

export class ByteDictionary {
  size = 0;
  #slots = new Int32Array(64).fill(-1);
  #hashes = new Uint32Array(32);
  #starts = new Uint32Array(33);
  #bytes = new Uint8Array(1024);

  get bytes(): number {
    return this.#starts[this.size];
  }

  /** Returns the number of a text, a new one when it is new. */
  codeOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);
    hash = (hash ^ hash >>> 13) >>> 0;
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = to - from;
    for (let slot = hash & mask;; slot = (slot + 1) & mask) {
      const code = slots[slot];
      if (code < 0) return this.#add(slot, hash, bytes, from, to);
      if (this.#hashes[code] !== hash) continue;
      const start = this.#starts[code];
      if (this.#starts[code + 1] - start !== length) continue;
      const own = this.#bytes;
      let at = 0;
      while (at < length && own[start + at] === bytes[from + at]) at++;
      if (at === length) return code;
    }
  }

  /** Returns the bytes of a text. */
  bytesOf(code: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[code], this.#starts[code + 1]);
  }

  /** Returns all texts by number. */
  values(): string[] {
    const bytes = Buffer.from(this.#bytes.buffer, 0, this.#starts[this.size]);
    return Array.from({ length: this.size }, (_, at) => bytes.toString("utf8", this.#starts[at], this.#starts[at + 1]));
  }

  #add(slot: number, hash: number, bytes: Uint8Array, from: number, to: number): number {
    const code = this.size++;
    const start = this.#starts[code];
    const end = start + to - from;
    if (code + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts, new Uint32Array(code * 2 + 2));
      this.#hashes = grown(this.#hashes, new Uint32Array(code * 2 + 2));
    }
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, new Uint8Array(end * 2));
    this.#bytes.set(bytes.subarray(from, to), start);
    this.#starts[code + 1] = end;
    this.#hashes[code] = hash;
    this.#slots[slot] = code;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let code = 0; code < this.size; code++) {
      let slot = this.#hashes[code] & mask;
      while (slots[slot] >= 0) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.#slots = slots;
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
