/** An index as columns of numbers: read and searched without an object for each of its lines. */
import { endOf, type FastaIndexEntry, type SequenceExtent } from "./fasta_index_entry.ts";
import { IdTable } from "../text/id_table.ts";
import { LF, TAB } from "../text/bases.ts";

const ZERO = 0x30;
/** Whole numbers of more digits are not exact. */
const MAX_DIGITS = 15;
/** Length, offset, bases of a line, bytes of a line. */
const NUMBERS = 4;

/** Where sequences lie, in the order of the file. */
export class IndexTable {
  readonly #ids = new IdTable();
  #numbers = new Float64Array(NUMBERS << 12);

  get size(): number {
    return this.#ids.size;
  }

  /** Adds a sequence whose id lies in `bytes`; false, and nothing is added, when its id came before. */
  add(bytes: Uint8Array, start: number, end: number, extent: SequenceExtent): boolean {
    const out = this.size * NUMBERS;
    if (!this.#ids.add(bytes, start, end)) return false;
    if (out === this.#numbers.length) {
      const larger = new Float64Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[out] = extent.length;
    this.#numbers[out + 1] = extent.offset;
    this.#numbers[out + 2] = extent.lineLetters;
    this.#numbers[out + 3] = extent.lineBytes;
    return true;
  }

  has(id: string): boolean {
    return this.#ids.indexOf(id) >= 0;
  }

  get(id: string): FastaIndexEntry | undefined {
    const row = this.#ids.indexOf(id);
    return row < 0 ? undefined : this.#entry(id, row);
  }

  last(): SequenceExtent | undefined {
    return this.size === 0 ? undefined : this.#extent(this.size - 1);
  }

  entries(): FastaIndexEntry[] {
    return this.#ids.texts().map((id, row) => this.#entry(id, row));
  }

  #entry(id: string, row: number): FastaIndexEntry {
    return { id, ...this.#extent(row) };
  }

  #extent(row: number): SequenceExtent {
    const [length, offset, lineBases, lineBytes] = this.#numbers.subarray(row * NUMBERS, (row + 1) * NUMBERS);
    return { length, offset, lineLetters: lineBases, lineBytes };
  }
}

/**
 * Reads an index. An index tells where to read, and anyone may have written it: an entry that cannot be true makes all
 * of it worthless.
 *
 * @param bytes Content of a `.fai` file.
 * @param maxBytes Length of the uncompressed text it belongs to: no sequence may end behind it.
 * @returns The index, with the first of several sequences with one id; `undefined` if it is invalid, or of another
 * file.
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
    const lineBases = reader.read(TAB);
    const lineBytes = reader.read(LF);
    const extent = { length, offset, lineLetters: lineBases, lineBytes };
    // An invalid number is NaN, and every comparison with it is false.
    if (!(lineBases >= 1 && lineBytes >= lineBases && endOf(extent) <= maxBytes)) return undefined;
    table.add(bytes, start, tab, extent);
  }
  return table;
}

/** The numbers of one line of an index that is known to be one, from behind its id on. */
export function extentIn(bytes: Uint8Array, at: number): SequenceExtent {
  const reader = new NumberReader(bytes, at);
  const length = reader.read(TAB);
  const offset = reader.read(TAB);
  const lineBases = reader.read(TAB);
  return { length, offset, lineLetters: lineBases, lineBytes: reader.read(LF) };
}

/** Reads whole numbers, each with what ends it. */
class NumberReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The number; NaN if it is invalid or has another end. */
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
export function writeNumber(number: number, bytes: Uint8Array, at: number): number {
  let end = at + 1;
  for (let bound = 10; bound <= number; bound *= 10) end += 1;
  let rest = number;
  // Division of numbers beyond 32 bits is slow, and most are not.
  for (let digit = end - 1; digit >= at; digit--) {
    const tens = rest < 0x7fff_ffff ? (rest / 10) | 0 : Math.floor(rest / 10);
    bytes[digit] = ZERO + rest - tens * 10;
    rest = tens;
  }
  return end;
}
