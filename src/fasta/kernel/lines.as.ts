// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Lines at the speed of memory, in AssemblyScript: finds records whose lines are equally long, for an index; finds the lines
 * of an index by their ids; wraps letters, for a writer. How to read it: see `scan.as.ts`.
 *
 * Memory: constants | input | output. Both are as large as `layout` was told.
 */

const TAB: u8 = 9;
const LF: u8 = 10;
const CR: u8 = 13;
const GREATER: u8 = 62;
const SEMICOLON: u8 = 59;
const PIPE: u8 = 124;

/** Sixteen times the first byte that is printable and no blank, and sixteen times how far the last is from it. */
const FIRST_GRAPHIC: usize = memory.data<u8>([33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33], 16);
const SPAN: usize = memory.data<u8>([93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93], 16);

export let input: usize = 0;
export let output: usize = 0;

/** Makes room for `inputBytes` to be read from and `outputBytes` to be written to. */
export function layout(inputBytes: u32, outputBytes: u32): void {
  input = (__heap_base + 63) & ~63;
  output = (input + inputBytes + 64 + 63) & ~63;
  const needed = output + outputBytes + 64;
  const there = <usize> memory.size() << 16;
  if (needed > there && memory.grow(<i32> ((needed - there + 0xffff) >> 16)) < 0) unreachable();
}

/** What is not zero for each of sixteen bytes that is no printable ASCII, or a blank: fewer steps than to compare. */
function others(bytes: v128, first: v128, span: v128): v128 {
  return i8x16.sub_sat_u(i8x16.sub(bytes, first), span);
}

/** Counts the bytes from `from` to `to` that are printable ASCII and no blank. */
export function countGraphic(from: usize, to: usize): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let count: u32 = 0;
  for (; p + 16 <= to; p += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(others(v128.load(p), first, span), i8x16.splat(0))));
  }
  for (; p < to; p++) if (<u8> (load<u8>(p) - 33) < 94) count += 1;
  return count;
}

/** Whether all bytes from `from` to `to` are printable ASCII and no blank. The last 16 may be looked at twice. */
function areGraphic(from: usize, to: usize, first: v128, span: v128): bool {
  if (to - from < 16) return countGraphic(from, to) === <u32> (to - from);
  let bad = others(v128.load(to - 16), first, span);
  for (let p = from; p + 16 <= to; p += 16) bad = v128.or(bad, others(v128.load(p), first, span));
  return !v128.any_true(bad);
}

/**
 * Counts lines from `from` on that are just as the full lines of a sequence: `letters` letters, then a line feed, or a
 * carriage return and a line feed, `bytes` bytes in all. Stops at the first that is not, or that is not all there.
 */
export function countFullLines(from: usize, to: usize, bytes: u32, letters: u32): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let count: u32 = 0;
  while (p + bytes <= to) {
    const mark = load<u8>(p);
    if (mark === GREATER || mark === SEMICOLON) break;
    if (load<u8>(p + bytes - 1) !== LF || bytes - letters === 2 && load<u8>(p + letters) !== CR) break;
    if (!areGraphic(p, p + letters, first, span)) break;
    p += bytes;
    count += 1;
  }
  return count;
}

/** Whether a byte is white space: tab, line feed, vertical tab, form feed, carriage return or blank. */
function isBlank(byte: u8): bool {
  return byte === 32 || <u8> (byte - 9) <= 4;
}

/** The first line feed from `from` on; `to` when there is none. */
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

/** How many letters a line has that ends before `end`, where nothing else is on it but a carriage return; else 0. */
function lettersOf(from: usize, end: usize, first: v128, span: v128): usize {
  const letters = end - from - (end > from && load<u8>(end - 1) === CR ? 1 : 0);
  return letters > 0 && areGraphic(from, from + letters, first, span) ? letters : 0;
}

