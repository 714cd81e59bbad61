// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * The tables that say what the next bits of a deflated text mean. See `inflate.as.ts`.
 *
 * An entry of a plain table means one symbol, in 32 bits; 0 is no code:
 *
 *     31        30..16       15         14        13..8              7..0
 *     literal   value        exception  subtable  bits of the code   bits in all
 *
 * The value is a byte, the least length or distance, or the place of a subtable. The bits in all are those of the code and
 * of the extra bits behind it, which are added to the value. The only exceptions are the end of a block and a subtable,
 * which holds the codes that begin with these bits and are longer; its bits of the code are how many it is asked with.
 *
 * An entry of the first table means several symbols, in 64 bits:
 *
 *     60     59..51         50..48           45..40                  37..32        31..0
 *     rare   least length   count of bytes   bits before the extra   bits in all   bytes, the first lowest
 */

/** Bits that the tables are asked with. */
export const FIRST_BITS: u32 = 10;
export const DISTANCE_BITS: u32 = 9;

/** Flags of an entry of a plain table. */
export const LITERAL: u32 = 0x80000000;
export const EXCEPTION: u32 = 0x8000;
export const SUBTABLE: u32 = 0x4000;
/** Flag of an entry of the first table, in its upper half: look into the plain one. */
export const RARE: u32 = 0x10000000;
/** Least upper half of an entry of the first table that is rare or has a length: less means bytes alone. */
export const LEAST_LENGTH: u32 = 1 << 19;

/** Entries of subtables at most: codes of up to 15 bits need far fewer. */
const SUB_ENTRIES: u32 = 2048;

export const firstTable: usize = memory.data((1 << 10) * 8, 16);
export const symbolTable: usize = memory.data(((1 << 10) + 2048) * 4, 16);
export const distanceTable: usize = memory.data(((1 << 9) + 2048) * 4, 16);

/** Least length and extra bits of the symbols from 257 on, least distance and extra bits of the distances. */
const LENGTHS: usize = memory.data<u16>([
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  11,
  13,
  15,
  17,
  19,
  23,
  27,
  31,
  35,
  43,
  51,
  59,
  67,
  83,
  99,
  115,
  131,
  163,
  195,
  227,
  258,
]);
const LENGTH_EXTRA: usize = memory.data<u8>([
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1,
  2,
  2,
  2,
  2,
  3,
  3,
  3,
  3,
  4,
  4,
  4,
  4,
  5,
  5,
  5,
  5,
  0,
]);
const DISTANCES: usize = memory.data<u16>([
  1,
  2,
  3,
  4,
  5,
  7,
  9,
  13,
  17,
  25,
  33,
  49,
  65,
  97,
  129,
  193,
  257,
  385,
  513,
  769,
  1025,
  1537,
  2049,
  3073,
  4097,
  6145,
  8193,
  12289,
  16385,
  24577,
]);

const MOST_BITS: u32 = 15;
/** Counts, first codes and first places of the symbols by the length of their codes; symbols in the order of codes. */
const counts: usize = memory.data(16 * 4, 4);
const nextCodes: usize = memory.data(16 * 4, 4);
const places: usize = memory.data(17 * 4, 4);
const sorted: usize = memory.data(320 * 2, 2);
const fixedLengths: usize = memory.data(288);
let isFixed: bool = false;

/** Builds the tables of symbols; false when the lengths make no code. */
export function buildSymbols(lengths: usize, count: u32): bool {
  isFixed = false;
  if (!buildPlain(symbolTable, FIRST_BITS, lengths, count, true)) return false;
  buildFirst();
  return true;
}

/** Builds the table of distances; false when the lengths make no code. */
export function buildDistances(lengths: usize, count: u32): bool {
  return buildPlain(distanceTable, DISTANCE_BITS, lengths, count, false);
}

