// deno-lint-ignore-file prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Where the text and its columns lie. See `columns.as.ts`. */
import { putText } from "./columns_bytes.as.ts";

/** Maximum number of distinct values in a dictionary; with more, the values themselves are stored. */
export const MAX_DISTINCT: i32 = 32768;

export const SLOTS: usize = 65536;
export const slots: usize = (__heap_base + 15) & ~15;

/** Of each distinct text: 32 bits of its hash, its pointer. */
export const entries: usize = slots + SLOTS * 4;

const regions: usize = entries + <usize> MAX_DISTINCT * 8;

/**
 * A column under way: the number of its cells, and at these offsets where the next goes, the end of its block, blocks.
 */
export const STATE_BYTES: usize = 24;

const NEXT: usize = 4;

const BLOCK_END: usize = 8;

const FIRST_BLOCK: usize = 12;

const LAST_BLOCK: usize = 16;

export const ALL_BLOCKS: usize = 20;

/** Bytes of a block, of a table of many columns and of others. */
const SMALL_BLOCK: i32 = 512;

const LARGE_BLOCK: i32 = 8192;

const MANY_COLUMNS: i32 = 2048;

/** A block begins with a pointer to the next one and the end of its cells. */
const BLOCK_HEAD: i32 = 8;

const PAGE_BYTES: i32 = 65536;

export const SLACK: i32 = 64;

/** Columns behind those of the text that are made of one of them: the items of a list, or three of a date. */
export const MADE_COLUMNS: i32 = 3;

export let columns: i32 = 0;
export let maxRows: i32 = 0;

/** Dictionary index, two bytes each, of the column under way. */
export let indices: usize = 0;

export let states: usize = 0;

/** Of each column a bit for each row: whether its cell is not empty. */
export let valid: usize = 0;

export let validBytes: usize = 0;

/** Bytes of a usual block, and where the next begins. */
let blockBytes: i32 = 0;

export let free: i32 = 0;
export let textEnd: i32 = 0;

/** Where the caller puts the text. */
export let text: i32 = 0;

/** Pointer to the next row. */
export let at: i32 = 0;

/** Rows of the group. */
export let rows: i32 = 0;

/** Has memory up to a pointer. */
export function reserve(end: i32): void {
  const missing = end + SLACK - memory.size() * PAGE_BYTES;
  if (missing > 0 && memory.grow((missing + PAGE_BYTES - 1) / PAGE_BYTES) < 0) unreachable();
}

/** Begins a text of so many bytes and columns, at most so many rows a group. It is to be put at `text`. */
export function begin(bytes: i32, columnCount: i32, rowCount: i32): void {
  columns = columnCount;
  maxRows = rowCount;
  indices = regions;
  states = (indices + <usize> maxRows * 2 + 31) & ~15;
  valid = (states + <usize> (columns + MADE_COLUMNS) * STATE_BYTES + 15) & ~15;
  validBytes = (<usize> maxRows / 8 + 16) & ~7;
  text = <i32> ((valid + <usize> (columns + MADE_COLUMNS) * validBytes + 63) & ~15);
  at = text;
  textEnd = text + bytes;
  blockBytes = columns > MANY_COLUMNS ? SMALL_BLOCK : LARGE_BLOCK;
  reserve(textEnd);
}

/** Allocates a block with room for so many bytes to a column; returns the address where they go. */
function newBlock(state: usize, bytes: i32): i32 {
  const block = free;
  const size = max(blockBytes, (BLOCK_HEAD + bytes + SLACK + 15) & ~15);
  free += size;
  reserve(free);
  store<i32>(block, 0);
  const before = load<i32>(state, LAST_BLOCK);
  if (before === 0) store<i32>(state, block, FIRST_BLOCK);
  else {
    store<i32>(before, block);
    store<i32>(before, load<i32>(state, NEXT), 4);
  }
  store<i32>(state, block, LAST_BLOCK);
  store<i32>(state, block + size - SLACK, BLOCK_END);
  store<i32>(state, load<i32>(state, ALL_BLOCKS) + size, ALL_BLOCKS);
  return block + BLOCK_HEAD;
}

export function append(column: i32, pointer: i32, bytes: i32): void {
  const state = states + <usize> column * STATE_BYTES;
  let to = load<i32>(state, NEXT);
  if (to + 4 + bytes > load<i32>(state, BLOCK_END)) to = newBlock(state, 4 + bytes);
  store<i32>(state, load<i32>(state) + 1);
  store<i32>(state, putText(pointer, bytes, to), NEXT);
}

export function put(column: i32, row: i32, start: i32, end: i32): void {
  if (<u32> column >= <u32> columns) unreachable();
  append(column, start, end - start);
  setValid(column, row);
}

export function setValid(column: i32, row: i32): void {
  const bits = valid + <usize> column * validBytes + (<usize> row >> 3);
  store<u8>(bits, load<u8>(bits) | (<u8> 1 << <u8> (row & 7)));
}

export function isValid(column: i32, row: i32): bool {
  return (load<u8>(valid + <usize> column * validBytes + (<usize> row >> 3)) >> <u8> (row & 7) & 1) !== 0;
}

/** Where the blocks of such columns begin; 0 when none was made of this group. */
export let madeFrom: i32 = 0;

/** Empties the columns that are made of one. */
export function beginMade(): void {
  if (madeFrom !== 0) free = madeFrom;
  madeFrom = free;
  memory.fill(states + <usize> columns * STATE_BYTES, 0, <usize> MADE_COLUMNS * STATE_BYTES);
  memory.fill(valid + <usize> columns * validBytes, 0, <usize> MADE_COLUMNS * validBytes);
}

/** Cells of a column that are not empty. */
export function cellCount(column: i32): i32 {
  return load<i32>(states + <usize> column * STATE_BYTES);
}

/** A column being read: where its block ends, and the next one. */
let readEnd: i32 = 0;

let readNext: i32 = 0;

function readBlock(state: usize, block: i32): i32 {
  readNext = load<i32>(block);
  readEnd = readNext === 0 ? load<i32>(state, NEXT) : load<i32>(block, 4);
  return block + BLOCK_HEAD;
}

/** The offset of a column's first cell, its length of four bytes and its bytes; 0 without cells. */
export function firstCell(column: i32): i32 {
  const state = states + <usize> column * STATE_BYTES;
  const block = load<i32>(state, FIRST_BLOCK);
  return block === 0 ? 0 : readBlock(state, block);
}

/** Pointer to the cell after one; 0 after the last. */
export function nextCell(column: i32, cell: i32): i32 {
  const next = cell + 4 + load<i32>(cell);
  if (next < readEnd) return next;
  return readNext === 0 ? 0 : readBlock(states + <usize> column * STATE_BYTES, readNext);
}
