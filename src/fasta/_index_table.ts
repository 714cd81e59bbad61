/** An index as columns of numbers: read, written and searched without an object for each of its lines. */
import { endOf, type FastaIndexEntry, type SequencePlace } from "./fasta_index_entry.ts";
import { IdTable } from "./_id_table.ts";
import { LF, TAB } from "./_letters.ts";
import { RECORD_NUMBERS } from "./_line_kernel.ts";

const ZERO = 0x30;
/** Whole numbers of more digits are not exact. */
const MAX_DIGITS = 15;
/** Length, offset, letters of a line, bytes of a line. */
const NUMBERS = 4;

/** Where sequences lie, in the order of the file. */
export class IndexTable {
  readonly #ids = new IdTable();
  #numbers = new Float64Array(NUMBERS << 12);

  /** How many sequences. */
  get size(): number {
    return this.#ids.size;
  }

  /** Adds a sequence whose id lies in `bytes`; false, and nothing is added, when its id came before. */
  add(bytes: Uint8Array, start: number, end: number, place: SequencePlace): boolean {
    this.#reserve(1);
    const out = this.size * NUMBERS;
    if (!this.#ids.add(bytes, start, end)) return false;
    this.#numbers[out] = place.length;
    this.#numbers[out + 1] = place.offset;
    this.#numbers[out + 2] = place.lineLetters;
    this.#numbers[out + 3] = place.lineBytes;
    return true;
  }

  /**
   * Adds sequences that a kernel has found in its input, which begins at `position` of the file.
   *
   * @returns Numbers of those whose id came before: they are not added.
   */
  addFound(input: Uint8Array, position: number, records: Uint32Array): number[] {
    const count = records.length / RECORD_NUMBERS;
    this.#reserve(count);
    const repeated: number[] = [];
    const numbers = this.#numbers;
    let out = this.size * NUMBERS;
    for (let row = 0, at = 0; row < count; row++, at += RECORD_NUMBERS) {
      // The hash of a table is signed, the numbers of a kernel are not.
      if (!this.#ids.addHashed(records[at + 7] | 0, input, records[at], records[at + 1])) {
        repeated.push(row);
        continue;
      }
      numbers[out] = records[at + 3];
      numbers[out + 1] = position + records[at + 2];
      numbers[out + 2] = records[at + 4];
      numbers[out + 3] = records[at + 5];
      out += NUMBERS;
    }
    return repeated;
  }

  /** Factor of the hashes that a kernel makes of ids. */
  get hashFactor(): number {
    return this.#ids.hashFactor;
  }

  #reserve(count: number): void {
    const needed = (this.size + count) * NUMBERS;
    if (needed <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(needed, this.#numbers.length * 2));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /** Whether there is a sequence of that id. */
  has(id: string): boolean {
    return this.#ids.indexOf(id) >= 0;
  }

  /** Finds a sequence. */
  get(id: string): FastaIndexEntry | undefined {
    const row = this.#ids.indexOf(id);
    return row < 0 ? undefined : this.#entry(id, row);
  }

  /** Every sequence. */
  entries(): FastaIndexEntry[] {
    return this.#ids.texts().map((id, row) => this.#entry(id, row));
  }

  /** Writes the index as samtools does. */
  format(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#ids.bytes + this.size * (NUMBERS * (MAX_DIGITS + 2) + 1));
    const numbers = this.#numbers;
    let at = 0;
    /** Where the end of the last line begins and ends: lines are mostly alike, and then it is copied. */
    let tail = 0;
    let tailEnd = 0;
    for (let row = 0, place = 0; row < this.size; row++, place += NUMBERS) {
      at = this.#ids.write(row, bytes, at);
      bytes[at++] = TAB;
      at = writeNumber(numbers[place], bytes, at);
      bytes[at++] = TAB;
      at = writeNumber(numbers[place + 1], bytes, at);
      const begin = at;
      if (row > 0 && numbers[place + 2] === numbers[place - 2] && numbers[place + 3] === numbers[place - 1]) {
        for (let from = tail; from < tailEnd; from++) bytes[at++] = bytes[from];
      } else {
        bytes[at++] = TAB;
        at = writeNumber(numbers[place + 2], bytes, at);
        bytes[at++] = TAB;
        at = writeNumber(numbers[place + 3], bytes, at);
        bytes[at++] = LF;
      }
      tail = begin;
      tailEnd = at;
    }
    return bytes.slice(0, at);
  }

  #entry(id: string, row: number): FastaIndexEntry {
    const [length, offset, lineLetters, lineBytes] = this.#numbers.subarray(row * NUMBERS, (row + 1) * NUMBERS);
    return { id, length, offset, lineLetters, lineBytes };
  }
}

/**
 * Reads an index. An index tells where to read, and anyone may have written it: an entry that cannot be true makes all of
 * it worthless.
 *
 * @param bytes Content of a `.fai` file.
 * @param maxBytes Length of the uncompressed text it belongs to: no sequence may end behind it.
 * @returns The index, of several sequences with one id the first; `undefined` if it is none, or not one of that file.
 */
export function parseIndex(bytes: Uint8Array, maxBytes: number): IndexTable | undefined {
  const table = new IndexTable();
  const reader = new NumberReader(bytes);
  while (reader.at < bytes.length) {
    const start = reader.at;
    let tab = start;
    while (bytes[tab] !== TAB) if (tab === bytes.length || bytes[tab++] === LF) return undefined;
    reader.at = tab + 1;
    const length = reader.read(TAB);
    const offset = reader.read(TAB);
    const lineLetters = reader.read(TAB);
    const lineBytes = reader.read(LF);
    const place = { length, offset, lineLetters, lineBytes };
    // A number that is none is NaN, and every comparison with it is false.
    if (!(lineLetters >= 1 && lineBytes >= lineLetters && endOf(place) <= maxBytes)) return undefined;
    table.add(bytes, start, tab, place);
  }
  return table;
}

/** The numbers of one line of an index that is known to be one, from behind its id on. */
export function placeIn(bytes: Uint8Array, at: number): SequencePlace {
  const reader = new NumberReader(bytes, at);
  const length = reader.read(TAB);
  const offset = reader.read(TAB);
  const lineLetters = reader.read(TAB);
  return { length, offset, lineLetters, lineBytes: reader.read(LF) };
}

/** Reads whole numbers, each with what ends it. */
class NumberReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The number; NaN when there is none, or it does not end as it should. */
  read(end: number): number {
    const start = this.at;
    let number = 0;
    for (;; this.at++) {
      const digit = this.#bytes[this.at] - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
    }
    const digits = this.at - start;
    const isNumber = digits >= 1 && digits <= MAX_DIGITS && this.#bytes[this.at] === end;
    this.at += 1;
    return isNumber ? number : NaN;
  }
}

/** Writes a whole number that is not negative; where it ends. */
function writeNumber(number: number, bytes: Uint8Array, at: number): number {
  let end = at + 1;
  for (let bound = 10; bound <= number; bound *= 10) end += 1;
  let rest = number;
  // Division of numbers beyond 32 bits is slow, and most are not.
  for (let place = end - 1; place >= at; place--) {
    const tens = rest < 0x7fff_ffff ? (rest / 10) | 0 : Math.floor(rest / 10);
    bytes[place] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return end;
}
