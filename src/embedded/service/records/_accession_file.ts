/**
 * The rows of accessions.
 *
 * The numbers of the accessions are in ascending order, each with its row unless that is the order of the archives.
 * Every 512th number is kept in memory; one look-up reads one block of 512.
 */
import { existsSync } from "node:fs";
import { isAccession } from "@seqreg/core/contract/accession";
import { Turns } from "../schedule/turns.ts";
import { startSharedWork } from "../schedule/work.ts";
import { FileReader } from "../files/file_reader.ts";
import { FileWriter } from "../files/file_writer.ts";
import { bytesOf } from "./_file.ts";

/** An accession is `vj` and twelve digits. */
const ACCESSION_BYTES = 14;
const LETTER_V = 0x76;
const LETTER_J = 0x6a;
const DIGIT_0 = 0x30;

/** Numbers of a block. */
const BLOCK = 512;
/** Numbers that are kept before they are written. */
const BUFFERED = 1 << 13;
/** Numbers that are put in order before others get their turn. */
const AT_ONCE = 1 << 16;

/** Numbers in the order of the archives. */
const ORDER_FILE = "accessions.order";
/** Numbers in ascending order, when that is another, and their rows. */
const SORTED_FILE = "accessions.sorted";
const ROWS_FILE = "accessions.rows";
/** The first number of each block. */
const FENCES_FILE = "accessions.fences";

/** An accession that is there twice, and its rows. */
export interface Twice {
  readonly accession: string;
  readonly rows: readonly [number, number];
}

/** Writes accessions, in the order of the records. */
export interface AccessionWriter {
  add(number: number): void;
  /**
   * Ends: puts them in order. Gives the first that stands twice, with both its rows, or `undefined` when all differ.
   */
  finish(): Promise<Twice | undefined>;
}

export interface AccessionReader extends Disposable {
  rowOf(accession: string): number | undefined;
  /** Finds the row of an accession's number that is probably that of `guess`, as in an archive of the same order. */
  rowNear(number: number, guess: number): number | undefined;
}

export function numberOf(accession: string): number {
  return Number(accession.slice(2));
}