/** The hash of an id: the same as in `_id_table.ts`. */
function hashOf(id: usize, length: usize, factor: u32): u32 {
  let hash = <u32> length;
  for (let at: usize = 0; at < length; at++) hash = (hash ^ load<u8>(id + at)) * factor ^ hash >>> 15;
  return hash;
}

/** Bytes of what is said of a record: eight u32. */
const RECORD_BYTES: usize = 32;

/** Where the last search for records stopped. */
export let stop: usize = 0;

/**
 * Finds up to `most` records from the `>` at `from` on that an index can hold and whose end is seen: a header, then lines
 * of one length, the last perhaps shorter, and the `>` of the next. Of each it writes to the output where its id begins
 * and ends and its letters begin, counted from the beginning of the input; its letters, letters and bytes of a full line;
 * how many lines it is; the hash of its id. It stops, at its `>`, before a record that is not so simple, or not all there.
 *
 * @returns How many there are.
 */
export function findRecords(from: usize, to: usize, endsAtPipe: bool, factor: u32, most: u32): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let count: u32 = 0;
  stop = from;
  while (count < most && stop < to && load<u8>(stop) === GREATER) {
    let p = stop + 1;
    const headerEnd = lineEnd(p, to);
    if (headerEnd === to) break;
    if (!endsAtPipe) { while (p < headerEnd && isBlank(load<u8>(p))) p += 1; }
    const id = p;
    while (p < headerEnd && (endsAtPipe ? load<u8>(p) !== PIPE : !isBlank(load<u8>(p)))) p += 1;
    const idEnd = endsAtPipe && p === headerEnd && p > id && load<u8>(p - 1) === CR ? p - 1 : p;
    const sequence = headerEnd + 1;
    const firstEnd = lineEnd(sequence, to);
    if (firstEnd === to) break;
    const mark = load<u8>(sequence);
    const letters = lettersOf(sequence, firstEnd, first, span);
    if (letters === 0 || mark === GREATER || mark === SEMICOLON) break;
    const bytes = firstEnd + 1 - sequence;
    const fullLines = countFullLines(firstEnd + 1, to, <u32> bytes, <u32> letters);
    let lines = fullLines + 2;
    let length = letters * (fullLines + 1);
    p = firstEnd + 1 + fullLines * bytes;
    if (p < to && load<u8>(p) !== GREATER) {
      const lastEnd = lineEnd(p, to);
      if (lastEnd === to || lastEnd + 1 - p >= bytes || load<u8>(p) === SEMICOLON) break;
      const last = lettersOf(p, lastEnd, first, span);
      if (last === 0) break;
      length += last;
      lines += 1;
      p = lastEnd + 1;
    }
    if (p >= to || load<u8>(p) !== GREATER) break;
    const record = output + <usize> count * RECORD_BYTES;
    store<u32>(record, <u32> (id - input));
    store<u32>(record, <u32> (idEnd - input), 4);
    store<u32>(record, <u32> (sequence - input), 8);
    store<u32>(record, <u32> length, 12);
    store<u32>(record, <u32> letters, 16);
    store<u32>(record, <u32> bytes, 20);
    store<u32>(record, lines, 24);
    store<u32>(record, hashOf(id, idEnd - id, factor), 28);
    count += 1;
    stop = p;
  }
  return count;
}

/**
 * Writes `count` letters from `from` on to the output at `at`, in lines of `wrap` letters; `column` letters are on the
 * line already. A line that would begin with `>` or `;` begins with a space. The last line is not ended.
 *
 * @returns Where the output ends.
 */
export function wrapLetters(from: usize, count: u32, at: usize, column: u32, wrap: u32): usize {
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
    const letters = min<usize>(room, end - p);
    // Up to 15 bytes too many are written: what comes next is written over them.
    for (let done: usize = 0; done < letters; done += 16) v128.store(out + done, v128.load(p + done));
    p += letters;
    out += letters;
    room -= <u32> letters;
  }
  return out;
}

