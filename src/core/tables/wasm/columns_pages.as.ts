// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** What is laid out of a column, and the pages of dictionary indices. See `columns.as.ts`. */
import { isBefore, putVarint } from "./columns_bytes.as.ts";
import { list, putListLevels } from "./columns_lists.as.ts";
import {
  ALL_BLOCKS,
  cellCount,
  free,
  indices,
  MAX_DISTINCT,
  reserve,
  rows,
  SLACK,
  SLOTS,
  slots,
  STATE_BYTES,
  states,
  valid,
  validBytes,
} from "./columns_memory.as.ts";

/** Distinct values after which dictionary encoding is abandoned. */
const FIRST_VALUES: i32 = 4096;

/**
 * Slots of the hash table of distinct values. A slot holds the generation in which it was filled and the value's
 * dictionary index.
 */
export const SLOT_BITS: u64 = 16;

const MAX_TURN: u32 = 65535;

/** Minimum length of a run of equal values that is written as one. */
const LONG_RUN: i32 = 64;

export let turn: u32 = 0;

/** The encoded column: its distinct values, if it has a dictionary. */
export let distinct: i32 = 0;

export let dictionary: i32 = 0;
export let dictionaryEnd: i32 = 0;

/** Its page. */
export let page: i32 = 0;

export let pageEnd: i32 = 0;

/** Its values, those that are null among them: rows, or items of a list. */
export let values: i32 = 0;

/** Its rows without a value. */
export let nulls: i32 = 0;

/** Its least and greatest value, if it has one. */
export let least: i32 = 0;

export let leastBytes: i32 = 0;
export let greatest: i32 = 0;
export let greatestBytes: i32 = 0;

/** Empties the table of distinct values. */
export function nextTurn(): void {
  turn++;
  if (turn <= MAX_TURN) return;
  memory.fill(slots, 0, SLOTS * 4);
  turn = 1;
}

export function isTooMany(found: i32, seen: i32): bool {
  return found === MAX_DISTINCT || (seen === FIRST_VALUES && found * 4 > seen * 3);
}

export function widen(pointer: i32, bytes: i32): void {
  if (leastBytes < 0 || isBefore(pointer, bytes, least, leastBytes)) {
    least = pointer;
    leastBytes = bytes;
  }
  if (greatestBytes < 0 || isBefore(greatest, greatestBytes, pointer, bytes)) {
    greatest = pointer;
    greatestBytes = bytes;
  }
}

/** Begins to lay a column out. */
export function beginColumn(column: i32): i32 {
  const count = cellCount(column);
  const out = free;
  // Distinct values and dictionary indices take less than the values and two bytes each, or ten bytes; levels a bit.
  reserve(out + load<i32>(states + <usize> column * STATE_BYTES, ALL_BLOCKS) + 10 * count + rows + SLACK);
  nulls = rows - count;
  values = rows;
  distinct = 0;
  dictionary = out;
  dictionaryEnd = out;
  page = out;
  pageEnd = out;
  leastBytes = -1;
  greatestBytes = -1;
  return count;
}

/** Begins the page with which rows have a value; returns where it ends. */
export function putLevels(column: i32, to: i32): i32 {
  page = to;
  if (list >= 0) return putListLevels(to);
  const begins = to + 4;
  if (nulls === 0 || nulls === rows) {
    to = putVarint(<u32> rows << 1, begins);
    store<u8>(to++, nulls === 0 ? 1 : 0);
  } else {
    const bytes = (rows + 7) >> 3;
    to = putVarint((<u32> bytes << 1) | 1, begins);
    memory.copy(to, valid + <usize> column * validBytes, bytes);
    to += bytes;
  }
  store<i32>(page, to - begins);
  return to;
}

/** Writes the page of a column whose distinct values end at a pointer. */
export function putIndices(column: i32, found: i32, end: i32): void {
  distinct = found;
  dictionaryEnd = end;
  let to = putLevels(column, end);
  const count = rows - nulls;
  const width = found <= 2 ? 1 : 32 - clz(found - 1);
  store<u8>(to++, <u8> width);
  let literal = 0;
  let from = 0;
  while (from < count) {
    const run = count - from < LONG_RUN ? 0 : runFrom(from, count);
    if (run < LONG_RUN) {
      from += 8;
      continue;
    }
    to = pack(literal, from, width, to);
    to = putVarint(<u32> run << 1, to);
    const value = load<u16>(indices + <usize> from * 2);
    store<u8>(to++, <u8> value);
    if (width > 8) store<u8>(to++, <u8> (value >> 8));
    from += run;
    literal = from;
  }
  pageEnd = pack(literal, count, width, to);
}

/** Number of equal indices from one on. */
function runFrom(from: i32, count: i32): i32 {
  const value = load<u16>(indices + <usize> from * 2);
  let to = from + 1;
  while (to < count && load<u16>(indices + <usize> to * 2) === value) to++;
  return to - from;
}

/** Writes indices as bits, eight indices in `width` bytes; those after the last are 0. */
function pack(from: i32, end: i32, width: i32, to: i32): i32 {
  if (from >= end) return to;
  const groups = (end - from + 7) >> 3;
  to = putVarint((<u32> groups << 1) | 1, to);
  const finish = to + groups * width;
  let bits: u64 = 0;
  let held: u64 = 0;
  let pointer = to;
  for (let index = from; index < end; index++) {
    bits |= <u64> load<u16>(indices + <usize> index * 2) << held;
    held += width;
    if (held < 32) continue;
    store<u32>(pointer, <u32> bits);
    pointer += 4;
    bits >>= 32;
    held -= 32;
  }
  for (; pointer < finish; pointer++) {
    store<u8>(pointer, <u8> bits);
    bits >>= 8;
  }
  return finish;
}
