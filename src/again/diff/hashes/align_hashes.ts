/**
 * Passes two versions side by side and leaves out the rows that are the same, as long as they come in nearly the same
 * order: what an export of a later day is.
 */
import { GatheredFile, HashReader } from "./hash_file.ts";
import { isKeyless, numbered, type RecordLayout, RowSet, type RowsOfBoth } from "./hash_record.ts";

/** Records of the other version among which a key is looked for. */
const AHEAD = 64;

/** Bits of memory for each row, at least, that find keys of several rows, and the most bits. */
const BITS_A_ROW = 16;
const MOST_BITS = 2 ** 29;

/** Two versions as files of records. */
export interface HashedVersions {
  /** Files of the records of the old and of the new version. */
  readonly files: readonly [string, string];
  /** Rows of both versions. */
  readonly rows: readonly [number, number];
  readonly layout: RecordLayout;
  /** So many of the first rows of the old version are looked at whatever they are, with their partners. */
  readonly sample: number;
  readonly signal?: AbortSignal;
}

export interface AlignHashesOptions extends HashedVersions {
  /** Whether a key may stand in several rows of the old and of the new version. */
  readonly mayRepeat: readonly [boolean, boolean];
  /** Files that take the records of open rows, with their numbers; they do not exist. */
  readonly open: readonly [string, string];
}

/** What became of the rows; those that are neither kept nor open are the same in both versions. */
export interface AlignedHashes {
  /** Rows that have to be looked at: they have no key, or differ from their partner. */
  readonly kept: RowsOfBoth;
  /** Number of the rows, by version, whose partner, if they have one, was not met. */
  readonly openRows: readonly [number, number];
  /** Records that are the same in both versions, with a key of their own. */
  readonly same: number;
}

/** Finds the rows that differ, and those whose partner has to be found by a join. */
export async function alignHashes(options: AlignHashesOptions): Promise<AlignedHashes> {
  const { files, layout, signal } = options;
  using walk = new Walk(options, await repeatedKeys(options));
  using old = new HashReader(files[0], layout, AHEAD);
  using now = new HashReader(files[1], layout, AHEAD);
  for (;;) {
    if (old.isLow) await old.fill(signal);
    if (now.isLow) await now.fill(signal);
    if (old.isOver && now.isOver) break;
    walk.pass(old, now);
  }
  return walk.result();
}

/** Sorts rows into those that are the same, differ, or are open. */
class Walk implements Disposable {
  readonly #layout: RecordLayout;
  readonly #sample: number;
  readonly #repeated: KeyBits | undefined;
  readonly #kept: readonly [RowSet, RowSet];
  readonly #open: readonly [GatheredFile, GatheredFile];
  /** A record with the number of its row. */
  readonly #record: Uint32Array;
  readonly #recordBytes: Uint8Array;
  readonly #openRows: [number, number] = [0, 0];
  #same = 0;

  constructor({ rows, layout, sample, open }: AlignHashesOptions, repeated: KeyBits | undefined) {
    this.#layout = layout;
    this.#sample = sample;
    this.#repeated = repeated;
    this.#record = new Uint32Array(numbered(layout).words);
    this.#recordBytes = new Uint8Array(this.#record.buffer);
    this.#kept = [new RowSet(rows[0]), new RowSet(rows[1])];
    this.#open = [new GatheredFile(open[0]), new GatheredFile(open[1])];
  }

