// deno-lint-ignore-file no-import-assign no-unused-vars prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Rows of CSV to columns as Parquet has them.
 *
 * `_part_encoder.ts` copies rows into memory that `rows.as.ts` has checked: each ends with a line feed, has as many
 * cells as there are columns, and has a quote only where a cell begins with one. `split` copies each cell that is not
 * empty to its column, after its length, in linked blocks of memory: a column can then be read sequentially.
 * `encodeTexts`, `encodeNumbers` and `encodeBooleans` encode one column: its distinct values and, for each row, the
 * dictionary index; or, if most values differ, the values themselves.
 *
 * Loads may reach 31 bytes beyond the text, and copies 15 beyond what they write: so much memory is kept.
 *
 * - `columns_split.as.ts`: the text to cells.
 * - `columns_memory.as.ts`: where the text, the cells of each column and what is laid out lie.
 * - `columns_pages.as.ts`: what is known of the column that was laid out, its levels, its dictionary indices.
 * - `columns_numbers.as.ts`: numbers and booleans.
 * - `columns_lists.as.ts`: items of lists and their levels.
 * - `columns_bytes.as.ts`: texts compared, hashed and copied.
 */
import { hashOf, isBefore, isSame, putText } from "./columns_bytes.as.ts";
import { itemEnd, itemStart, list, listEntries, nextItem } from "./columns_lists.as.ts";
import {
  ALL_BLOCKS,
  append,
  beginMade,
  cellCount,
  columns,
  entries,
  firstCell,
  free,
  indices,
  isValid,
  MADE_COLUMNS,
  nextCell,
  reserve,
  rows,
  setValid,
  SLACK,
  SLOTS,
  slots,
  STATE_BYTES,
  states,
} from "./columns_memory.as.ts";
import {
  beginColumn,
  isTooMany,
  nextTurn,
  nulls,
  pageEnd,
  putIndices,
  putLevels,
  SLOT_BITS,
  turn,
  values,
  widen,
} from "./columns_pages.as.ts";

export { begin, cellCount, text } from "./columns_memory.as.ts";
export { encodeBooleans, encodeNumbers } from "./columns_numbers.as.ts";
export {
  dictionary,
  dictionaryEnd,
  distinct,
  greatest,
  greatestBytes,
  least,
  leastBytes,
  nulls,
  page,
  pageEnd,
  values,
} from "./columns_pages.as.ts";
export { split } from "./columns_split.as.ts";

/** Sets `earliest`, `latest` and `precision` to those of a date, or returns that it is invalid. */
declare function readDate(start: i32, end: i32): i32;

/** `year`, `month`, `day` and `range`, eight bytes each. */
const PRECISIONS = memory.data<u8>([
  121,
  101,
  97,
  114,
  0,
  0,
  0,
  0,
  109,
  111,
  110,
  116,
  104,
  0,
  0,
  0,
  100,
  97,
  121,
  0,
  0,
  0,
  0,
  0,
  114,
  97,
  110,
  103,
  101,
  0,
  0,
  0,
]);

/** The first and the last cell that `ascends` saw; 0 without one. */
export let firstSeen: i32 = 0;

export let lastSeen: i32 = 0;

/** Whether the texts of a column ascend, each after the one before it in the order of bytes. */
export function ascends(column: i32): bool {
  let before = firstSeen = lastSeen = firstCell(column);
  if (before === 0) return true;
  let isAscending = true;
  for (let cell = nextCell(column, before); cell !== 0; cell = nextCell(column, cell)) {
    isAscending = isAscending && isBefore(before + 4, load<i32>(before), cell + 4, load<i32>(cell));
    before = lastSeen = cell;
  }
  return isAscending;
}

/** Lays a column of texts out. */
export function encodeTexts(column: i32): void {
  const count = beginColumn(column);
  const out = free;
  nextTurn();
  let found = 0;
  let to = out;
  let index = indices;
  let seen = 0;
  for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
    const bytes = load<i32>(cell);
    const pointer = cell + 4;
    const hash = hashOf(pointer, bytes);
    let slot = <usize> (hash >> (64 - SLOT_BITS));
    for (;;) {
      const held = load<u32>(slots + slot * 4);
      if (held >> 16 !== turn) {
        store<u32>(slots + slot * 4, (turn << 16) | found);
        store<u32>(entries + <usize> found * 8, <u32> hash);
        store<i32>(entries + <usize> found * 8, to + 4, 4);
        store<u16>(index, <u16> found);
        to = putText(pointer, bytes, to);
        widen(to - bytes, bytes);
        found++;
        break;
      }
      const entry = entries + <usize> (held & 0xffff) * 8;
      if (load<u32>(entry) === <u32> hash) {
        const known = load<i32>(entry, 4);
        if (load<i32>(known - 4) === bytes && isSame(known, pointer, bytes)) {
          store<u16>(index, <u16> held);
          break;
        }
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    index += 2;
    seen++;
    if (isTooMany(found, seen)) break;
  }
  if (found !== 0 && seen === count && found * 4 <= count * 3) return putIndices(column, found, to);
  beginColumn(column);
  to = putLevels(column, out);
  for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
    const bytes = load<i32>(cell);
    const pointer = cell + 4;
    to = putText(pointer, bytes, to);
    widen(to - bytes, bytes);
  }
  pageEnd = to;
}

/** Lays a column of lists out. */
export function encodeLists(column: i32): void {
  beginMade();
  let entries = rows - cellCount(column);
  for (let cell = firstCell(column); cell !== 0; cell = nextCell(column, cell)) {
    const end = cell + 4 + load<i32>(cell);
    const before = cellCount(columns);
    for (let next = nextItem(cell + 4, end); next >= 0; next = nextItem(next, end)) {
      append(columns, itemStart, itemEnd - itemStart);
    }
    entries += max(1, cellCount(columns) - before);
  }
  const freeBefore = free;
  const indicesBefore = indices;
  indices = free;
  free = (free + 2 * cellCount(columns) + SLACK) & ~15;
  // Levels take three bits an item.
  reserve(
    free + load<i32>(states + <usize> columns * STATE_BYTES, ALL_BLOCKS) + 10 * cellCount(columns) + entries + rows,
  );
  list = column;
  listEntries = entries;
  encodeTexts(columns);
  values = entries;
  nulls = entries - cellCount(columns);
  list = -1;
  indices = indicesBefore;
  free = freeBefore;
}

/** What `readDate` found: days since 1970-01-01, and 0 for a year, 1 for a month, 2 for a day. */
export let earliest: i32 = 0;

export let latest: i32 = 0;
export let precision: i32 = 0;

/** A day, to be copied. */
const DAYS = memory.data(32, 16);

/**
 * Makes three columns of one of dates, behind those of the text: the earliest day, the latest and the precision. They
 * are there until the next are made.
 */
export function makeDates(column: i32): void {
  beginMade();
  let cell = firstCell(column);
  for (let row = 0; row < rows; row++) {
    if (!isValid(column, row)) continue;
    const start = cell + 4;
    if (readDate(start, start + load<i32>(cell)) !== 0) {
      store<i32>(DAYS, earliest);
      append(columns, <i32> DAYS, 4);
      store<i32>(DAYS, latest);
      append(columns + 1, <i32> DAYS, 4);
      append(
        columns + 2,
        <i32> (PRECISIONS + <usize> precision * 8),
        5 - <i32> (precision === 0) - 2 * <i32> (precision === 2),
      );
      for (let made = 0; made < MADE_COLUMNS; made++) setValid(columns + made, row);
    }
    cell = nextCell(column, cell);
  }
}
