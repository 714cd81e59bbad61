// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Finds the rows of a CSV and counts their cells, sixteen bytes at a time.
 *
 * `lake/rows/row_checker.ts` copies bytes into memory and calls `scan`. It skips rows of the right width and stops at
 * the end of all others: the header, an empty line, a row without any value, of another width, of an unusual form or
 * with a NUL. The
 * caller examines that row, calls `nextRow` and continues. State persists between calls, so that the input may be cut
 * anywhere.
 *
 * Once `setKind` has said what some columns hold, the cells of a row of the right width are looked at a second time,
 * and those that are not canonical for their kind are listed for the caller, up to what the list holds.
 *
 * Constants of 16 bytes are loaded from memory once a call: written as literals, V8 builds them anew in every turn.
 * Loads may reach 15 bytes beyond the end: the caller keeps them readable.
 */

import { INTEGER, isPlain } from "./rows_plain.as.ts";

const COMMA: u8 = 44;
const SPACE: u8 = 32;
const TAB: u8 = 9;
const CR: u8 = 13;
const LF: u8 = 10;
const QUOTE: u8 = 34;

const COMMAS = memory.data<u8>([44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44], 16);
const RETURNS = memory.data<u8>([13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13], 16);
const FEEDS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
const ZEROS = memory.data<u8>([48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48], 16);
const TENS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
const QUOTES = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);

/** All bytes up to `end` are looked at: more are needed. */
const MORE: i32 = 0;
/** A row that is not as usual ends at `at`. */
const UNUSUAL: i32 = 1;
/** Text follows a closing quote; `at` is at the quote. */
const STRAY: i32 = 2;
/** The list of cells may have no room for those of another row: it must be emptied. */
const FULL: i32 = 3;
/** A quoted cell with line feeds is longer than `maxQuoted`. */
const LONG: i32 = 4;

/** Columns that may have a kind. */
export const MAX_KINDS: i32 = 65536;
/** Numbers of 32 bits that stand for a listed cell: its column, its row among `rows`, where it begins and ends. */
const CELL_NUMBERS: i32 = 4;
/** Cells that are listed at most. */
const MAX_LISTED: i32 = 2 * 65536;

/** Kind of each column, a byte each. */
const kinds: usize = __heap_base;
/** For each column the first one behind it that is of another kind, four bytes each. */
const runs: usize = kinds + <usize> MAX_KINDS;
/** The list of cells. */
export const listedCells: usize = runs + <usize> (MAX_KINDS * 4);
/** Where the caller may put bytes. */
export const space: usize = listedCells + <usize> (MAX_LISTED * CELL_NUMBERS * 4);

/** Pointer to the next byte. */
export let at: i32 = 0;
/** Pointer to where the row under way begins. */
export let rowStart: i32 = 0;
/** Cells that a usual row has; 0 until the header is known. */
export let width: i32 = 0;
/** Usual rows that ended since `takeRows`. */
export let rows: i32 = 0;
/** Line on which the row under way begins, counted from 1. */
export let line: f64 = 1;
/** Whether the row under way is in a quoted cell. */
export let quoted: bool = false;
/** Whether the row under way, or the one just ended, holds a NUL. */
export let nul: bool = false;

/** Cells that are listed: those that are not canonical for the kind of their column. */
export let listed: i32 = 0;

/** Columns up to the last one that has a kind. */
let looked: i32 = 0;
let commas: i32 = 0;
/** Line feeds in the row under way. */
export let feeds: i32 = 0;
/** Where the quoted cell under way, or the last one, opened, and line feeds of the row before it. */
export let openedAt: i32 = 0;
export let openedFeeds: i32 = 0;
/** Most bytes of a quoted cell with line feeds. */
// deno-lint-ignore prefer-const -- the caller sets it
export let maxQuoted: i32 = i32.MAX_VALUE;
let unusual: bool = false;

/** Begins a text at a pointer. */
export function begin(pointer: i32): void {
  at = pointer;
  rowStart = pointer;
}

/** Goes on where another instance was, at the beginning of a row. */
export function resume(atLine: f64, cells: i32): void {
  line = atLine;
  width = cells;
}

/** Sets the number of cells of a usual row. */
export function setWidth(cells: i32): void {
  width = cells;
}

/** Sets what a column holds. `setKinds` has to follow. */
export function setKind(column: i32, kind: u8): void {
  store<u8>(kinds + column, kind);
  if (column >= looked) looked = column + 1;
}

