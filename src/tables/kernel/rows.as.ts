// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Finds the rows of a CSV and counts their cells, sixteen bytes at a time.
 *
 * `_row_checker.ts` puts bytes into memory and calls `scan`. It runs over rows of the right width without a word and
 * stops at the end of any other: the header, an empty line, a row of another width, of an odd form or with a NUL. The
 * caller looks at that row, calls `nextRow` and goes on. State survives from call to call, so that the input may be cut
 * anywhere.
 *
 * Constants of 16 bytes are loaded from memory once a call: written as literals, V8 builds them anew in every turn. Loads
 * may reach 15 bytes beyond the end: the caller keeps them readable.
 */

const COMMA: u8 = 44;
const CR: u8 = 13;
const LF: u8 = 10;
const QUOTE: u8 = 34;

const COMMAS = memory.data<u8>([44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44], 16);
const RETURNS = memory.data<u8>([13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13], 16);
const FEEDS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
const QUOTES = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);

/** All bytes up to `end` are looked at: more are needed. */
const MORE: i32 = 0;
/** A row that is not as usual ends at `at`. */
const UNUSUAL: i32 = 1;
/** Text follows a closing quote. */
const FAULT: i32 = 2;

/** Place of the next byte. */
export let at: i32 = 0;
/** Place where the row under way begins. */
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

let commas: i32 = 0;
let feeds: i32 = 0;
let odd: bool = false;

/** Begins a text at a place in memory. */
export function begin(place: i32): void {
  at = place;
  rowStart = place;
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

/** Counts usual rows from 0 again. */
export function takeRows(): i32 {
  const taken = rows;
  rows = 0;
  return taken;
}

/** Everything in memory has moved to the front by this much. */
export function moveBack(bytes: i32): void {
  at -= bytes;
  rowStart -= bytes;
}

/** Begins the row after the one that ended. */
export function nextRow(): void {
  line += <f64> (feeds + 1);
  feeds = 0;
  commas = 0;
  odd = false;
  nul = false;
  rowStart = at;
}

// @ts-ignore: decorator

function beginsCell(place: i32): bool {
  return place === rowStart || load<u8>(place - 1) === COMMA;
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
      if (!found) return MORE;
      // `at` is at a quote: what comes after it says whether the cell ends.
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
        if (at + 2 < end && load<u8>(at + 2) !== LF) return FAULT;
      } else if (next !== COMMA && next !== LF) return FAULT;
      // An empty cell in quotes is no value, which polars would not know.
      if (at > rowStart && load<u8>(at - 1) === QUOTE && beginsCell(at - 1)) odd = true;
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
      const length = at - rowStart;
      at++;
      const isEmpty = length === 0 || (length === 1 && load<u8>(rowStart) === CR);
      if (width === 0 || isEmpty || commas !== width - 1 || odd || nul) return UNUSUAL;
      rows++;
      nextRow();
      continue;
    } else if (byte === QUOTE) {
      if (beginsCell(at)) quoted = true;
      else odd = true;
    } else if (byte === CR) {
      if (at + 1 >= end) {
        if (!isLast) return MORE;
      } else if (load<u8>(at + 1) !== LF) odd = true;
    } else if (byte === 0) nul = true;
    at++;
  }
  return MORE;
}
