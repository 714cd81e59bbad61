/** Joins open rows of two versions, a part of the keys at a time, to find those that have to be looked at. */
import type { HashedVersions } from "./align_hashes.ts";
import { HashReader } from "./hash_file.ts";
import { numbered, type RecordLayout, RowSet, type RowsOfBoth } from "./hash_record.ts";

/** Keys of one version that one thread holds in memory at a time, about. */
const KEYS_AT_ONCE = 1_000_000;

/** What is joined; the files are those of rows with keys, each with its number. */
export interface JoinHashesOptions extends HashedVersions {
  /** Number of the old rows that are joined. */
  readonly openRows: number;
  /** Number of this thread, from 0, among those that share the work; by default there is one. */
  readonly thread?: number;
  readonly threads?: number;
  /** Keys that are held in memory at a time; tests choose fewer. */
  readonly keysAtOnce?: number;
}

/** The rows of each version that have to be looked at, and how many need not be. */
export interface JoinedHashes {
  readonly kept: RowsOfBoth;
  /** Records that are the same in both versions, with a key of their own. */
  readonly same: number;
}

/**
 * Finds the rows with a key that another row of the version has, and those without an equal partner. Several threads
 * find a part of them each.
 */
export async function joinHashes(options: JoinHashesOptions): Promise<JoinedHashes> {
  const { files, rows, layout, openRows, sample, signal } = options;
  const { thread = 0, threads = 1, keysAtOnce = KEYS_AT_ONCE } = options;
  const kept = [new RowSet(rows[0]), new RowSet(rows[1])] as const;
  const open = numbered(layout);
  const parts = Math.max(threads, Math.ceil(openRows / keysAtOnce));
  let same = 0;
  for (let part = thread; part < parts; part += threads) {
    const table = new KeyTable(Math.ceil(openRows / parts), layout, kept);
    for (const version of [0, 1]) {
      using reader = new HashReader(files[version], open);
      table.look(reader.words);
      for (; !reader.isOver; await reader.fill(signal)) {
        for (; reader.at < reader.end; reader.next()) {
          const { words, at } = reader;
          if (parts > 1 && words[at] % parts !== part) continue;
          const row = words[at + layout.words];
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
  readonly #layout: RecordLayout;
  readonly #kept: readonly [RowSet, RowSet];
  #words: Uint32Array = new Uint32Array(0);
  #hashes: Uint32Array;
  #rows: Float64Array;
  #partners: Float64Array;
  #slots: Int32Array;
  #size = 0;

  constructor(expected: number, layout: RecordLayout, kept: readonly [RowSet, RowSet]) {
    const capacity = Math.max(1024, Math.ceil(expected * 1.1));
    this.#layout = layout;
    this.#kept = kept;
    this.#hashes = new Uint32Array(capacity * layout.comparedWords);
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
    const found = this.#find(at);
    if (found !== NONE) {
      this.#partners[found] = SUSPECT;
      return this.#kept[0].add(row);
    }
    if (this.#size === this.#rows.length) this.#grow();
    const entry = this.#size++;
    const words = this.#layout.comparedWords;
    for (let word = 0; word < words; word++) this.#hashes[entry * words + word] = this.#words[at + word];
    this.#rows[entry] = row;
    this.#partners[entry] = NONE;
    this.#put(entry);
  }

  /** Notes a row of the new version by the offset of its record. */
  matchNew(at: number, row: number): void {
    const entry = this.#find(at);
    if (entry === NONE) return this.#kept[1].add(row);
    const partner = this.#partners[entry];
    if (partner === NONE && this.#isEqual(entry, at, this.#layout.comparedWords)) {
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

  /** The entry of the key of a record. */
  #find(at: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = this.#words[at + 1] & mask;; slot = slot + 1 & mask) {
      const entry = slots[slot] - 1;
      if (entry === NONE || this.#isEqual(entry, at, this.#layout.keyWords)) return entry;
    }
  }

  /** Whether a record has the first words of an entry. */
  #isEqual(entry: number, at: number, words: number): boolean {
    const base = entry * this.#layout.comparedWords;
    for (let word = 0; word < words; word++) {
      if (this.#hashes[base + word] !== this.#words[at + word]) return false;
    }
    return true;
  }

  #put(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[entry * this.#layout.comparedWords + 1] & mask;
    while (this.#slots[slot] !== 0) slot = slot + 1 & mask;
    this.#slots[slot] = entry + 1;
  }

  #grow(): void {
    const capacity = this.#rows.length * 2;
    this.#hashes = extended(this.#hashes, new Uint32Array(capacity * this.#layout.comparedWords));
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
