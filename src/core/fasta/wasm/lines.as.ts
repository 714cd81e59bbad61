// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Lines at the speed of memory, in AssemblyScript: finds records whose lines are equally long, for an index; finds the
 * lines of an index by their ids; wraps bases, for a writer. How to read it: see `scan.as.ts`.
 *
 * Memory: constants | input | output. The sizes of both are those passed to `layout`.
 */

import {
  FIRST_GRAPHIC,
  GREATER,
  idHash,
  input,
  isBlank,
  LF,
  others,
  output,
  SEMICOLON,
  SPAN,
  TAB,
} from "./lines_shared.as.ts";

export {
  findRecords,
  foundLines,
  foundText,
  foundTextEnd,
  idLengths,
  mayRepeat,
  noteId,
  stop,
  useRecords,
} from "./index_records.as.ts";
export { countFullLines, countGraphic, input, layout, output, useFactor } from "./lines_shared.as.ts";

/**
 * Writes `count` bases from `from` on to the output at `at`, in lines of `wrap` bases; `column` bases are on the
 * line already. A line that would begin with `>` or `;` begins with a space. The last line is not ended.
 *
 * @returns Where the output ends.
 */
export function wrapBases(from: usize, count: u32, at: usize, column: u32, wrap: u32): usize {
  let p = from;
  const end = from + count;
  let out = at;
  let room = wrap - column;
  while (p < end) {
    if (room === 0) {
      store<u8>(out, LF);
      out += 1;
      room = wrap;
    }
    if (room === wrap) {
      const mark = load<u8>(p);
      if (mark === GREATER || mark === SEMICOLON) {
        store<u8>(out, 0x20);
        out += 1;
      }
    }
    const bases = min<usize>(room, end - p);
    // Up to 15 excess bytes are written; later output overwrites them.
    for (let done: usize = 0; done < bases; done += 16) v128.store(out + done, v128.load(p + done));
    p += bases;
    out += bases;
    room -= <u32> bases;
  }
  return out;
}

/** Whether all bytes from `from` to `to` are white space. */
function areBlank(from: usize, to: usize): bool {
  for (let p = from; p < to; p++) if (!isBlank(load<u8>(p))) return false;
  return true;
}

/**
 * Writes the bases between `from` and `to` to the output, without the ends of their lines, each of which is
 * `bases` bases and white space, `bytes` bytes in all; the first begins with its base `column`.
 *
 * @returns How many there are, or -1 when a byte is not what it should be.
 */
export function joinLines(from: usize, to: usize, column: u32, bases: u32, bytes: u32): i32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let out = output;
  let room: usize = bases - column;
  while (p < to) {
    const end = min<usize>(p + room, to);
    const count = end - p;
    if (count < 16) {
      for (let at: usize = 0; at < count; at++) {
        const byte = load<u8>(p + at);
        if (<u8> (byte - 33) >= 94) return -1;
        store<u8>(out + at, byte);
      }
    } else {
      // The last 16 go twice.
      const last = v128.load(end - 16);
      v128.store(out + count - 16, last);
      let bad = others(last, first, span);
      for (let done: usize = 0; done + 16 <= count; done += 16) {
        const some = v128.load(p + done);
        v128.store(out + done, some);
        bad = v128.or(bad, others(some, first, span));
      }
      if (v128.any_true(bad)) return -1;
    }
    out += count;
    p = min<usize>(end + bytes - bases, to);
    if (!areBlank(end, p)) return -1;
    room = bases;
  }
  return <i32> (out - output);
}

/** Counts the line feeds from `from` to `to`. */
export function countLines(from: usize, to: usize): u32 {
  const ends = i8x16.splat(LF);
  let p = from;
  let count: u32 = 0;
  for (; p + 16 <= to; p += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(p), ends)));
  for (; p < to; p++) if (load<u8>(p) === LF) count += 1;
  return count;
}