  /** Passes rows until more of a version have to be read, or both are over. */
  pass(old: HashReader, now: HashReader): void {
    while (!old.isLow && !now.isLow) {
      if (old.isOver && now.isOver) return;
      if (old.isOver) this.#leave(now, 1);
      else if (now.isOver) this.#leave(old, 0);
      else if (this.#isApart(old)) this.#leave(old, 0);
      else if (this.#isApart(now)) this.#leave(now, 1);
      else if (this.#equal(old, old.at, now, now.at, this.#layout.keyWords)) this.#meet(old, now);
      else this.#seek(old, now);
    }
  }

  result(): AlignedHashes {
    for (const file of this.#open) file.flush();
    const [old, now] = this.#kept;
    return { kept: [old.bits, now.bits], openRows: this.#openRows, same: this.#same };
  }

  [Symbol.dispose](): void {
    for (const file of this.#open) file[Symbol.dispose]();
  }

  /** Whether a row has no key, or one that other rows may have. */
  #isApart({ words, at }: HashReader): boolean {
    return this.#repeated?.has(words, at) === true || isKeyless(words, at, this.#layout);
  }

  #leave(reader: HashReader, version: 0 | 1): void {
    if (isKeyless(reader.words, reader.at, this.#layout)) this.#kept[version].add(reader.row);
    else {
      this.#record.set(reader.words.subarray(reader.at, reader.at + this.#layout.words));
      this.#record[this.#layout.words] = reader.row;
      this.#open[version].append(this.#recordBytes);
      this.#openRows[version]++;
    }
    reader.next();
  }

  /** Passes two rows with the same key. */
  #meet(old: HashReader, now: HashReader): void {
    if (old.row >= this.#sample && this.#equal(old, old.at, now, now.at, this.#layout.comparedWords)) this.#same++;
    else {
      this.#kept[0].add(old.row);
      this.#kept[1].add(now.row);
    }
    old.next();
    now.next();
  }

  /** Passes rows up to the next that meet: what was added or removed is short. */
  #seek(old: HashReader, now: HashReader): void {
    const { words } = this.#layout;
    const [oldEnd, newEnd] = [Math.min(old.end, old.at + AHEAD * words), Math.min(now.end, now.at + AHEAD * words)];
    for (let ahead = words; old.at + ahead < oldEnd || now.at + ahead < newEnd; ahead += words) {
      if (now.at + ahead < newEnd && this.#equal(old, old.at, now, now.at + ahead, this.#layout.keyWords)) {
        for (let passed = 0; passed < ahead; passed += words) this.#leave(now, 1);
        return;
      }
      if (old.at + ahead < oldEnd && this.#equal(old, old.at + ahead, now, now.at, this.#layout.keyWords)) {
        for (let passed = 0; passed < ahead; passed += words) this.#leave(old, 0);
        return;
      }
    }
    this.#leave(old, 0);
    this.#leave(now, 1);
  }

  #equal({ words: a }: HashReader, atA: number, { words: b }: HashReader, atB: number, words: number): boolean {
    for (let word = 0; word < words; word++) if (a[atA + word] !== b[atB + word]) return false;
    return true;
  }
}

/** Keys by a few bits of their hashes: of two keys with the same bits both are there. */
class KeyBits {
  readonly #words: Uint32Array;
  readonly #mask: number;

  constructor(bits: number) {
    this.#words = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
  }

  has(words: Uint32Array, at: number): boolean {
    const bit = words[at] & this.#mask;
    return (this.#words[bit >>> 5] >>> (bit & 31) & 1) === 1;
  }

  add(words: Uint32Array, at: number): void {
    const bit = words[at] & this.#mask;
    this.#words[bit >>> 5] |= 1 << (bit & 31);
  }
}

/** Keys that several rows of a version have, among them some that only look alike; `undefined` where there are none. */
async function repeatedKeys(
  { files, rows, layout, mayRepeat, signal }: AlignHashesOptions,
): Promise<KeyBits | undefined> {
  if (!mayRepeat.includes(true)) return undefined;
  const bits = Math.min(MOST_BITS, 2 ** Math.ceil(Math.log2(BITS_A_ROW * Math.max(64, ...rows))));
  const repeated = new KeyBits(bits);
  for (const version of [0, 1]) {
    if (!mayRepeat[version]) continue;
    const seen = new KeyBits(bits);
    using reader = new HashReader(files[version], layout);
    for (; !reader.isOver; await reader.fill(signal)) {
      for (; reader.at < reader.end; reader.next()) {
        if (isKeyless(reader.words, reader.at, layout)) continue;
        if (seen.has(reader.words, reader.at)) repeated.add(reader.words, reader.at);
        else seen.add(reader.words, reader.at);
      }
    }
  }
  return repeated;
}
