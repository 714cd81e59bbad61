// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Columns of numbers and of booleans. See `columns.as.ts`. */
import { FACTOR, mix } from "./columns_bytes.as.ts";
import { firstCell, free, indices, nextCell, SLOTS, slots } from "./columns_memory.as.ts";
import {
  beginColumn,
  greatest,
  greatestBytes,
  isTooMany,
  least,
  leastBytes,
  nextTurn,
  pageEnd,
  putIndices,
  putLevels,
  SLOT_BITS,
  turn,
} from "./columns_pages.as.ts";

/** Returns a number that is not written plainly. */
declare function readFloat(start: i32, end: i32): f64;

const MINUS: u8 = 45;

const POINT: u8 = 46;

const TRUE: u8 = 116;

/** Kinds of numbers; days are whole numbers of four bytes. */
const FLOAT: i32 = 1;

const DAY: i32 = 2;

/** Powers of ten that a float holds exactly. */
const TENS = memory.data<f64>([
  1,
  1e1,
  1e2,
  1e3,
  1e4,
  1e5,
  1e6,
  1e7,
  1e8,
  1e9,
  1e10,
  1e11,
  1e12,
  1e13,
  1e14,
  1e15,
]);

/** Digits of a number that is a fraction of two whole numbers, both exact, and so has one rounding. */
const MAX_DIGITS: i32 = 15;

function integerAt(start: i32, end: i32): i64 {
  let pointer = load<u8>(start) === MINUS ? start + 1 : start;
  let value: i64 = 0;
  for (; pointer < end; pointer++) value = value * 10 + <i64> (load<u8>(pointer) - 48);
  return load<u8>(start) === MINUS ? -value : value;
}

function floatAt(start: i32, end: i32): f64 {
  const isNegative = load<u8>(start) === MINUS;
  let value: i64 = 0;
  let digits = 0;
  let point = -1;
  for (let pointer = isNegative ? start + 1 : start; pointer < end; pointer++) {
    const byte = load<u8>(pointer);
    if (byte === POINT && point < 0) {
      point = digits;
      continue;
    }
    if (<u8> (byte - 48) > 9 || ++digits > MAX_DIGITS) return readFloat(start, end);
    value = value * 10 + <i64> (byte - 48);
  }
  const whole = <f64> value;
  const number = point < 0 ? whole : whole / load<f64>(TENS + (<usize> (digits - point) << 3));
  return isNegative ? -number : number;
}

function numberAt(cell: i32, kind: i32): u64 {
  const start = cell + 4;
  if (kind === DAY) return <u64> <i64> load<i32>(start);
  const end = start + load<i32>(cell);
  return kind === FLOAT ? reinterpret<u64>(floatAt(start, end)) : <u64> integerAt(start, end);
}

function putNumber(to: i32, value: u64, kind: i32): i32 {
  if (kind !== DAY) {
    store<u64>(to, value);
    return to + 8;
  }
  store<i32>(to, <i32> value);
  return to + 4;
}

function numberOf(first: i32, index: i32, kind: i32): u64 {
  return kind === DAY ? <u64> <i64> load<i32>(first + index * 4) : load<u64>(first + index * 8);
}

function isLess(a: u64, b: u64, kind: i32): bool {
  return kind === FLOAT ? reinterpret<f64>(a) < reinterpret<f64>(b) : <i64> a < <i64> b;
}

/** Lays a column of numbers out. */
export function encodeNumbers(column: i32, kind: i32): void {
  const count = beginColumn(column);
  const out = free;
  let lowest: u64 = 0;
  let highest: u64 = 0;
  nextTurn();
  let found = 0;
  let to = out;
  let index = indices;
  let seen = 0;
  for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
    const value = numberAt(cell, kind);
    if (seen === 0) lowest = highest = value;
    let slot = <usize> (mix(value, 0) * FACTOR >> (64 - SLOT_BITS));
    for (;;) {
      const held = load<u32>(slots + slot * 4);
      if (held >> 16 !== turn) {
        store<u32>(slots + slot * 4, (turn << 16) | found);
        to = putNumber(to, value, kind);
        store<u16>(index, <u16> found);
        if (isLess(value, lowest, kind)) lowest = value;
        if (isLess(highest, value, kind)) highest = value;
        found++;
        break;
      }
      if (numberOf(out, held & 0xffff, kind) === value) {
        store<u16>(index, <u16> held);
        break;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    index += 2;
    seen++;
    if (isTooMany(found, seen)) break;
  }
  if (found !== 0 && seen === count && found * 4 <= count * 3) putIndices(column, found, to);
  else {
    beginColumn(column);
    to = putLevels(column, out);
    for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
      const value = numberAt(cell, kind);
      if (isLess(value, lowest, kind)) lowest = value;
      if (isLess(highest, value, kind)) highest = value;
      to = putNumber(to, value, kind);
    }
    pageEnd = to;
  }
  if (count === 0) return;
  least = pageEnd;
  greatest = putNumber(least, lowest, kind);
  leastBytes = greatestBytes = putNumber(greatest, highest, kind) - greatest;
}

/** Lays a column of `true` and `false` out. */
export function encodeBooleans(column: i32): void {
  const count = beginColumn(column);
  const to = putLevels(column, free);
  const bytes = (count + 7) >> 3;
  memory.fill(to, 0, bytes);
  let truths = 0;
  let index = 0;
  for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
    const isTrue = load<u8>(cell + 4) === TRUE;
    const pointer = to + (index >> 3);
    if (isTrue) store<u8>(pointer, load<u8>(pointer) | (<u8> 1 << <u8> (index & 7)));
    truths += <i32> isTrue;
    index++;
  }
  pageEnd = to + bytes;
  if (count === 0) return;
  least = pageEnd;
  greatest = pageEnd + 1;
  store<u8>(least, truths === count ? 1 : 0);
  store<u8>(greatest, truths === 0 ? 0 : 1);
  leastBytes = 1;
  greatestBytes = 1;
}