/** Whole numbers of more digits are not exact. */
const MAX_DIGITS: usize = 15;
/** Result for a text that is not a number. */
const NO_NUMBER: u64 = u64.MAX_VALUE;

/** Behind the number that was read last, and what ended it. */
let behind: usize = 0;

/** Reads the whole number at `from` and the byte that must end it. */
function readNumber(from: usize, to: usize, end: u8): u64 {
  let p = from;
  let number: u64 = 0;
  for (; p < to; p++) {
    const digit = <u8> (load<u8>(p) - 48);
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  const digits = p - from;
  behind = p + 1;
  return digits >= 1 && digits <= MAX_DIGITS && p < to && load<u8>(p) === end ? number : NO_NUMBER;
}

/** Whether the two ids are one; the second ends with a tab. */
function isId(id: usize, other: usize, length: usize): bool {
  if (load<u8>(other + length) !== TAB) return false;
  let at: usize = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(id + at) !== load<u64>(other + at)) return false;
  for (; at < length; at++) if (load<u8>(id + at) !== load<u8>(other + at)) return false;
  return true;
}

/** One less than there are slots. */
let mask: u32 = 0;

/** Sets the number of slots. */
export function useSlots(slots: u32): void {
  mask = slots - 1;
}

function slotHash(id: usize, length: usize): u32 {
  return <u32> (idHash(id, length) >>> 32);
}

/** The slot of the line of an id, or the free slot where it would be. */
function slotOf(id: usize, length: usize, hash: u32): usize {
  let slot = hash & mask;
  let pointer = output + (<usize> slot << 3);
  for (let line = load<u32>(pointer, 4); line !== 0; line = load<u32>(pointer, 4)) {
    if (load<u32>(pointer) === hash && isId(id, input + line - 1, length)) break;
    slot = (slot + 1) & mask;
    pointer = output + (<usize> slot << 3);
  }
  return pointer;
}

/**
 * Enters the lines of an index, whole ones from `from` to `to`, into the table in the output: of each slot a hash and
 * one more than the offset of its line in the input, or two zeros. A line is in the slot of its hash or, where that is
 * taken, soon after; a line whose id came before is not entered.
 *
 * @returns Whether all are lines of an index, and none tells of a sequence that ends behind `maxBytes`.
 */
export function enterLines(from: usize, to: usize, maxBytes: f64): bool {
  let p = from;
  while (p < to) {
    const id = p;
    while (p < to && load<u8>(p) !== TAB && load<u8>(p) !== LF) p += 1;
    if (p === to || load<u8>(p) === LF) return false;
    const idLength = p - id;
    const length = readNumber(p + 1, to, TAB);
    if (length === NO_NUMBER) return false;
    const offset = readNumber(behind, to, TAB);
    if (offset === NO_NUMBER) return false;
    const lineBases = readNumber(behind, to, TAB);
    if (lineBases === NO_NUMBER || lineBases === 0) return false;
    const lineBytes = readNumber(behind, to, LF);
    if (lineBytes === NO_NUMBER || lineBytes < lineBases) return false;
    p = behind;
    let end = <f64> offset;
    if (length > 0) {
      // Numbers of fifteen digits are exact, and divided are rounded to no other whole number.
      const last = <f64> (length - 1);
      const lines = Math.floor(last / <f64> lineBases);
      end += lines * <f64> lineBytes + (last - lines * <f64> lineBases) + 1;
    }
    if (end > maxBytes) return false;
    const hash = slotHash(id, idLength);
    const pointer = slotOf(id, idLength, hash);
    if (load<u32>(pointer + 4) !== 0) continue;
    store<u32>(pointer, hash);
    store<u32>(pointer + 4, <u32> (id - input) + 1);
  }
  return true;
}

/** Where in the input the line of the id at `id` begins, or -1. */
export function findLine(id: usize, length: usize): i32 {
  return <i32> load<u32>(slotOf(id, length, slotHash(id, length)) + 4) - 1;
}