/** Ends the saying of what columns hold. */
export function setKinds(columns: i32): void {
  let end = columns;
  for (let column = columns - 1; column >= 0; column--) {
    if (column + 1 < columns && load<u8>(kinds + column) !== load<u8>(kinds + column + 1)) end = column + 1;
    store<i32>(runs + <usize> (column * 4), end);
  }
  while (looked > 0 && load<u8>(kinds + looked - 1) === 0) looked--;
}

/** Counts usual rows from 0 again, and empties the list of cells. */
export function takeRows(): i32 {
  const taken = rows;
  rows = 0;
  listed = 0;
  return taken;
}

/** Everything in memory has moved to the front by this much. */
export function moveBack(bytes: i32): void {
  at -= bytes;
  rowStart -= bytes;
  openedAt -= bytes;
}

/** Begins the row after the one that ended. */
export function nextRow(): void {
  line += <f64> (feeds + 1);
  feeds = 0;
  commas = 0;
  unusual = false;
  nul = false;
  rowStart = at;
}

/** Whether the row that ends before `at` consists of separators, quotes and white space. */
function holdsNothing(): bool {
  let first: usize = rowStart;
  while (first < <usize> at) {
    const byte = load<u8>(first);
    if (byte !== COMMA && byte !== QUOTE && byte !== SPACE && byte !== TAB && byte !== CR && byte !== LF) return false;
    first++;
  }
  return true;
}

/** Records one cell if its column has a kind and it is not written plainly. An empty cell is null. */
function lookAt(column: i32, start: i32, end: i32): void {
  const kind = load<u8>(kinds + column);
  if (kind === 0 || start === end || isPlain(kind, start, end)) return;
  const entry = listedCells + <usize> (listed * CELL_NUMBERS * 4);
  store<i32>(entry, column);
  store<i32>(entry, rows, 4);
  store<i32>(entry, start, 8);
  store<i32>(entry, end, 12);
  listed++;
}

/**
 * Looks at the cells of a row of the right width; its line feed is before `end`.
 *
 * Sixteen bytes that are all of texts, or all of plain integers, are passed at once; elsewhere each cell is looked at.
 */
function lookAtCells(end: i32): void {
  const comma = v128.load(COMMAS);
  const quote = v128.load(QUOTES);
  const zero = v128.load(ZEROS);
  const ten = v128.load(TENS);
  const last = load<u8>(end - 2) === CR && end - 2 >= rowStart ? end - 2 : end - 1;
  let column = 0;
  let start = rowStart;
  // Whether the bytes between `start` and the block are digits of a plain integer.
  let known = false;
  let block = rowStart;
  while (block < last) {
    const bytes = v128.load(block);
    let ends = i8x16.bitmask(i8x16.eq(bytes, comma));
    let inside = 0xffff;
    const quotes = i8x16.bitmask(i8x16.eq(bytes, quote));
    if (quotes !== 0 && block + ctz(quotes) < last) {
      // A quote begins a cell: those before it first, then to where it closes.
      for (const opening = block + ctz(quotes); start < opening; ends &= ends - 1) {
        const pointer = block + ctz(ends);
        lookAt(column, start, pointer);
        start = pointer + 1;
        column++;
      }
      let to = start + 1;
      while (load<u8>(to) !== QUOTE || load<u8>(to + 1) === QUOTE) to += load<u8>(to) === QUOTE ? 2 : 1;
      lookAt(column, start, to + 1);
      start = to + 2;
      if (++column >= looked) return;
      block = start;
      known = false;
      continue;
    }
    if (last - block < 16) {
      inside = (1 << (last - block)) - 1;
      ends &= inside;
    }
    let count = popcnt(ends);
    const kind = load<u8>(kinds + column);
    if (kind === 0 && column + count < load<i32>(runs + <usize> (column * 4))) {
      if (count !== 0) start = block + 32 - clz(ends);
      column += count;
      known = false;
      block += 16;
      continue;
    }
    if (start < block && !known) {
      if (count === 0) {
        block += 16;
        continue;
      }
      const pointer = block + ctz(ends);
      lookAt(column, start, pointer);
      start = pointer + 1;
      if (++column >= looked) return;
      ends &= ends - 1;
      count--;
    }
    if (load<u8>(kinds + column) === INTEGER && column + count < load<i32>(runs + <usize> (column * 4))) {
      if (start > block) inside &= ~((1 << (start - block)) - 1);
      const digits = i8x16.bitmask(i8x16.lt_u(i8x16.sub(bytes, zero), ten));
      const begins = i8x16.bitmask(i8x16.eq(v128.load(block - 1), comma)) | (block === rowStart ? 1 : 0);
      const zeros = i8x16.bitmask(i8x16.eq(bytes, zero));
      const digitsNext = i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(block + 1), zero), ten));
      const firstEnd = count === 0 ? block + 16 : block + ctz(ends);
      const isListed = inside & ~(digits | ends) | inside & begins & zeros & digitsNext;
      if (isListed === 0 && digits !== 0xffff && firstEnd - start <= 18) {
        if (count !== 0) start = block + 32 - clz(ends);
        column += count;
        if (column >= looked) return;
        known = true;
        block += 16;
        continue;
      }
    }
    known = false;
    while (ends !== 0) {
      const pointer = block + ctz(ends);
      lookAt(column, start, pointer);
      start = pointer + 1;
      if (++column >= looked) return;
      ends &= ends - 1;
    }
    block += 16;
  }
  if (start <= last) lookAt(column, start, last);
}

