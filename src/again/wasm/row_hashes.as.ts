// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Hashes of the rows of a CSV and of one cell of each, its key, in AssemblyScript.
 *
 * Rows are well formed and end with a line feed each; `tables/lake/rows/row_checker.ts` has seen to it. The hash is
 * MurmurHash3 of 128 bits with multipliers and seeds that the caller draws anew for each comparison: no file can be
 * made beforehand whose changes it does not see.
 *
 * Loads may reach 15 bytes beyond the end: the caller keeps them readable.
 */

const COMMA: u8 = 44;
const CR: u8 = 13;
const LF: u8 = 10;
const QUOTE: u8 = 34;

/** Bytes that are written for each row: two hashes of 16, its length in 4, and 4 that are zero. */
export const RECORD: i32 = 40;
/** Where the caller may put bytes. */
export const space: usize = __heap_base;

let first: u64 = 1;
let second: u64 = 1;
let seed1: u64 = 0;
let seed2: u64 = 0;
/** The hash that was made last. */
let h1: u64 = 0;
let h2: u64 = 0;
/** The cell that was found last. */
let cellStart: usize = 0;
let cellEnd: usize = 0;

/** Sets what hashes are made with: two odd multipliers, and where they begin. */
export function setSecrets(one: u64, other: u64, begin1: u64, begin2: u64): void {
  first = one | 1;
  second = other | 1;
  seed1 = begin1;
  seed2 = begin2;
}

function mix(h: u64): u64 {
  h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >>> 33);
}

/** The first bytes of a word, up to 7. */
function head(word: u64, bytes: usize): u64 {
  return word & (((<u64> 1) << (<u64> bytes << 3)) - 1);
}

function hashBytes(start: usize, end: usize): void {
  const a = first;
  const b = second;
  let one = seed1;
  let two = seed2;
  let at = start;
  for (const whole = start + ((end - start) & ~15); at < whole; at += 16) {
    one ^= rotl<u64>(load<u64>(at) * a, 31) * b;
    one = (rotl<u64>(one, 27) + two) * 5 + 0x52dce729;
    two ^= rotl<u64>(load<u64>(at, 8) * b, 33) * a;
    two = (rotl<u64>(two, 31) + one) * 5 + 0x38495ab5;
  }
  const rest = end - at;
  if (rest !== 0) {
    const low = rest >= 8 ? load<u64>(at) : head(load<u64>(at), rest);
    const high = rest > 8 ? head(load<u64>(at, 8), rest - 8) : 0;
    one ^= rotl<u64>(low * a, 31) * b;
    two ^= rotl<u64>(high * b, 33) * a;
  }
  one ^= <u64> (end - start);
  two ^= <u64> (end - start);
  one += two;
  two += one;
  one = mix(one);
  two = mix(two);
  one += two;
  h1 = one;
  h2 = two + one;
}

/** Pointer to the line feed that ends the row at `start`; `end` without one. */
function findRowEnd(start: usize, end: usize): usize {
  const feed = i8x16.splat(LF);
  const quote = i8x16.splat(QUOTE);
  let isQuoted = 0;
  for (let at = start; at < end; at += 16) {
    const block = v128.load(at);
    let feeds = i8x16.bitmask(i8x16.eq(block, feed));
    let inside = i8x16.bitmask(i8x16.eq(block, quote));
    if ((inside | isQuoted) !== 0) {
      inside ^= inside << 1;
      inside ^= inside << 2;
      inside ^= inside << 4;
      inside ^= inside << 8;
      inside = (inside ^ isQuoted) & 0xffff;
      feeds &= ~inside;
      isQuoted = (inside >>> 15) !== 0 ? 0xffff : 0;
    }
    if (feeds !== 0) return at + ctz(feeds);
  }
  return end;
}

/** Finds a cell of a row, with its quotes. */
function findCell(start: usize, end: usize, column: i32): void {
  let at = start;
  for (let each = 0; each <= column; each++) {
    cellStart = at;
    if (at < end && load<u8>(at) === QUOTE) {
      for (at++; at < end && (load<u8>(at) !== QUOTE || load<u8>(at + 1) === QUOTE); at++) {
        if (load<u8>(at) === QUOTE) at++;
      }
    }
    while (at < end && load<u8>(at) !== COMMA) at++;
    cellEnd = at;
    at++;
  }
}

/** Takes the quotes from the cell that was found, where it stands. */
function unquote(): void {
  if (cellStart === cellEnd || load<u8>(cellStart) !== QUOTE) return;
  let to = cellStart;
  const last = cellEnd - 1;
  for (let at = cellStart + 1; at < last; at++) {
    const byte = load<u8>(at);
    if (byte === QUOTE) at++;
    store<u8>(to++, byte);
  }
  cellEnd = to;
}

/**
 * Writes a record for each row between two pointers: the hash of its key, zero without one; the hash of the row without
 * its end of line; its length with it. The keys lose their quotes where they stand.
 */
export function hashRows(start: usize, end: usize, column: i32, into: usize): void {
  let to = into;
  for (let at = start; at < end;) {
    const feed = findRowEnd(at, end);
    const last = feed > at && load<u8>(feed - 1) === CR ? feed - 1 : feed;
    hashBytes(at, last);
    store<u64>(to, h1, 16);
    store<u64>(to, h2, 24);
    store<u64>(to, <u64> (feed + 1 - at), 32);
    findCell(at, last, column);
    unquote();
    if (cellStart === cellEnd) {
      store<u64>(to, 0);
      store<u64>(to, 0, 8);
    } else {
      hashBytes(cellStart, cellEnd);
      store<u64>(to, h1);
      store<u64>(to, h2, 8);
    }
    to += RECORD;
    at = feed + 1;
  }
}
