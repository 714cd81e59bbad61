/** Joins the hashes of two versions, a part of all keys at a time, to find the rows that have to be looked at. */
import { readHashes } from "./_hash_file.ts";
import { RECORD_WORDS } from "./_row_hasher.ts";

/** Keys of one version that one thread holds in memory at a time, about. */
const KEYS_AT_ONCE = 1_000_000;

/** Words of a record that are compared: those of its key, then those of its row. */
const KEY_WORDS = 4;
const HASH_WORDS = 8;

/** What is joined. */
export interface JoinHashesOptions {
  /** Files of the records of the old and of the new version, and how many they hold. */
  readonly files: readonly [string, string];
  readonly rows: readonly [number, number];
  /** So many of the first rows of the old version are looked at whatever they are, with their partners. */
  readonly sample: number;
  /** Number of this thread, from 0, among those that share the work; by default there is one. */
  readonly thread?: number;
  readonly threads?: number;
  /** Keys that are held in memory at a time; tests choose fewer. */
  readonly keysAtOnce?: number;
  readonly signal?: AbortSignal;
}

/** The rows of each version that have to be looked at, and how many need not be. */
export interface JoinedHashes {
  /** Bits of a {@linkcode RowSet}. */
  readonly kept: readonly [Uint8Array, Uint8Array];
  /** Records that are the same in both versions, with a key of their own. */
  readonly same: number;
}

/** Numbers of rows, from 0. */
export class RowSet {
  readonly #bits: Uint8Array;

  constructor(rows: number | Uint8Array) {
    this.#bits = typeof rows === "number" ? new Uint8Array((rows >> 3) + 1) : rows;
  }

  /** A bit a row. */
  get bits(): Uint8Array {
    return this.#bits;
  }

  add(row: number): void {
    this.#bits[Math.floor(row / 8)] |= 1 << row % 8;
  }

  /** Adds the rows of another set. */
  addAll(bits: Uint8Array): void {
    for (let at = 0; at < bits.length; at++) this.#bits[at] |= bits[at];
  }

  has(row: number): boolean {
    return (this.#bits[Math.floor(row / 8)] >> row % 8 & 1) === 1;
  }
}

/**
 * Finds the rows without a key, with a key that another row of the version has, and those without an equal partner.
 * Several threads find a part of them each.
 */
export async function joinHashes(options: JoinHashesOptions): Promise<JoinedHashes> {
  const { files, rows, sample, thread = 0, threads = 1, keysAtOnce = KEYS_AT_ONCE, signal } = options;
  const kept = [new RowSet(rows[0]), new RowSet(rows[1])] as const;
  const parts = Math.max(threads, Math.ceil(Math.max(...rows) / keysAtOnce));
  let same = 0;
  for (let part = thread; part < parts; part += threads) {
    const table = new KeyTable(Math.ceil(rows[0] / parts), kept);
    for (const version of [0, 1]) {
      let row = 0;
      for await (const words of readHashes(files[version], signal)) {
        table.look(words);
        for (let at = 0; at < words.length; at += RECORD_WORDS, row++) {
          if (parts > 1 && words[at] % parts !== part) continue;
          if (version === 0) table.addOld(at, row);
          else table.matchNew(at, row);
        }
      }
    }
    same += table.close(sample);
  }
  return { kept: [kept[0].bits, kept[1].bits], same };
}

/** No row. */
const NONE = -1;
/** A key that several rows have, or whose rows differ. */
const SUSPECT = -2;

/** The keys of a part of the old version, each once, with the row of the new version that is equal. */
class KeyTable {
  readonly #kept: readonly [RowSet, RowSet];
  #words: Uint32Array = new Uint32Array(0);
  #hashes: Uint32Array;
  #rows: Float64Array;
  #partners: Float64Array;
  #slots: Int32Array;
  #size = 0;