/** Whether all bytes from `from` to `to` are white space. */
function areBlank(from: usize, to: usize): bool {
  for (let p = from; p < to; p++) if (!isBlank(load<u8>(p))) return false;
  return true;
}

/**
 * Writes the letters between places `from` and `to` to the output, without the ends of their lines, each of which is
 * `letters` letters and white space, `bytes` bytes in all; the first begins with its letter `column`.
 *
 * @returns How many there are, or -1 when a byte is not what it should be.
 */
export function joinLines(from: usize, to: usize, column: u32, letters: u32, bytes: u32): i32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let out = output;
  let room: usize = letters - column;
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
    p = min<usize>(end + bytes - letters, to);
    if (!areBlank(end, p)) return -1;
    room = letters;
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
/** What a text that is no number counts as. */
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

/** Odd and unforeseeable, so that no file can be made whose ids all fall on one slot. */
let factor: u64 = 1;
/** One less than there are slots. */
let mask: u32 = 0;

/** Chooses the factor of the hashes by two halves, of which the lower must be odd, and how many slots there are. */
export function useSlots(low: u32, high: u32, slots: u32): void {
  factor = <u64> high << 32 | low;
  mask = slots - 1;
}

function mixed(hash: u64): u64 {
  const product = hash * factor;
  return product ^ product >>> 32;
}

/** Hashes an id eight bytes at a time; the last eight may overlap. */
function slotHash(id: usize, length: usize): u32 {
  let hash = mixed(<u64> length);
  if (length < 8) {
    let rest: u64 = 0;
    for (let at: usize = 0; at < length; at++) rest = rest << 8 | load<u8>(id + at);
    return <u32> (mixed(hash ^ rest) >>> 32);
  }
  for (let at: usize = 0; at + 8 < length; at += 8) hash = mixed(hash ^ load<u64>(id + at));
  return <u32> (mixed(hash ^ load<u64>(id + length - 8)) >>> 32);
}

/** The place in the table of the line of an id, or of the free slot where it would be. */
function slotOf(id: usize, length: usize, hash: u32): usize {
  let slot = hash & mask;
  let place = output + (<usize> slot << 3);
  for (let line = load<u32>(place, 4); line !== 0; line = load<u32>(place, 4)) {
    if (load<u32>(place) === hash && isId(id, input + line - 1, length)) break;
    slot = (slot + 1) & mask;
    place = output + (<usize> slot << 3);
  }
  return place;
}

/**
 * Enters the lines of an index, whole ones from `from` to `to`, into the table in the output: of each slot a hash and one
 * more than the place of its line in the input, or two zeros. A line is in the slot of its hash or, where that is taken,
 * soon after; a line whose id came before is not entered.
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
    const lineLetters = readNumber(behind, to, TAB);
    if (lineLetters === NO_NUMBER || lineLetters === 0) return false;
    const lineBytes = readNumber(behind, to, LF);
    if (lineBytes === NO_NUMBER || lineBytes < lineLetters) return false;
    p = behind;
    let end = <f64> offset;
    if (length > 0) {
      // Numbers of fifteen digits are exact, and divided are rounded to no other whole number.
      const last = <f64> (length - 1);
      const lines = Math.floor(last / <f64> lineLetters);
      end += lines * <f64> lineBytes + (last - lines * <f64> lineLetters) + 1;
    }
    if (end > maxBytes) return false;
    const hash = slotHash(id, idLength);
    const place = slotOf(id, idLength, hash);
    if (load<u32>(place + 4) !== 0) continue;
    store<u32>(place, hash);
    store<u32>(place + 4, <u32> (id - input) + 1);
  }
  return true;
}

/** Where in the input the line of the id at `id` begins, or -1. */
export function findLine(id: usize, length: usize): i32 {
  return <i32> load<u32>(slotOf(id, length, slotHash(id, length)) + 4) - 1;
}
