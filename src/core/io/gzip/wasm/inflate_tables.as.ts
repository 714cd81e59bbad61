// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * The tables that say what the next bits of a deflated text mean. See `inflate.as.ts`.
 *
 * An entry of a plain table means one symbol, in 32 bits; 0 is no code:
 *
 *     31        30..16       15         14        13..8              7..0
 *     literal   value        exception  subtable  bits of the code   bits in all
 *
 * The value is a byte, the least length or distance, or the index of a subtable. The bits in all are those of the code
 * and of the extra bits behind it, which are added to the value. The only exceptions are the end of a block and a
 * subtable, which holds the codes that begin with these bits and are longer; its bits of the code are how many it is
 * asked with.
 *
 * An entry of the first table means all that its row of bits tells at once, in 64 bits: bytes, then perhaps a length,
 * then perhaps its distance.
 *
 *     63..32                    31     30    29..25            24..16   15..13           12..8                   5..0
 *     bytes, the first lowest   rare   odd   distance symbol   length   count of bytes   bits before the extra   bits
 * in all
 *
 * Of an odd entry the distance is not in the row, so the length is the least one and its extra bits are those to be
 * added; otherwise the length is whole, and the extra bits are those of the distance. Without a length, the length is 0
 * and the distance symbol `NO_DISTANCE`. A rare entry has nothing but its flags: the plain table tells.
 */

/** Bits that the tables are asked with. */
export const FIRST_BITS: u32 = 11;
export const SYMBOL_BITS: u32 = 9;
export const DISTANCE_BITS: u32 = 9;

/** Flags of an entry of a plain table. */
export const LITERAL: u32 = 0x80000000;
export const EXCEPTION: u32 = 0x8000;
export const SUBTABLE: u32 = 0x4000;
/** Flags of an entry of the first table, in its lower half: less than the lesser of them is neither. */
export const RARE: u32 = 0x80000000;
export const ODD: u32 = 0x40000000;

/** Entries of subtables at most: codes of up to 15 bits need far fewer. */
const SUB_ENTRIES: u32 = 2048;

export const firstTable: usize = memory.data((1 << 11) * 8, 64);
export const symbolTable: usize = memory.data(((1 << 9) + 2048) * 4, 16);
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

/** For the first table: the least distance of each symbol and the mask of its extra bits, 4 bytes each. */
export const distanceValues: usize = memory.data(31 * 8, 8);
/**
 * The symbol of no distance: it means 64 bytes ahead, where nothing has been written of late that a copy would wait
 * for.
 */
const NO_DISTANCE: u32 = 30;
const AHEAD: u32 = -64;

const MOST_BITS: u32 = 15;
/** Counts, first codes and first indices of the symbols by the length of their codes; symbols in the order of codes. */
const counts: usize = memory.data(16 * 4, 4);
const nextCodes: usize = memory.data(16 * 4, 4);
const indices: usize = memory.data(17 * 4, 4);
const sorted: usize = memory.data(320 * 2, 2);
/**
 * Codes that are short enough for the first table, in the order of their lengths: code, bits, meaning; 8 bytes each.
 */
const symbolCodes: usize = memory.data((288 + 1) * 8, 8);
const distanceCodes: usize = memory.data((32 + 1) * 8, 8);
const fixedLengths: usize = memory.data(288 + 32);
let isFixed: bool = false;

/** Builds the tables of a block's codes; false when the lengths make no code. */
export function buildTables(symbols: usize, symbolCount: u32, distances: usize, distanceCount: u32): bool {
  isFixed = false;
  if (!buildPlain(symbolTable, SYMBOL_BITS, symbols, symbolCount, true)) return false;
  if (!buildPlain(distanceTable, DISTANCE_BITS, distances, distanceCount, false)) return false;
  buildFirst();
  return true;
}

/** Builds the tables of the code that blocks may use without describing it. */
export function buildFixed(): void {
  if (isFixed) return;
  for (let symbol: u32 = 0; symbol < 288; symbol++) {
    store<u8>(fixedLengths + symbol, symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8);
  }
  memory.fill(fixedLengths + 288, 5, 32);
  buildTables(fixedLengths, 288, fixedLengths + 288, 32);
  isFixed = true;
}

/** What a symbol means, with the bits of its extra instead of the bits in all; 0 for one that must not come. */
function meaningOf(symbol: u32, isSymbols: bool): u32 {
  if (!isSymbols) {
    if (symbol >= 30) return 0;
    return <u32> load<u16>(DISTANCES + (symbol << 1)) << 16 | distanceExtra(symbol);
  }
  if (symbol < 256) return LITERAL | symbol << 16;
  if (symbol === 256) return EXCEPTION;
  if (symbol > 285) return 0;
  return <u32> load<u16>(LENGTHS + ((symbol - 257) << 1)) << 16 | load<u8>(LENGTH_EXTRA + symbol - 257);
}