  constructor(expected: number, kept: readonly [RowSet, RowSet]) {
    const capacity = Math.max(1024, Math.ceil(expected * 1.1));
    this.#kept = kept;
    this.#hashes = new Uint32Array(capacity * HASH_WORDS);
    this.#rows = new Float64Array(capacity);
    this.#partners = new Float64Array(capacity);
    this.#slots = newSlots(capacity);
  }

  /** Takes the records that are looked at next. */
  look(words: Uint32Array): void {
    this.#words = words;
  }

  /** Adds a row of the old version by the offset of its record. */
  addOld(at: number, row: number): void {
    const found = this.#isKeyless(at) ? NONE : this.#find(at);
    if (found !== NONE) this.#partners[found] = SUSPECT;
    if (found !== NONE || this.#isKeyless(at)) return this.#kept[0].add(row);
    if (this.#size === this.#rows.length) this.#grow();
    const entry = this.#size++;
    const base = entry * HASH_WORDS;
    for (let word = 0; word < HASH_WORDS; word++) this.#hashes[base + word] = this.#words[at + word];
    this.#rows[entry] = row;
    this.#partners[entry] = NONE;
    this.#put(entry);
  }

  /** Notes a row of the new version by the offset of its record. */
  matchNew(at: number, row: number): void {
    const entry = this.#isKeyless(at) ? NONE : this.#find(at);
    if (entry === NONE) return this.#kept[1].add(row);
    const partner = this.#partners[entry];
    if (partner === NONE && this.#hasRow(entry, at)) {
      this.#partners[entry] = row;
      return;
    }
    if (partner >= 0) this.#kept[1].add(partner);
    this.#kept[1].add(row);
    this.#partners[entry] = SUSPECT;
  }

  /** Keeps the rows of the entries without an equal partner, and the first ones. @returns How many are not kept. */
  close(sample: number): number {
    let same = 0;
    for (let entry = 0; entry < this.#size; entry++) {
      const [row, partner] = [this.#rows[entry], this.#partners[entry]];
      if (partner >= 0 && row >= sample) {
        same++;
        continue;
      }
      this.#kept[0].add(row);
      if (partner >= 0) this.#kept[1].add(partner);
    }
    return same;
  }

  #isKeyless(at: number): boolean {
    const words = this.#words;
    return (words[at] | words[at + 1] | words[at + 2] | words[at + 3]) === 0;
  }

  /** The entry of the key of a record. */
  #find(at: number): number {
    const [words, hashes, slots] = [this.#words, this.#hashes, this.#slots];
    const mask = slots.length - 1;
    for (let slot = words[at + 1] & mask;; slot = slot + 1 & mask) {
      const entry = slots[slot] - 1;
      if (entry === NONE) return NONE;
      const base = entry * HASH_WORDS;
      if (
        hashes[base + 1] === words[at + 1] && hashes[base] === words[at] && hashes[base + 2] === words[at + 2] &&
        hashes[base + 3] === words[at + 3]
      ) return entry;
    }
  }

  /** Whether a record has the same row as an entry. */
  #hasRow(entry: number, at: number): boolean {
    const base = entry * HASH_WORDS;
    for (let word = KEY_WORDS; word < HASH_WORDS; word++) {
      if (this.#hashes[base + word] !== this.#words[at + word]) return false;
    }
    return true;
  }

  #put(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[entry * HASH_WORDS + 1] & mask;
    while (this.#slots[slot] !== 0) slot = slot + 1 & mask;
    this.#slots[slot] = entry + 1;
  }

  #grow(): void {
    const capacity = this.#rows.length * 2;
    this.#hashes = extended(this.#hashes, new Uint32Array(capacity * HASH_WORDS));
    this.#rows = extended(this.#rows, new Float64Array(capacity));
    this.#partners = extended(this.#partners, new Float64Array(capacity));
    this.#slots = newSlots(capacity);
    for (let entry = 0; entry < this.#size; entry++) this.#put(entry);
  }
}

/** A table of slots, at most half of which are used. */
function newSlots(capacity: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(2 * capacity)));
}

function extended<Values extends Uint32Array | Float64Array>(values: Values, into: Values): Values {
  into.set(values);
  return into;
}