/** Parses the number of an accession; -1 if the bytes are not an accession. */
export function numberIn(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== ACCESSION_BYTES || bytes[start] !== LETTER_V || bytes[start + 1] !== LETTER_J) return -1;
  let number = 0;
  for (let at = start + 2; at < end; at++) {
    const digit = bytes[at] - DIGIT_0;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

export function createAccessions(folder: string): AccessionWriter {
  const file = new FileWriter(`${folder}/${ORDER_FILE}`, { sums: true });
  const buffer = new Float64Array(BUFFERED);
  const fences: number[] = [];
  let held = 0;
  let count = 0;
  let last = -1;
  let ascending = true;
  const flush = () => {
    file.append(buffer.subarray(0, held));
    held = 0;
  };
  return {
    add(number) {
      if (number <= last) ascending = false;
      if (count++ % BLOCK === 0) fences.push(number);
      last = number;
      buffer[held++] = number;
      if (held === BUFFERED) flush();
    },
    async finish() {
      flush();
      await file.sync();
      if (ascending) {
        await writeWhole(`${folder}/${FENCES_FILE}`, Float64Array.from(fences));
        return undefined;
      }
      const numbers = new Float64Array(count);
      {
        using order = new FileReader(`${folder}/${ORDER_FILE}`);
        order.readInto(bytesOf(numbers), 0);
      }
      const turns = new Turns(undefined, { work: startSharedWork(true) });
      const rows = await sortedRows(numbers, turns);
      const sorted = new Float64Array(count);
      let twice: [number, number] | undefined;
      for (let at = 0; at < count; at++) {
        if (at % AT_ONCE === 0 && turns.over) await turns.next();
        sorted[at] = numbers[rows[at]];
        // Rows of equal numbers stand in their order: the second of the first pair is the nearest.
        if (at > 0 && sorted[at] === sorted[at - 1] && !(at > 1 && sorted[at] === sorted[at - 2])) {
          if (twice === undefined || rows[at - 1] < twice[0]) twice = [rows[at - 1], rows[at]];
        }
      }
      if (twice !== undefined) {
        return { accession: `vj${String(numbers[twice[0]]).padStart(12, "0")}`, rows: twice };
      }
      await writeWhole(`${folder}/${SORTED_FILE}`, sorted);
      await writeWhole(`${folder}/${ROWS_FILE}`, rows);
      await writeWhole(
        `${folder}/${FENCES_FILE}`,
        Float64Array.from({ length: Math.ceil(count / BLOCK) }, (_, at) => sorted[at * BLOCK]),
      );
      return undefined;
    },
  };
}

/** Opens the files of `recordCount` accessions. */
export function openAccessions(folder: string, recordCount: number): AccessionReader {
  using opening = new DisposableStack();
  const fences = new Float64Array(Math.ceil(recordCount / BLOCK));
  {
    using file = new FileReader(`${folder}/${FENCES_FILE}`, { sums: true });
    file.readInto(bytesOf(fences), 0);
  }
  const order = opening.use(new FileReader(`${folder}/${ORDER_FILE}`, { sums: true }));
  const sorted = opening.use(openIfThere(`${folder}/${SORTED_FILE}`));
  const rows = sorted && opening.use(new FileReader(`${folder}/${ROWS_FILE}`, { sums: true }));
  const stack = opening.move();
  const byNumber = blockReader(sorted ?? order, recordCount, Float64Array);
  const byRow = blockReader(order, recordCount, Float64Array);
  const rowBlocks = rows && blockReader(rows, recordCount, Uint32Array);
  const find = (number: number): number | undefined => {
    const block = lastAtMost(fences, fences.length, number);
    if (block === -1) return undefined;
    const numbers = byNumber(block);
    const at = lastAtMost(numbers, numbers.length, number);
    if (numbers[at] !== number) return undefined;
    return rowBlocks === undefined ? block * BLOCK + at : rowBlocks(block)[at];
  };
  return {
    rowOf: (accession) => isAccession(accession) ? find(numberOf(accession)) : undefined,
    rowNear(number, guess) {
      if (guess < recordCount && byRow(Math.floor(guess / BLOCK))[guess % BLOCK] === number) return guess;
      return find(number);
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Opens a file that is there only when the archives are in another order. */
function openIfThere(path: string): FileReader | undefined {
  return existsSync(path) ? new FileReader(path, { sums: true }) : undefined;
}

/** Reads blocks of numbers; the last is remembered. */
function blockReader<T extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  file: FileReader,
  count: number,
  type: { new (length: number): T; readonly BYTES_PER_ELEMENT: number },
): (block: number) => T {
  let held = -1;
  let numbers = new type(0);
  return (block) => {
    if (block === held) return numbers;
    held = -1;
    const length = Math.min(BLOCK, count - block * BLOCK);
    if (numbers.length !== length) numbers = new type(length);
    file.readInto(bytesOf(numbers), block * BLOCK * type.BYTES_PER_ELEMENT);
    held = block;
    return numbers;
  };
}

/** Finds the last index whose number is at most `number`; -1 if all are greater. */
function lastAtMost(numbers: ArrayLike<number>, length: number, number: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = low + high >> 1;
    if (numbers[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Orders rows by their numbers, which have at most 40 bits; equal ones by row. */
async function sortedRows(numbers: Float64Array, turns: Turns): Promise<Uint32Array<ArrayBuffer>> {
  const count = numbers.length;
  let rows = Uint32Array.from(numbers, (_, row) => row);
  let other = new Uint32Array(count);
  for (const shift of [1, 2 ** 10, 2 ** 20, 2 ** 30]) {
    const starts = new Uint32Array(1025);
    for (let row = 0; row < count; row++) {
      if (row % AT_ONCE === 0 && turns.over) await turns.next();
      starts[Math.floor(numbers[row] / shift) % 1024 + 1]++;
    }
    for (let digit = 1; digit <= 1024; digit++) starts[digit] += starts[digit - 1];
    for (let at = 0; at < count; at++) {
      if (at % AT_ONCE === 0 && turns.over) await turns.next();
      const row = rows[at];
      other[starts[Math.floor(numbers[row] / shift) % 1024]++] = row;
    }
    [rows, other] = [other, rows];
  }
  return rows;
}

async function writeWhole(path: string, numbers: ArrayBufferView<ArrayBuffer>): Promise<void> {
  const file = new FileWriter(path, { sums: true });
  file.append(numbers);
  await file.sync();
}
