// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * The fast FASTA scanner, in AssemblyScript: TypeScript's syntax, compiled to WebAssembly.
 *
 * What it does is what `_plain_scanner.ts` does, which is the reference; a property test holds the two together. Build it
 * with `deno task kernels`.
 *
 * ## For a reader who has never seen WebAssembly
 *
 * There is one piece of memory, an array of bytes, and numbers called pointers are places in it. `load<u8>(p)` reads the
 * byte at `p`, `store<f64>(p, x)` writes eight bytes there. A `v128` holds 16 bytes at once: `v128.load(p)` takes them
 * from memory, and every `i8x16` operation works on all 16 in one step. `i8x16.eq(a, b)` gives a mask: 0xFF where two
 * bytes are equal, 0 elsewhere. As a signed number 0xFF is -1, so subtracting a mask counts its hits, byte by byte.
 *
 * ## Memory
 *
 *     constants | rows: ten columns | headers | input | sequences, growing to the end
 *
 * The caller puts bytes into the input and calls `scanCounting` or `scanKeeping` with their place; the columns then hold
 * the records that are complete. Row `rows` is the record that is still open.
 *
 * ## States
 *
 * Between two bytes there are three: in a header; in a sequence at the beginning of a line; in a sequence within a line.
 * They survive from call to call, so that the input may be cut anywhere.
 *
 *     within ──LF──▶ beginning ──'>'──▶ header ──LF──▶ beginning
 *                        │ ';'  stop: the caller reads that line
 *                        └ other byte ──▶ within
 *
 * ## Speed
 *
 * Nearly all bytes of a FASTA are A, C, G, T and line feeds. So a sequence is looked at in blocks:
 *
 * - a *clean* block holds nothing but A, C, G, T, U (either case) and line feeds: G and C and line feeds are counted in
 *   16 byte-wide counters each, which are summed up before they can overflow at 256;
 * - a *lettered* block holds other letters too: what is not one of the five is ambiguous;
 * - any other block is read byte by byte, with a table that says what each byte is.
 *
 * Constants of 16 bytes are loaded from memory once a call: written as literals, V8 builds them anew in every turn.
 */

// ---------------------------------------------------------------------------------------------------------- constants

const LF: u8 = 10;
const CR: u8 = 13;
const GREATER: u8 = 62;
const SEMICOLON: u8 = 59;

/** Bytes of a block, and the number of blocks after which byte-wide counters are summed: 63 × 4 hits fit in a byte. */
const BLOCK: usize = 64;
const BLOCKS_BEFORE_SUM: usize = 63;