/** Extra bits of a distance. */
function distanceExtra(symbol: u32): u32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}

/** Sorts symbols by their codes; 1 if the code is complete, 0 if it is incomplete, -1 if it is over-subscribed. */
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
  let index: u32 = 0;
  for (let length: u32 = 1; length <= MOST_BITS; length++) {
    const those = load<u32>(counts + (length << 2));
    left = (left << 1) - <i32> those;
    if (left < 0) return -1;
    code = (code + load<u32>(counts + ((length - 1) << 2))) << 1;
    store<u32>(nextCodes + (length << 2), code);
    store<u32>(indices + (length << 2), index);
    index += those;
    if (those !== 0) longest = length;
  }
  // One code of one bit is allowed, and none at all where only bytes come.
  if (left > 0 && longest > 1) return -1;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length === 0) continue;
    const slot = indices + (<usize> length << 2);
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
  let list = isSymbols ? symbolCodes : distanceCodes;
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
      if (length <= FIRST_BITS && meaning !== 0) {
        store<u16>(list, <u16> asked);
        store<u16>(list, <u16> length, 2);
        store<u32>(list, isSymbols ? meaning : symbol, 4);
        list += 8;
      }
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
  store<u16>(list, <u16> (FIRST_BITS + 1), 2);
  return true;
}

/**
 * Bits of a subtable that begins with a code of a length, of which so many are left: enough for all that it must hold.
 */
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

/** Builds the first table: each row says all that its bits tell. */
function buildFirst(): void {
  for (let symbol: u32 = 0; symbol < 30; symbol++) {
    store<u32>(distanceValues + (symbol << 3), load<u16>(DISTANCES + (symbol << 1)));
    store<u32>(distanceValues + (symbol << 3), (1 << distanceExtra(symbol)) - 1, 4);
  }
  store<u32>(distanceValues + (NO_DISTANCE << 3), AHEAD);
  fillRows(0, 0, RARE | ODD, 0);
  joinSymbols(0, 0, 0, 0);
}

/** Writes an entry into all rows that begin with some bits. */
function fillRows(begin: u32, bits: u32, rest: u32, bytes: u32): void {
  const entry = <u64> bytes << 32 | rest;
  const step: usize = 8 << bits;
  const end = firstTable + (8 << FIRST_BITS);
  for (let pointer = firstTable + (begin << 3); pointer < end; pointer += step) store<u64>(pointer, entry);
}

/**
 * Fills the rows that begin with so many bits, which mean so many bytes: with each symbol that may come behind them.
 */
function joinSymbols(begin: u32, used: u32, bytes: u32, count: u32): void {
  for (let list = symbolCodes;; list += 8) {
    const bits = used + load<u16>(list, 2);
    if (bits > FIRST_BITS) return;
    const row = begin | <u32> load<u16>(list) << used;
    const meaning = load<u32>(list, 4);
    if (meaning & LITERAL) {
      const more = bytes | (meaning >> 16 & 255) << (count << 3);
      fillRows(row, bits, NO_DISTANCE << 25 | (count + 1) << 13 | bits, more);
      if (count < 3) joinSymbols(row, bits, more, count + 1);
    } else if ((meaning & EXCEPTION) === 0) joinDistances(row, bits, meaning, bytes, count);
  }
}

/** Fills the rows that begin with so many bits, of which the last mean a length: with each distance that may come. */
function joinDistances(begin: u32, used: u32, meaning: u32, bytes: u32, count: u32): void {
  const extra = meaning & 255;
  const least = meaning >> 16;
  const behind = used + extra;
  // Behind bytes, a length without its distance waits for the next look, which is likely to find both.
  if (count === 0) fillRows(begin, used, ODD | least << 16 | used << 8 | behind, bytes);
  if (behind >= FIRST_BITS) return;
  const values: u32 = 1 << extra;
  for (let value: u32 = 0; value < values; value++) {
    for (let list = distanceCodes;; list += 8) {
      const bits = behind + load<u16>(list, 2);
      if (bits > FIRST_BITS) break;
      const row = begin | value << used | <u32> load<u16>(list) << behind;
      const symbol = load<u32>(list, 4);
      fillRows(
        row,
        bits,
        symbol << 25 | (least + value) << 16 | count << 13 | bits << 8 | bits + distanceExtra(symbol),
        bytes,
      );
    }
  }
}
