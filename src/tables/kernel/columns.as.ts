// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Rows of CSV to columns as Parquet has them.
 *
 * `_part_encoder.ts` puts rows into memory that `rows.as.ts` has checked: each ends with a line feed, has as many cells as
 * there are columns, and holds a quote only where a cell begins with one. `split` copies each cell that is not empty to its
 * column, after its length, in blocks of memory that are linked: a column is then read from its beginning to its end, not
 * here and there in the text. `encodeTexts`, `encodeNumbers` and `encodeBooleans` lay one column out: its distinct values
 * and, for each row, the place among them; or, where most values differ, the values themselves.
 *
 * Loads may reach 31 bytes beyond the text, and copies 15 beyond what they write: so much memory is kept.
 */

/** Gives a number that is not written plainly. */
declare function readFloat(start: i32, end: i32): f64;
/** Sets `earliest`, `latest` and `precision` to those of a date, or says that it is none. */
declare function readDate(start: i32, end: i32): i32;

const COMMA: u8 = 44;
const CR: u8 = 13;
const LF: u8 = 10;
const QUOTE: u8 = 34;
const MINUS: u8 = 45;
const POINT: u8 = 46;
const TRUE: u8 = 116;
const SEMICOLON: u8 = 59;

/** Kinds of numbers; days are whole numbers of four bytes. */
const FLOAT: i32 = 1;
const DAY: i32 = 2;

const COMMAS = memory.data<u8>([44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44, 44], 16);
const FEEDS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
const QUOTES = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);
/** `year`, `month` and `day`, eight bytes each. */
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
]);
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

/** Distinct values that are told apart; with more, values stand for themselves. */
const MAX_DISTINCT: i32 = 32768;
/** Values after which a column of ever new ones is given up. */
const FIRST_VALUES: i32 = 4096;
/** Slots of the table of distinct values. A slot holds the turn that it was filled in and the value's place. */
const SLOT_BITS: u64 = 16;
const SLOTS: usize = 65536;
const MAX_TURN: u32 = 65535;
const FACTOR: u64 = 0x9e3779b97f4a7c15;
/** Equal places from which on a run is written as one. */
const LONG_RUN: i32 = 64;

const slots: usize = (__heap_base + 15) & ~15;
/** Of each distinct text: 32 bits of its hash, its place. */
const entries: usize = slots + SLOTS * 4;
const regions: usize = entries + <usize> MAX_DISTINCT * 8;

/** A column under way: the number of its cells, and at these offsets where the next goes, the end of its block, blocks. */
const STATE_BYTES: usize = 24;
const NEXT: usize = 4;
const BLOCK_END: usize = 8;
const FIRST_BLOCK: usize = 12;
const LAST_BLOCK: usize = 16;
const ALL_BLOCKS: usize = 20;
/** Bytes of a block, of a table of many columns and of others. */
const SMALL_BLOCK: i32 = 512;
const LARGE_BLOCK: i32 = 8192;
const MANY_COLUMNS: i32 = 2048;
/** A block begins with the place of the next one and the end of its cells. */
const BLOCK_HEAD: i32 = 8;
const PAGE_BYTES: i32 = 65536;
const SLACK: i32 = 64;
/** Columns behind those of the text that are made of one of them: the items of a list, or three of a date. */
const MADE_COLUMNS: i32 = 3;

let turn: u32 = 0;
let columns: i32 = 0;
let maxRows: i32 = 0;
/** Place among the distinct values, two bytes each, of the column under way. */
let indices: usize = 0;
let states: usize = 0;
/** Of each column a bit for each row: whether its cell is not empty. */
let valid: usize = 0;
let validBytes: usize = 0;
/** Bytes of a usual block, and where the next begins. */
let blockBytes: i32 = 0;
let free: i32 = 0;
let textEnd: i32 = 0;

/** Where the caller puts the text. */
export let text: i32 = 0;
/** Place of the next row. */
export let at: i32 = 0;
/** Rows of the group. */
export let rows: i32 = 0;

/** The column that was laid out: its distinct values, if they were told apart. */
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