/** Sixteen line feeds. */
const LINE_FEEDS: usize = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
/** Keeps the low four bits, by which A, C, T, U and G are told apart: 1, 3, 4, 5, 7. */
const LOW_BITS: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
/** Drops the bit of the case: a letter becomes upper case. */
const UPPER: usize = memory.data<u8>(
  [0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf],
  16,
);
/** By its low bits, the one letter of the five that a byte could be; 0xFF, which no byte equals in upper case. */
const FIVE: usize = memory.data<u8>([255, 65, 255, 67, 84, 85, 255, 71, 255, 255, 255, 255, 255, 255, 255, 255], 16);
/** By its low bits, 1 for G and C. */
const GC: usize = memory.data<u8>([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** Sixteen times `a`, and sixteen times 26: what makes a letter. */
const SMALL_A: usize = memory.data<u8>([97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97], 16);
const ALPHABET: usize = memory.data<u8>([26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26], 16);
/** The bit of the case: a letter becomes lower case. */
const CASE_BIT: usize = memory.data<u8>([32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32], 16);

/** Class of each byte: the caller writes the table of `_letters.ts` here. */
const CLASSES: usize = memory.data(256, 16);
const GC_LETTER: u8 = 1;
const OTHER_LETTER: u8 = 2;
const ODD_LETTER: u8 = 3;
const WHITE_SPACE: u8 = 4;

// ------------------------------------------------------------------------------------------------------------- memory

/** Where things lie; see `layout`. */
export let classes: usize = CLASSES;
export let headerOffsets: usize = 0;
export let sequenceOffsets: usize = 0;
export let lengths: usize = 0;
export let gcCounts: usize = 0;
export let ambiguousCounts: usize = 0;
export let lines: usize = 0;
export let starts: usize = 0;
export let oddLetters: usize = 0;
export let oddLines: usize = 0;
export let oddBytes: usize = 0;
export let headers: usize = 0;
export let input: usize = 0;
export let sequences: usize = 0;

let maxRows: u32 = 0;
let fullBytes: u32 = 0;
let maxHeaderBytes: u32 = 0;
let maxSequenceBytes: f64 = 0;

function allot(from: usize, bytes: usize): usize {
  return (from + bytes + 63) & ~63;
}

/** Lays out memory for batches of at most `batchRows` records. `maxSequence` is infinite when letters are not kept. */
export function layout(batchRows: u32, batchBytes: u32, headerBytes: u32, maxSequence: f64, inputBytes: u32): void {
  maxRows = batchRows;
  fullBytes = batchBytes;
  maxHeaderBytes = headerBytes;
  maxSequenceBytes = maxSequence;
  const numbers = <usize> batchRows * 8 + 8;
  headerOffsets = allot(__heap_base, 0);
  sequenceOffsets = allot(headerOffsets, numbers);
  lengths = allot(sequenceOffsets, numbers);
  gcCounts = allot(lengths, numbers);
  ambiguousCounts = allot(gcCounts, numbers);
  lines = allot(ambiguousCounts, numbers);
  starts = allot(lines, numbers);
  oddLines = allot(starts, numbers);
  oddBytes = allot(oddLines, numbers);
  oddLetters = allot(oddBytes, numbers);
  input = allot(oddLetters, batchRows + 1);
  headers = allot(input, inputBytes + BLOCK);
  // A batch of headers is full at `batchBytes`; one more header may be under way, and a piece of input past its limit.
  sequences = allot(headers, <usize> batchBytes + headerBytes + inputBytes + BLOCK);
  reserve(0);
}

/** Makes room for letters behind those that are kept. */
export function reserve(more: u32): void {
  const needed = sequences + sequenceLength + more + BLOCK;
  const there = <usize> memory.size() << 16;
  if (needed <= there) return;
  // Twice as much, so that a giant record is not copied again and again; at most what WebAssembly can hold.
  const wanted = min<usize>(max<usize>(needed, sequences + 2 * (<usize> sequenceLength + more)), 0xffff0000);
  if (memory.grow(<i32> ((wanted - there + 0xffff) >> 16)) < 0) unreachable();
}

// -------------------------------------------------------------------------------------------------------------- state

/** Records that are complete. */
export let rows: u32 = 0;
/** Whether a record is open: its row is `rows`. */
export let isOpen: bool = false;
/** Bytes of headers and letters of sequences in the batch. */
export let headerLength: u32 = 0;
export let sequenceLength: u32 = 0;
/** Line of the next byte, counted from 1. */
export let line: f64 = 1;
/** 0, or what the limit was that the open record broke: 1 its header's, 2 its sequence's. */
export let fault: u32 = 0;

let inHeader: bool = false;
let atLineStart: bool = true;
/** Offset in the text of the byte at place 0 of memory, so that an offset is this plus a place. */
let textOffset: f64 = 0;
/** Counts of the open record. */
let length: u64 = 0;
let gcCount: u64 = 0;
let ambiguous: u64 = 0;

/** Whether the batch is full: no record is open, and no further one fits. */
export function isFull(): bool {
  return !isOpen && (rows >= maxRows || headerLength >= fullBytes || sequenceLength >= fullBytes);
}

/** Begins a new batch, once the rows of this one have been taken. */
export function clear(): void {
  rows = 0;
  headerLength = 0;
  sequenceLength = 0;
}

/** Ends the text. */
export function finish(): void {
  if (inHeader) endHeader();
  closeRecord();
}

function openRecord(place: usize): void {
  const row = <usize> rows;
  store<f64>(lines + (row << 3), line);
  store<f64>(starts + (row << 3), textOffset + <f64> place);
  store<f64>(oddBytes + (row << 3), -1);
  length = 0;
  gcCount = 0;
  ambiguous = 0;
  isOpen = true;
  inHeader = true;
  atLineStart = false;
}

function closeRecord(): void {
  if (!isOpen) return;
  const row = <usize> rows;
  store<f64>(lengths + (row << 3), <f64> length);
  store<f64>(gcCounts + (row << 3), <f64> gcCount);
  store<f64>(ambiguousCounts + (row << 3), <f64> ambiguous);
  if (<f64> length > maxSequenceBytes) {
    fault = 2;
    return;
  }
  isOpen = false;
  rows += 1;
  store<u32>(sequenceOffsets + (<usize> rows << 2), sequenceLength);
}

function endHeader(): void {
  const begin = load<u32>(headerOffsets + (<usize> rows << 2));
  if (headerLength > begin && load<u8>(headers + headerLength - 1) === CR) headerLength -= 1;
  store<u32>(headerOffsets + (<usize> (rows + 1) << 2), headerLength);
  inHeader = false;
  atLineStart = true;
}

// ------------------------------------------------------------------------------------------------------------ scanning

/**
 * Scans the bytes from place `from` up to place `to` without keeping letters; `offset` is the offset in the text of the
 * byte at `from`.
 *
 * @returns The place where it stopped: `to`, a `;` or a `>` that begins a line, or anywhere with `fault` set.
 */
export function scanCounting(from: usize, to: usize, offset: f64): usize {
  textOffset = offset - <f64> from;
  let p = from;
  while (p < to && fault === 0) {
    if (inHeader) p = scanHeader(p, to);
    else if (atLineStart && load<u8>(p) === SEMICOLON) break;
    else if (atLineStart && load<u8>(p) === GREATER) {
      closeRecord();
      if (fault !== 0 || isFull()) break;
      openRecord(p);
      p += 1;
    } else {
      p = countBlocks(p, to);
      p = scanBytes(p, min(p + BLOCK, to), false);
    }
  }
  return p;
}

/** As `scanCounting`, and keeps the letters. The caller has made room for `to - from` of them. */
export function scanKeeping(from: usize, to: usize, offset: f64): usize {
  textOffset = offset - <f64> from;
  let p = from;
  while (p < to && fault === 0) {
    if (inHeader) p = scanHeader(p, to);
    else if (atLineStart && load<u8>(p) === SEMICOLON) break;
    else if (atLineStart && load<u8>(p) === GREATER) {
      closeRecord();
      if (fault !== 0 || isFull()) break;
      openRecord(p);
      p += 1;
    } else {
      p = keepLines(p, to);
      p = scanBytes(p, min(p + 16, to), true);
    }
  }
  if (isOpen && <f64> length > maxSequenceBytes) fault = 2;
  return p;
}

/** Copies a header, up to its line feed or the end of the bytes. */
function scanHeader(from: usize, to: usize): usize {
  const lineFeeds = v128.load(LINE_FEEDS);
  let p = from;
  let out = headers + headerLength;
  let ended = false;
  while (p + 16 <= to) {
    const bytes = v128.load(p);
    v128.store(out, bytes);
    const hits = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    if (hits !== 0) {
      p += <usize> ctz(hits);
      out += <usize> ctz(hits);
      ended = true;
      break;
    }
    p += 16;
    out += 16;
  }
  while (!ended && p < to) {
    const byte = load<u8>(p);
    if (byte === LF) {
      ended = true;
      break;
    }
    store<u8>(out, byte);
    p += 1;
    out += 1;
  }
  headerLength = <u32> (out - headers);
  if (headerLength - load<u32>(headerOffsets + (<usize> rows << 2)) > maxHeaderBytes) {
    fault = 1;
    return p;
  }
  if (!ended) return p;
  line += 1;
  endHeader();
  return p + 1;
}

/** Sums sixteen byte-wide counters. */
function sum(counters: v128): u64 {
  const pairs = i16x8.extadd_pairwise_i8x16_u(counters);
  const fours = i32x4.extadd_pairwise_i16x8_u(pairs);
  return <u64> (i32x4.extract_lane(fours, 0) + i32x4.extract_lane(fours, 1) +
    i32x4.extract_lane(fours, 2) + i32x4.extract_lane(fours, 3));
}

/** Mask of the bytes that are A, C, G, T or U. */
function areFive(bytes: v128, low: v128, upper: v128, five: v128): v128 {
  return i8x16.eq(v128.and(bytes, upper), i8x16.swizzle(five, low));
}

/** Mask of the bytes that are letters of any kind. */
function areLetters(bytes: v128, caseBit: v128, smallA: v128, alphabet: v128): v128 {
  return i8x16.lt_u(i8x16.sub(v128.or(bytes, caseBit), smallA), alphabet);
}

/** Counts blocks as long as they are clean or lettered; stops before the first that is neither. */
function countBlocks(from: usize, to: usize): usize {
  const lineFeeds = v128.load(LINE_FEEDS);
  const lowBits = v128.load(LOW_BITS);
  const upper = v128.load(UPPER);
  const five = v128.load(FIVE);
  const gc = v128.load(GC);
  let p = from;
  let lineFeedCount: u64 = 0;
  let goesOn = true;
  while (goesOn && p + BLOCK <= to) {
    let gcCounters = i8x16.splat(0);
    let lineFeedCounters = gcCounters;
    const limit = min(p + BLOCK * BLOCKS_BEFORE_SUM, to - BLOCK + 1);
    while (p < limit) {
      const v0 = v128.load(p);
      const v1 = v128.load(p, 16);
      const v2 = v128.load(p, 32);
      const v3 = v128.load(p, 48);
      const low0 = v128.and(v0, lowBits);
      const low1 = v128.and(v1, lowBits);
      const low2 = v128.and(v2, lowBits);
      const low3 = v128.and(v3, lowBits);
      const lf0 = i8x16.eq(v0, lineFeeds);
      const lf1 = i8x16.eq(v1, lineFeeds);
      const lf2 = i8x16.eq(v2, lineFeeds);
      const lf3 = i8x16.eq(v3, lineFeeds);
      const clean01 = v128.and(
        v128.or(lf0, areFive(v0, low0, upper, five)),
        v128.or(lf1, areFive(v1, low1, upper, five)),
      );
      const clean23 = v128.and(
        v128.or(lf2, areFive(v2, low2, upper, five)),
        v128.or(lf3, areFive(v3, low3, upper, five)),
      );
      if (!i8x16.all_true(v128.and(clean01, clean23))) {
        goesOn = false;
        break;
      }
      gcCounters = i8x16.add(
        gcCounters,
        i8x16.add(
          i8x16.add(i8x16.swizzle(gc, low0), i8x16.swizzle(gc, low1)),
          i8x16.add(i8x16.swizzle(gc, low2), i8x16.swizzle(gc, low3)),
        ),
      );
      lineFeedCounters = i8x16.sub(lineFeedCounters, i8x16.add(i8x16.add(lf0, lf1), i8x16.add(lf2, lf3)));
      p += BLOCK;
    }
    gcCount += sum(gcCounters);
    lineFeedCount += sum(lineFeedCounters);
    if (!goesOn) {
      const hits = countLettered(p);
      if (hits >= 0) {
        lineFeedCount += <u64> hits;
        p += BLOCK;
        goesOn = true;
      }
    }
  }
  if (p > from) {
    length += <u64> (p - from) - lineFeedCount;
    line += <f64> lineFeedCount;
    atLineStart = load<u8>(p - 1) === LF;
  }
  return p;
}

/** Counts G, C and ambiguous letters of one block; the number of its line feeds, or -1 when it is not lettered. */
function countLettered(p: usize): i32 {
  const lineFeeds = v128.load(LINE_FEEDS);
  const lowBits = v128.load(LOW_BITS);
  const upper = v128.load(UPPER);
  const five = v128.load(FIVE);
  const gc = v128.load(GC);
  const caseBit = v128.load(CASE_BIT);
  const smallA = v128.load(SMALL_A);
  const alphabet = v128.load(ALPHABET);
  let lineFeedCount: i32 = 0;
  let fiveCount: i32 = 0;
  let gcHits: i32 = 0;
  for (let at: usize = 0; at < BLOCK; at += 16) {
    const bytes = v128.load(p + at);
    const lf = i8x16.eq(bytes, lineFeeds);
    if (!i8x16.all_true(v128.or(lf, areLetters(bytes, caseBit, smallA, alphabet)))) return -1;
    const low = v128.and(bytes, lowBits);
    const isFive = areFive(bytes, low, upper, five);
    lineFeedCount += popcnt(i8x16.bitmask(lf));
    fiveCount += popcnt(i8x16.bitmask(isFive));
    gcHits += popcnt(i8x16.bitmask(i8x16.neg(v128.and(isFive, i8x16.swizzle(gc, low)))));
  }
  gcCount += <u64> gcHits;
  ambiguous += <u64> (<i32> BLOCK - lineFeedCount - fiveCount);
  return lineFeedCount;
}

/** Copies and counts letters 16 at a time, a line after the other; stops before 16 bytes that hold anything else. */
function keepLines(from: usize, to: usize): usize {
  const lineFeeds = v128.load(LINE_FEEDS);
  const lowBits = v128.load(LOW_BITS);
  const upper = v128.load(UPPER);
  const five = v128.load(FIVE);
  const gc = v128.load(GC);
  const caseBit = v128.load(CASE_BIT);
  const smallA = v128.load(SMALL_A);
  const alphabet = v128.load(ALPHABET);
  const begin = sequences + sequenceLength;
  let p = from;
  let out = begin;
  let gcHits: u64 = 0;
  let others: u64 = 0;
  let lineFeedCount: u32 = 0;
  while (p + 16 <= to) {
    const bytes = v128.load(p);
    const low = v128.and(bytes, lowBits);
    const isFive = areFive(bytes, low, upper, five);
    const lfHits = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    // Bits of the bytes before the first line feed: all 16 when there is none.
    const before = lfHits === 0 ? 0xffff : (lfHits & -lfHits) - 1;
    const otherHits = ~i8x16.bitmask(isFive) & before;
    if (otherHits !== 0) {
      if ((~i8x16.bitmask(areLetters(bytes, caseBit, smallA, alphabet)) & before) !== 0) break;
      others += popcnt(otherHits);
    }
    gcHits += popcnt(i8x16.bitmask(i8x16.neg(v128.and(isFive, i8x16.swizzle(gc, low)))) & before);
    v128.store(out, bytes);
    if (lfHits === 0) {
      p += 16;
      out += 16;
      continue;
    }
    const kept = <usize> ctz(lfHits);
    out += kept;
    p += kept + 1;
    lineFeedCount += 1;
    // A mark may follow: it is left to the caller.
    if (p < to) {
      const next = load<u8>(p);
      if (next === GREATER || next === SEMICOLON) break;
    }
  }
  if (p > from) {
    length += <u64> (out - begin);
    gcCount += gcHits;
    ambiguous += others;
    line += <f64> lineFeedCount;
    sequenceLength = <u32> (out - sequences);
    atLineStart = load<u8>(p - 1) === LF;
  }
  return p;
}

/** Reads bytes one by one; stops before a mark that begins a line. */
function scanBytes(from: usize, to: usize, keeps: bool): usize {
  let p = from;
  let out = sequences + sequenceLength;
  while (p < to) {
    const byte = load<u8>(p);
    if (atLineStart && (byte === GREATER || byte === SEMICOLON)) break;
    p += 1;
    if (byte === LF) {
      line += 1;
      atLineStart = true;
      continue;
    }
    atLineStart = false;
    const kind = load<u8>(CLASSES + <usize> byte);
    if (kind === WHITE_SPACE) continue;
    length += 1;
    if (keeps) {
      store<u8>(out, byte);
      out += 1;
    }
    if (kind === GC_LETTER) gcCount += 1;
    else if (kind >= OTHER_LETTER) {
      ambiguous += 1;
      if (kind === ODD_LETTER) noteOdd(byte, p - 1);
    }
  }
  if (keeps) sequenceLength = <u32> (out - sequences);
  return p;
}

/** Notes the first byte of a record that is no letter of a sequence. */
function noteOdd(byte: u8, place: usize): void {
  const row = <usize> rows;
  if (load<f64>(oddBytes + (row << 3)) >= 0) return;
  store<u8>(oddLetters + row, byte);
  store<f64>(oddLines + (row << 3), line);
  store<f64>(oddBytes + (row << 3), textOffset + <f64> place);
}

/** Counts lines that the caller has read itself. */
export function skipLines(count: f64): void {
  line += count;
}
