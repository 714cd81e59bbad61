/** An index as columns of numbers: read, written and searched without an object for each of its lines. */
import { endOf, type FastaIndexEntry, type SequencePlace } from "./fasta_index_entry.ts";
import { IdTable } from "./_id_table.ts";
import { LF, TAB } from "./_letters.ts";

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
    if (!this.#ids.add(bytes, start, end)) return false;
    this.#addPlace(place.length, place.offset, place.lineLetters, place.lineBytes);
    return true;
  }

  /** Adds a sequence that a kernel has found: of `records` that at `index`; the input begins at `position` of the file. */
  addFound(input: Uint8Array, position: number, records: Uint32Array, index: number): boolean {
    // The hash of a table is signed, the numbers of a kernel are not.
    const hash = records[index + 7] | 0;
    if (!this.#ids.addHashed(hash, input, records[index], records[index + 1])) return false;
    this.#addPlace(records[index + 3], position + records[index + 2], records[index + 4], records[index + 5]);
    return true;
  }

  /** Factor of the hashes that a kernel makes of ids. */
  get hashFactor(): number {
    return this.#ids.hashFactor;
  }

  #addPlace(length: number, offset: number, lineLetters: number, lineBytes: number): void {
    const row = this.size - 1;
    if ((row + 1) * NUMBERS > this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[row * NUMBERS] = length;
    this.#numbers[row * NUMBERS + 1] = offset;
    this.#numbers[row * NUMBERS + 2] = lineLetters;
    this.#numbers[row * NUMBERS + 3] = lineBytes;
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