/** Builds the tables of the code that blocks may use without describing it. */
export function buildFixed(): void {
  if (isFixed) return;
  for (let symbol: u32 = 0; symbol < 288; symbol++) {
    store<u8>(fixedLengths + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
  }
  buildSymbols(fixedLengths, 288);
  memory.fill(fixedLengths, 5, 32);
  buildDistances(fixedLengths, 32);
  isFixed = true;
}

/** What a symbol means, with the bits of its extra in place of the bits in all; 0 for one that must not come. */
function meaningOf(symbol: u32, isSymbols: bool): u32 {
  if (!isSymbols) {
    if (symbol >= 30) return 0;
    return <u32> load<u16>(DISTANCES + (symbol << 1)) << 16 | (symbol < 4 ? 0 : (symbol >> 1) - 1);
  }
  if (symbol < 256) return LITERAL | symbol << 16;
  if (symbol === 256) return EXCEPTION;
  if (symbol > 285) return 0;
  return <u32> load<u16>(LENGTHS + ((symbol - 257) << 1)) << 16 | load<u8>(LENGTH_EXTRA + symbol - 257);
}

/** Sorts symbols by their codes; 1 when every row of bits is a code, 0 when some are none, -1 when lengths clash. */
function sortSymbols(lengths: usize, count: u32): i32 {
  memory.fill(counts, 0, 16 * 4);
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const slot = counts + (<usize> load<u8>(lengths + symbol) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  store<u32>(counts, 0);
  let code: u32 = 0;
  let left: i32 = 1;
  let longest: u32 = 0;
  let place: u32 = 0;
  for (let length: u32 = 1; length <= MOST_BITS; length++) {
    const those = load<u32>(counts + (length << 2));
    left = (left << 1) - <i32> those;
    if (left < 0) return -1;
    code = (code + load<u32>(counts + ((length - 1) << 2))) << 1;
    store<u32>(nextCodes + (length << 2), code);
    store<u32>(places + (length << 2), place);
    place += those;
    if (those !== 0) longest = length;
  }
  // One code of one bit is allowed, and none at all where only bytes come.
  if (left > 0 && longest > 1) return -1;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length === 0) continue;
    const slot = places + (<usize> length << 2);
    store<u16>(sorted + (load<u32>(slot) << 1), <u16> symbol);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  return left === 0 ? 1 : 0;
}

function buildPlain(table: usize, bits: u32, lengths: usize, count: u32, isSymbols: bool): bool {
  const kind = sortSymbols(lengths, count);
  if (kind < 0) return false;
  const size: u32 = 1 << bits;
  if (kind === 0) memory.fill(table, 0, <usize> size << 2);
  let subBegin: u32 = 0;
  let subBits: u32 = 0;
  let free = size;
  let prefix: u32 = 0xffffffff;
  let index: u32 = 0;
  for (let length: u32 = 1; length <= MOST_BITS; length++) {
    const those = load<u32>(counts + (length << 2));
    for (let left = those; left > 0; left--) {
      const symbol: u32 = load<u16>(sorted + (index << 1));
      index += 1;
      const code = load<u32>(nextCodes + (length << 2));
      store<u32>(nextCodes + (length << 2), code + 1);
      // Codes come with their first bit highest, tables are asked with it lowest.
      const asked = reversed16(code) >> (16 - length);
      const meaning = meaningOf(symbol, isSymbols);
      if (length <= bits) {
        const entry = meaning === 0 ? 0 : meaning & ~255 | length << 8 | (length + (meaning & 255));
        const step: u32 = 1 << length;
        for (let at = asked; at < size; at += step) store<u32>(table + (at << 2), entry);
        continue;
      }
      const begin = asked & (size - 1);
      if (begin !== prefix) {
        prefix = begin;
        subBegin = free;
        subBits = subtableBits(length, left, bits);
        free += 1 << subBits;
        if (free > size + SUB_ENTRIES) return false;
        store<u32>(table + (begin << 2), subBegin << 16 | EXCEPTION | SUBTABLE | subBits << 8 | bits);
      }
      const own = length - bits;
      const entry = meaning === 0 ? 0 : meaning & ~255 | own << 8 | (own + (meaning & 255));
      const step: u32 = 1 << own;
      const end: u32 = 1 << subBits;
      for (let at = asked >> bits; at < end; at += step) store<u32>(table + ((subBegin + at) << 2), entry);
    }
  }
  return true;
}

/** Bits of a subtable that begins with a code of a length, of which so many are left: enough for all that it must hold. */
function subtableBits(length: u32, left: u32, bits: u32): u32 {
  let subBits = length - bits;
  let free: i32 = (1 << subBits) - <i32> left;
  let longer = length;
  while (free > 0 && longer < MOST_BITS) {
    longer += 1;
    subBits += 1;
    free = (free << 1) - <i32> load<u32>(counts + (longer << 2));
  }
  return subBits;
}

function reversed16(code: u32): u32 {
  let bits = (code & 0x5555) << 1 | (code & 0xaaaa) >> 1;
  bits = (bits & 0x3333) << 2 | (bits & 0xcccc) >> 2;
  bits = (bits & 0x0f0f) << 4 | (bits & 0xf0f0) >> 4;
  return (bits & 0x00ff) << 8 | bits >> 8;
}

/** Joins symbols: for each row of bits the bytes that it begins with, and a length behind them if all its code is there. */
function buildFirst(): void {
  const size: u32 = 1 << FIRST_BITS;
  for (let row: u32 = 0; row < size; row++) {
    let bytes: u32 = 0;
    let count: u32 = 0;
    let used: u32 = 0;
    let what: u32 = 0;
    for (;;) {
      const symbol = load<u32>(symbolTable + ((row >> used) << 2));
      const codeBits: u32 = symbol >> 8 & 63;
      if (symbol === 0 || (symbol & EXCEPTION) !== 0 || used + codeBits > FIRST_BITS) {
        if (count === 0) what = RARE;
        break;
      }
      if ((symbol & LITERAL) === 0) {
        // A length: the bits in all include the extra ones, which need not be in this row.
        what = <u32> (symbol >> 16) << 19 | (used + codeBits) << 8;
        used += symbol & 255;
        break;
      }
      if (count === 4) break;
      bytes |= (symbol >> 16 & 255) << (count << 3);
      count += 1;
      used += codeBits;
    }
    store<u64>(firstTable + (row << 3), <u64> (what | count << 16 | used) << 32 | bytes);
  }
}
