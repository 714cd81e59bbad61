// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Finds the records of a FASTA that an index can hold and writes the lines of the index: a part of the module of lines.
 *
 * Memory, in its output: lengths of ids | text | hash tables. An id is represented by a 64-bit hash: equal hashes
 * nearly always mean equal ids, and the caller, which has all the lines, compares them.
 */
import {
  areGraphic,
  countFullLines,
  CR,
  FIRST_GRAPHIC,
  GREATER,
  idHash,
  isBlank,
  LF,
  output,
  SEMICOLON,
  SPAN,
  TAB,
} from "./lines_shared.as.ts";

const PIPE: u8 = 124;

/** Records that are found at a time. */
const MOST: u32 = 4096;
/** Bytes of the text of their lines. */
const TEXT_BYTES: usize = 1 << 18;
/** Bytes of a line besides its id: four numbers of up to fifteen digits, four tabs and a line feed. */
const NUMBER_BYTES: usize = 65;
/** Slots of the first table, one more than this, and of the largest. Half of them are filled at most. */
const FIRST_MASK: u32 = (1 << 13) - 1;
const LAST_MASK: u32 = (1 << 20) - 1;

/** Bytes of the id of each record that was found last, u32. */
export let idLengths: usize = 0;
/** The lines of the index of the records that were found last. */
export let foundText: usize = 0;
export let foundTextEnd: usize = 0;
/** Lines of the file that these records are. */
export let foundLines: u32 = 0;
/** Where the last search stopped. */
export let stop: usize = 0;
/** Whether an id may have come twice. */
export let mayRepeat: bool = false;

let table: usize = 0;
let mask: u32 = FIRST_MASK;
let noted: u32 = 0;

/** Begins a file. The output has room for all that is laid out here, and holds zeros. */
export function useRecords(): void {
  idLengths = output;
  foundText = idLengths + MOST * 4;
  table = foundText + TEXT_BYTES;
}

/** Enters a hash, which is not zero; whether it is there already. */
function enter(hash: u64): bool {
  let slot = <u32> (hash >>> 32) & mask;
  let pointer = table + (<usize> slot << 3);
  for (let there = load<u64>(pointer); there !== 0; there = load<u64>(pointer)) {
    if (there === hash) return true;
    slot = (slot + 1) & mask;
    pointer = table + (<usize> slot << 3);
  }
  store<u64>(pointer, hash);
  return false;
}

/** Continues with a table twice as large, which lies behind: a small one stays in the processor's cache. */
function grow(): void {
  const old = table;
  table += <usize> (mask + 1) << 3;
  mask = mask * 2 + 1;
  for (let pointer = old; pointer < old + (<usize> (mask + 1) << 2); pointer += 8) {
    const hash = load<u64>(pointer);
    if (hash !== 0) enter(hash);
  }
}

/** Notes an id, to tell when it comes again. */
export function noteId(id: usize, length: usize): void {
  if (mayRepeat) return;
  if (noted > mask / 2 && mask < LAST_MASK) grow();
  mayRepeat = noted > mask / 2 || enter(max<u64>(idHash(id, length), 1));
  noted += 1;
}

/** The first line feed from `from` on, or `to`. */
function lineEnd(from: usize, to: usize): usize {
  const ends = i8x16.splat(LF);
  let p = from;
  for (; p + 16 <= to; p += 16) {
    const bits = i8x16.bitmask(i8x16.eq(v128.load(p), ends));
    if (bits !== 0) return p + ctz(bits);
  }
  while (p < to && load<u8>(p) !== LF) p += 1;
  return p;
}

/** How many bases a line has that ends before `end`, where nothing else is on it but a carriage return; else 0. */
function countBases(from: usize, end: usize, first: v128, span: v128): usize {
  const bases = end - from - (end > from && load<u8>(end - 1) === CR ? 1 : 0);
  return bases > 0 && areGraphic(from, from + bases, first, span) ? bases : 0;
}

/** Writes a tab and a whole number; where it ends. */
function writeNumber(number: u64, at: usize): usize {
  let end = at + 2;
  for (let bound: u64 = 10; bound <= number; bound *= 10) end += 1;
  store<u8>(at, TAB);
  let rest = number;
  for (let p = end - 1; p > at; p--) {
    // Division of 32-bit numbers is faster, and most numbers fit.
    const tens = rest >>> 32 === 0 ? <u64> (<u32> rest / 10) : rest / 10;
    store<u8>(p, <u8> (48 + rest - tens * 10));
    rest = tens;
  }
  return end;
}

/**
 * Finds records from the `>` at `from`, which is at `position` of the file, that an index can hold and whose end is
 * seen: a header, then lines of one length, the last perhaps shorter, and the `>` of the next. It stops, at its `>`,
 * before a record that is not so simple, or not all there, or has no room.
 *
 * @returns How many there are.
 */
export function findRecords(from: usize, to: usize, endsAtPipe: bool, position: f64): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  const textEnd = foundText + TEXT_BYTES;
  let out = foundText;
  let count: u32 = 0;
  stop = from;
  foundLines = 0;
  while (count < MOST && stop < to && load<u8>(stop) === GREATER) {
    let p = stop + 1;
    const headerEnd = lineEnd(p, to);
    if (headerEnd === to) break;
    if (!endsAtPipe) { while (p < headerEnd && isBlank(load<u8>(p))) p += 1; }
    const id = p;
    if (endsAtPipe) {
      while (p < headerEnd && load<u8>(p) !== PIPE && load<u8>(p) !== TAB) p += 1;
      if (p < headerEnd && load<u8>(p) === TAB) break;
    } else {
      while (p < headerEnd && !isBlank(load<u8>(p))) p += 1;
    }
    const idEnd = endsAtPipe && p === headerEnd && p > id && load<u8>(p - 1) === CR ? p - 1 : p;
    const idLength = idEnd - id;
    if (out + idLength + NUMBER_BYTES > textEnd) break;
    const sequence = headerEnd + 1;
    const firstEnd = lineEnd(sequence, to);
    if (firstEnd === to) break;
    const mark = load<u8>(sequence);
    const bases = countBases(sequence, firstEnd, first, span);
    if (bases === 0 || mark === GREATER || mark === SEMICOLON) break;
    const bytes = firstEnd + 1 - sequence;
    const fullLines = countFullLines(firstEnd + 1, to, <u32> bytes, <u32> bases);
    let lines = fullLines + 2;
    let length = bases * (fullLines + 1);
    p = firstEnd + 1 + fullLines * bytes;
    if (p < to && load<u8>(p) !== GREATER) {
      const lastEnd = lineEnd(p, to);
      if (lastEnd === to || lastEnd + 1 - p >= bytes || load<u8>(p) === SEMICOLON) break;
      const last = countBases(p, lastEnd, first, span);
      if (last === 0) break;
      length += last;
      lines += 1;
      p = lastEnd + 1;
    }
    if (p >= to || load<u8>(p) !== GREATER) break;
    noteId(id, idLength);
    store<u32>(idLengths + (<usize> count << 2), <u32> idLength);
    memory.copy(out, id, idLength);
    out = writeNumber(<u64> length, out + idLength);
    out = writeNumber(<u64> (position + <f64> (sequence - from)), out);
    out = writeNumber(<u64> bases, out);
    out = writeNumber(<u64> bytes, out);
    store<u8>(out, LF);
    out += 1;
    foundLines += lines;
    count += 1;
    stop = p;
  }
  foundTextEnd = out;
  return count;
}