/** Has memory up to a place. */
function reserve(end: i32): void {
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

/** Gives a column a block that has room for so many bytes, and gives the place where they go. */
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

function append(column: i32, place: i32, bytes: i32): void {
  const state = states + <usize> column * STATE_BYTES;
  let to = load<i32>(state, NEXT);
  if (to + 4 + bytes > load<i32>(state, BLOCK_END)) to = newBlock(state, 4 + bytes);
  store<i32>(state, load<i32>(state) + 1);
  store<i32>(state, putText(place, bytes, to), NEXT);
}

function put(column: i32, row: i32, start: i32, end: i32): void {
  if (<u32> column >= <u32> columns) unreachable();
  append(column, start, end - start);
  setValid(column, row);
}

function setValid(column: i32, row: i32): void {
  const bits = valid + <usize> column * validBytes + (<usize> row >> 3);
  store<u8>(bits, load<u8>(bits) | (<u8> 1 << <u8> (row & 7)));
}

function isValid(column: i32, row: i32): bool {
  return (load<u8>(valid + <usize> column * validBytes + (<usize> row >> 3)) >> <u8> (row & 7) & 1) !== 0;
}

/** Where the blocks of such columns begin; 0 when none was made of this group. */
let madeFrom: i32 = 0;

/** Empties the columns that are made of one. */
function beginMade(): void {
  if (madeFrom !== 0) free = madeFrom;
  madeFrom = free;
  memory.fill(states + <usize> columns * STATE_BYTES, 0, <usize> MADE_COLUMNS * STATE_BYTES);
  memory.fill(valid + <usize> columns * validBytes, 0, <usize> MADE_COLUMNS * validBytes);
}

/** Whether the quoted cell that was closed last holds a quote. */
let holdsQuote: bool = false;

/** The quote that ends a cell whose text begins at a place. */
function closing(place: i32): i32 {
  const quote = v128.load(QUOTES);
  holdsQuote = false;
  let to = place;
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

/** Writes each quote of a quoted text once, in its place; gives its end. */
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
      const place = block + ctz(marks);
      marks &= marks - 1;
      const byte = load<u8>(place);
      if (byte === COMMA) {
        if (place > start) put(column, row, start, place);
        column++;
        start = place + 1;
        continue;
      }
      let feed = place;
      if (byte === QUOTE) {
        start = place + 1;
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

/** The place of a column's first cell, its length of four bytes and its bytes; 0 when there is none. */
function firstCell(column: i32): i32 {
  const state = states + <usize> column * STATE_BYTES;
  const block = load<i32>(state, FIRST_BLOCK);
  return block === 0 ? 0 : readBlock(state, block);
}

/** The place of the cell after one; 0 after the last. */
function nextCell(column: i32, cell: i32): i32 {
  const next = cell + 4 + load<i32>(cell);
  if (next < readEnd) return next;
  return readNext === 0 ? 0 : readBlock(states + <usize> column * STATE_BYTES, readNext);
}

/** The first and the last cell that `ascends` saw; 0 when there is none. */
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

/** The first bytes of a word, as a number that has the order of the bytes. */

function bigEndian(place: i32): u64 {
  return bswap<u64>(load<u64>(place));
}

function isBefore(a: i32, aBytes: i32, b: i32, bBytes: i32): bool {
  const both = aBytes < bBytes ? aBytes : bBytes;
  let offset = 0;
  for (; offset + 8 <= both; offset += 8) {
    if (load<u64>(a + offset) !== load<u64>(b + offset)) return bigEndian(a + offset) < bigEndian(b + offset);
  }
  if (offset < both) {
    const shift = <u64> (8 - (both - offset)) * 8;
    const x = bigEndian(a + offset) >> shift;
    const y = bigEndian(b + offset) >> shift;
    if (x !== y) return x < y;
  }
  return aBytes < bBytes;
}

function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * FACTOR;
  return mixed ^ (mixed >> 32);
}

/** The bytes of a word that are before a text's end. */

function lastWord(place: i32, bytes: i32): u64 {
  return load<u64>(place) & ((<u64> 1 << (<u64> bytes * 8)) - 1);
}

function hashOf(place: i32, bytes: i32): u64 {
  let hash: u64 = bytes;
  let offset = 0;
  for (; offset + 8 <= bytes; offset += 8) hash = mix(hash, load<u64>(place + offset));
  if (offset < bytes) hash = mix(hash, lastWord(place + offset, bytes - offset));
  return hash * FACTOR;
}

function isSame(a: i32, b: i32, bytes: i32): bool {
  let offset = 0;
  for (; offset + 8 <= bytes; offset += 8) {
    if (load<u64>(a + offset) !== load<u64>(b + offset)) return false;
  }
  return offset === bytes || lastWord(a + offset, bytes - offset) === lastWord(b + offset, bytes - offset);
}

/** Copies a text after its length, and up to fifteen bytes more; gives the place behind it. */

function putText(place: i32, bytes: i32, to: i32): i32 {
  store<i32>(to, bytes);
  if (bytes > 256) memory.copy(to + 4, place, bytes);
  else for (let offset = 0; offset < bytes; offset += 16) v128.store(to + 4 + offset, v128.load(place + offset));
  return to + 4 + bytes;
}

/** Empties the table of distinct values. */
function nextTurn(): void {
  turn++;
  if (turn <= MAX_TURN) return;
  memory.fill(slots, 0, SLOTS * 4);
  turn = 1;
}

function isTooMany(found: i32, seen: i32): bool {
  return found === MAX_DISTINCT || (seen === FIRST_VALUES && found * 4 > seen * 3);
}

function widen(place: i32, bytes: i32): void {
  if (leastBytes < 0 || isBefore(place, bytes, least, leastBytes)) {
    least = place;
    leastBytes = bytes;
  }
  if (greatestBytes < 0 || isBefore(greatest, greatestBytes, place, bytes)) {
    greatest = place;
    greatestBytes = bytes;
  }
}

/** Begins to lay a column out. */
function beginColumn(column: i32): i32 {
  const count = cellCount(column);
  const out = free;
  // Distinct values and the places among them take less than the values and two bytes each, or ten bytes; levels a bit.
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
    const place = cell + 4;
    const hash = hashOf(place, bytes);
    let slot = <usize> (hash >> (64 - SLOT_BITS));
    for (;;) {
      const held = load<u32>(slots + slot * 4);
      if (held >> 16 !== turn) {
        store<u32>(slots + slot * 4, (turn << 16) | found);
        store<u32>(entries + <usize> found * 8, <u32> hash);
        store<i32>(entries + <usize> found * 8, to + 4, 4);
        store<u16>(index, <u16> found);
        to = putText(place, bytes, to);
        widen(to - bytes, bytes);
        found++;
        break;
      }
      const entry = entries + <usize> (held & 0xffff) * 8;
      if (load<u32>(entry) === <u32> hash) {
        const known = load<i32>(entry, 4);
        if (load<i32>(known - 4) === bytes && isSame(known, place, bytes)) {
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
    const place = cell + 4;
    to = putText(place, bytes, to);
    widen(to - bytes, bytes);
  }
  pageEnd = to;
}

function integerAt(start: i32, end: i32): i64 {
  let place = load<u8>(start) === MINUS ? start + 1 : start;
  let value: i64 = 0;
  for (; place < end; place++) value = value * 10 + <i64> (load<u8>(place) - 48);
  return load<u8>(start) === MINUS ? -value : value;
}

function floatAt(start: i32, end: i32): f64 {
  const isNegative = load<u8>(start) === MINUS;
  let value: i64 = 0;
  let digits = 0;
  let point = -1;
  for (let place = isNegative ? start + 1 : start; place < end; place++) {
    const byte = load<u8>(place);
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
    const place = to + (index >> 3);
    if (isTrue) store<u8>(place, load<u8>(place) | (<u8> 1 << <u8> (index & 7)));
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

function putVarint(value: u32, to: i32): i32 {
  while (value >= 128) {
    store<u8>(to++, <u8> (value | 128));
    value >>= 7;
  }
  store<u8>(to++, <u8> value);
  return to;
}

/** Begins the page with which rows have a value; gives the place behind. */
function putLevels(column: i32, to: i32): i32 {
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

/** Writes the page of a column whose distinct values end at a place. */
function putIndices(column: i32, found: i32, end: i32): void {
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

/** Equal places from one on. */
function runFrom(from: i32, count: i32): i32 {
  const value = load<u16>(indices + <usize> from * 2);
  let to = from + 1;
  while (to < count && load<u16>(indices + <usize> to * 2) === value) to++;
  return to - from;
}

/** Writes places as bits, eight places in `width` bytes; those behind the last are 0. */
function pack(from: i32, end: i32, width: i32, to: i32): i32 {
  if (from >= end) return to;
  const groups = (end - from + 7) >> 3;
  to = putVarint((<u32> groups << 1) | 1, to);
  const finish = to + groups * width;
  let bits: u64 = 0;
  let held: u64 = 0;
  let place = to;
  for (let index = from; index < end; index++) {
    bits |= <u64> load<u16>(indices + <usize> index * 2) << held;
    held += width;
    if (held < 32) continue;
    store<u32>(place, <u32> bits);
    place += 4;
    bits >>= 32;
    held -= 32;
  }
  for (; place < finish; place++) {
    store<u8>(place, <u8> bits);
    bits >>= 8;
  }
  return finish;
}

/** The list column whose items are laid out; -1 for none. */
let list: i32 = -1;
let itemStart: i32 = 0;
let itemEnd: i32 = 0;

function isBlank(byte: u8): bool {
  return byte === 32 || byte === 9 || byte === LF || byte === CR;
}

/** Finds the next item of a list: a text before a semicolon or the end, without blanks around it, if anything is left. */
function nextItem(from: i32, end: i32): i32 {
  for (let place = from; place < end;) {
    let stop = place;
    while (stop < end && load<u8>(stop) !== SEMICOLON) stop++;
    itemStart = place;
    itemEnd = stop;
    while (itemStart < itemEnd && isBlank(load<u8>(itemStart))) itemStart++;
    while (itemEnd > itemStart && isBlank(load<u8>(itemEnd - 1))) itemEnd--;
    place = stop + 1;
    if (itemStart < itemEnd) return place;
  }
  return -1;
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

let listEntries: i32 = 0;

/** Writes where lists begin, one bit an item, and what of a list is there, two bits: none, an empty one, an item. */
function putListLevels(to: i32): i32 {
  const repeatBytes = (listEntries + 7) >> 3;
  const definedBytes = (listEntries + 3) >> 2;
  const repeats = putVarint((<u32> repeatBytes << 1) | 1, to + 4);
  store<i32>(to, repeats + repeatBytes - to - 4);
  const second = repeats + repeatBytes;
  const defined = putVarint((<u32> ((definedBytes + 1) >> 1) << 1) | 1, second + 4);
  // A group of eight levels takes two bytes.
  const end = defined + ((definedBytes + 1) & ~1);
  store<i32>(second, end - second - 4);
  memory.fill(repeats, 0, repeatBytes);
  memory.fill(defined, 0, end - defined);
  let entry = 0;
  let cell = firstCell(list);
  for (let row = 0; row < rows; row++) {
    if (!isValid(list, row)) {
      entry++;
      continue;
    }
    const last = cell + 4 + load<i32>(cell);
    let items = 0;
    for (let next = nextItem(cell + 4, last); next >= 0; next = nextItem(next, last)) {
      putBits(defined, entry * 2, 3);
      if (items !== 0) putBits(repeats, entry, 1);
      items++;
      entry++;
    }
    if (items === 0) putBits(defined, entry++ * 2, 1);
    cell = nextCell(list, cell);
  }
  return end;
}

function putBits(place: i32, bit: i32, bits: u8): void {
  const byte = place + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | (bits << <u8> (bit & 7)));
}

/** What `readDate` found: days since 1970-01-01, and 0 for a year, 1 for a month, 2 for a day. */
export let earliest: i32 = 0;
export let latest: i32 = 0;
export let precision: i32 = 0;
/** A day, to be copied. */
const DAYS = memory.data(32, 16);

/**
 * Makes three columns of one of dates, behind those of the text: the earliest day, the latest and the precision. They are
 * there until the next are made.
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
