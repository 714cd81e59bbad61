// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** The text to cells. See `columns.as.ts`. */
import { CR } from "./columns_bytes.as.ts";
import {
  at,
  columns,
  free,
  madeFrom,
  maxRows,
  put,
  rows,
  SLACK,
  STATE_BYTES,
  states,
  textEnd,
  valid,
  validBytes,
} from "./columns_memory.as.ts";

const COMMA: u8 = 44;

const QUOTE: u8 = 34;

const COMMAS = memory.data<u8>([44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44], 16);

const FEEDS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);

const QUOTES = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);

/** Whether the quoted cell that was closed last holds a quote. */
let holdsQuote: bool = false;

/** The quote that ends a cell whose text begins at a pointer. */
function closing(pointer: i32): i32 {
  const quote = v128.load(QUOTES);
  holdsQuote = false;
  let to = pointer;
  for (;;) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(to), quote));
    if (mask === 0) {
      to += 16;
      continue;
    }
    to += ctz(mask);
    if (load<u8>(to + 1) !== QUOTE) break;
    holdsQuote = true;
    to += 2;
  }
  return to;
}

/** Unescapes the quotes of a quoted text in its memory; returns its end. */
function unquote(start: i32, end: i32): i32 {
  let to = start;
  for (let from = start; from < end; from++) {
    const byte = load<u8>(from);
    store<u8>(to++, byte);
    if (byte === QUOTE) from++;
  }
  return to;
}

/** Copies cells of rows, from `at` on, to their columns, as many rows as a group may have. Gives their number. */
export function split(): i32 {
  const end = textEnd;
  const comma = v128.load(COMMAS);
  const lf = v128.load(FEEDS);
  const quote = v128.load(QUOTES);
  memory.fill(states, 0, <usize> columns * STATE_BYTES);
  free = (end + SLACK + 15) & ~15;
  madeFrom = 0;
  memory.fill(valid, 0, <usize> columns * validBytes);
  let row = 0;
  let column = 0;
  let start = at;
  let block = at;
  while (block < end && row < maxRows) {
    const low = v128.load(block);
    const high = v128.load(block, 16);
    const commas = i8x16.bitmask(i8x16.eq(low, comma)) | (i8x16.bitmask(i8x16.eq(high, comma)) << 16);
    const others = i8x16.bitmask(v128.or(i8x16.eq(low, lf), i8x16.eq(low, quote))) |
      (i8x16.bitmask(v128.or(i8x16.eq(high, lf), i8x16.eq(high, quote))) << 16);
    if (others === 0) {
      // The last row ends with a line feed: here all bytes are of the text.
      let ends = commas & ~((commas << 1) | (start === block ? 1 : 0));
      while (ends !== 0) {
        const bit = ctz(ends);
        const before = commas & ((1 << bit) - 1);
        put(column + popcnt(before), row, before === 0 ? start : block + 32 - clz(before), block + bit);
        ends &= ends - 1;
      }
      if (commas !== 0) {
        column += popcnt(commas);
        start = block + 32 - clz(commas);
      }
      block += 32;
      continue;
    }
    let marks = commas | others;
    if (end - block < 32) marks &= (1 << (end - block)) - 1;
    let next = block + 32;
    while (marks !== 0) {
      const pointer = block + ctz(marks);
      marks &= marks - 1;
      const byte = load<u8>(pointer);
      if (byte === COMMA) {
        if (pointer > start) put(column, row, start, pointer);
        column++;
        start = pointer + 1;
        continue;
      }
      let feed = pointer;
      if (byte === QUOTE) {
        start = pointer + 1;
        const close = closing(start);
        if (close > start) put(column, row, start, holdsQuote ? unquote(start, close) : close);
        feed = close + 1;
        if (load<u8>(feed) === COMMA) {
          column++;
          start = next = feed + 1;
          break;
        }
        if (load<u8>(feed) === CR) feed++;
        next = feed + 1;
      } else {
        const last = feed > start && load<u8>(feed - 1) === CR ? feed - 1 : feed;
        if (last > start) put(column, row, start, last);
      }
      column = 0;
      row++;
      start = feed + 1;
      if (row === maxRows || byte === QUOTE) break;
    }
    block = next;
  }
  at = start;
  rows = row;
  return row;
}