function beginsCell(pointer: i32): bool {
  return pointer === rowStart || load<u8>(pointer - 1) === COMMA;
}

/** Whether the quoted cell under way is too long, up to `at`. */
function isLong(): bool {
  return at - openedAt > maxQuoted && feeds !== openedFeeds;
}

/** Looks at bytes up to `end`; `isLast` when nothing comes after them. */
export function scan(end: i32, isLast: bool): i32 {
  const comma = v128.load(COMMAS);
  const cr = v128.load(RETURNS);
  const lf = v128.load(FEEDS);
  const quote = v128.load(QUOTES);
  const zero = i8x16.splat(0);
  const wide = end - 16;
  while (at < end) {
    if (quoted) {
      let found = false;
      while (at <= wide) {
        const block = v128.load(at);
        const closes = i8x16.bitmask(i8x16.eq(block, quote));
        const lines = i8x16.bitmask(i8x16.eq(block, lf));
        if (closes === 0) {
          feeds += popcnt(lines);
          at += 16;
          continue;
        }
        const offset = ctz(closes);
        feeds += popcnt(lines & ((1 << offset) - 1));
        at += offset;
        found = true;
        break;
      }
      while (!found && at < end) {
        const byte = load<u8>(at);
        if (byte === QUOTE) {
          found = true;
          break;
        }
        if (byte === LF) feeds++;
        at++;
      }
      if (!found) return isLong() ? LONG : MORE;
      // `at` is at a quote: the byte after it decides whether the cell ends.
      if (at + 1 >= end) {
        if (!isLast) return MORE;
        quoted = false;
        at++;
        continue;
      }
      const next = load<u8>(at + 1);
      if (next === QUOTE) {
        at += 2;
        continue;
      }
      if (next === CR) {
        if (at + 2 >= end && !isLast) return MORE;
        if (at + 2 < end && load<u8>(at + 2) !== LF) return STRAY;
      } else if (next !== COMMA && next !== LF) return STRAY;
      if (isLong()) return LONG;
      // An empty quoted cell is null, which polars would not treat as such.
      if (at > rowStart && load<u8>(at - 1) === QUOTE && beginsCell(at - 1)) unusual = true;
      quoted = false;
      at++;
      continue;
    }
    let special: i32 = 0;
    while (at <= wide) {
      const block = v128.load(at);
      const marks = v128.or(
        v128.or(i8x16.eq(block, lf), i8x16.eq(block, quote)),
        v128.or(i8x16.eq(block, cr), i8x16.eq(block, zero)),
      );
      const cells = i8x16.bitmask(i8x16.eq(block, comma));
      special = i8x16.bitmask(marks);
      if (special === 0) {
        commas += popcnt(cells);
        at += 16;
        continue;
      }
      const offset = ctz(special);
      commas += popcnt(cells & ((1 << offset) - 1));
      at += offset;
      break;
    }
    if (at >= end) return MORE;
    const byte = load<u8>(at);
    if (byte === COMMA) commas++;
    else if (byte === LF) {
      at++;
      if (width === 0 || holdsNothing() || commas !== width - 1 || unusual || nul) return UNUSUAL;
      if (looked !== 0) lookAtCells(at);
      rows++;
      nextRow();
      if (listed + looked > MAX_LISTED) return FULL;
      continue;
    } else if (byte === QUOTE) {
      if (beginsCell(at)) {
        quoted = true;
        openedAt = at;
        openedFeeds = feeds;
      } else unusual = true;
    } else if (byte === CR) {
      if (at + 1 >= end) {
        if (!isLast) return MORE;
      } else if (load<u8>(at + 1) !== LF) unusual = true;
    } else if (byte === 0) nul = true;
    at++;
  }
  return MORE;
}
