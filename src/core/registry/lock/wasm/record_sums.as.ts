// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Own code: finds the records of an answer and adds up their SHA-256, in AssemblyScript. A call of `node:crypto` for
 * each takes longer than its few hundred bytes.
 *
 * `record_sums.ts` puts bytes where `room` points to and calls `update`; input may be cut anywhere. A record is in
 * memory whole: a row without its end of line, its lines joined by line feeds; a header of FASTA, a line feed, and its
 * sequence without line ends. Lines are joined where they stand, so that bytes move only where a line end leaves a gap.
 *
 * The caller digests records from `LONG` bytes on, and is given the header of a table. Loads may reach 15 bytes beyond
 * the end.
 */
import { addBlocks, BLOCK, laneWord, startLane } from "./hash_lanes.as.ts";

const LF: u8 = 10;
const CR: u8 = 13;
const SEMICOLON: u8 = 59;
const GREATER: u8 = 62;

export const CSV: i32 = 0;
export const TSV: i32 = 1;
export const FASTA: i32 = 2;
/** Records come one by one, by `add`. */
export const SINGLE: i32 = 3;

/** Bytes from which on a record is digested by the caller, whose processor has instructions for it. */
const LONG: u32 = 16384;
/** Bytes of records that came one by one, after which they are digested. */
const FULL: u32 = 65536;
/** Records that are digested together. */
const MOST_RECORDS: u32 = 1024;

const FEEDS = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
const QUOTES = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);

/** Sums of each of the eight words of the digests, the first the most significant one. */
export const sums: usize = memory.data(64, 16);
/** Where the caller puts the digest of a long record. */
export const longDigest: usize = memory.data(32, 16);
/** Pointers to records, and their sizes. */
const LIST: usize = memory.data(8192, 16);
/** The last two blocks of the message in each lane. */
const TAILS: usize = memory.data(512, 16);
/** Of each lane: pointer to its next block, blocks that follow there, blocks of its tail, whether it has a message. */
const LANE: usize = memory.data(64, 16);

const BASE: usize = (__heap_base + 63) & ~63;

/** Number of records. */
export let records: u32 = 0;

let form: i32 = CSV;
let listed: u32 = 0;
/** The open record: its whole lines from `start` to `kept`, the line that has not ended from `line` to `to`. */
let start: usize = BASE;
let kept: usize = BASE;
let line: usize = BASE;
let to: usize = BASE;
let isOpen = false;
let isQuoted = false;
let hasHeader = false;

/** Receives the header of a table, or of a FASTA file. */
declare function onHeader(start: usize, bytes: u32): void;
/** Writes the digest of a record to `longDigest`. */
declare function digestLong(start: usize, bytes: u32): void;

/** Begins an answer. */
export function begin(kind: i32): void {
  form = kind;
  records = 0;
  listed = 0;
  start = BASE;
  kept = BASE;
  line = BASE;
  to = BASE;
  isOpen = false;
  isQuoted = false;
  hasHeader = false;
  memory.fill(sums, 0, 64);
}

/** Pointer to where so many bytes may be put. */
export function room(bytes: u32): usize {
  const need = to + bytes + BLOCK;
  const have = <usize> memory.size() << 16;
  if (need > have) {
    // Twice the record that is open: it may be long.
    const pages = <i32> ((need - have + (to - BASE) + 65535) >>> 16);
    if (memory.grow(pages) < 0 && memory.grow(<i32> ((need - have + 65535) >>> 16)) < 0) unreachable();
  }
  return to;
}

/** Takes bytes that the caller has put there. */
export function update(bytes: u32): void {
  const end = to + bytes;
  if (form === CSV) findRows(to, end);
  else findLines(to, end);
  digestListed();
  // What is open is joined, and begins at the beginning again.
  const rest = end - line;
  move(kept, line, rest);
  const open = kept - start;
  move(BASE, start, open + rest);
  start = BASE;
  kept = BASE + open;
  line = kept;
  to = line + rest;
}

/** Takes a record that the caller has put there. */
export function add(bytes: u32): void {
  list(to, bytes);
  to += bytes;
  if (to - BASE > FULL) {
    digestListed();
    to = BASE;
  }
}

/** Ends the answer. */
export function end(): void {
  if (form !== SINGLE) {
    if (to > line) endLine(to);
    if (isOpen) endRecord(kept);
  }
  digestListed();
}

function move(target: usize, source: usize, bytes: usize): void {
  if (target !== source && bytes > 0) memory.copy(target, source, bytes);
}

/** Ends the lines of a table whose cells may have quotes. */
function findRows(from: usize, end: usize): void {
  const feed = v128.load(FEEDS);
  const quote = v128.load(QUOTES);
  for (let at = from; at < end; at += 16) {
    const block = v128.load(at);
    let feeds = i8x16.bitmask(i8x16.eq(block, feed));
    let quotes = i8x16.bitmask(i8x16.eq(block, quote));
    if ((feeds | quotes) === 0) continue;
    if (end - at < 16) {
      const within = (1 << <i32> (end - at)) - 1;
      feeds &= within;
      quotes &= within;
    }
    for (; feeds !== 0; feeds &= feeds - 1) {
      const before = (feeds & -feeds) - 1;
      if ((popcnt(quotes & before) & 1) !== 0) isQuoted = !isQuoted;
      quotes &= ~before;
      endLine(at + ctz(feeds));
    }
    if ((popcnt(quotes) & 1) !== 0) isQuoted = !isQuoted;
  }
}

function findLines(from: usize, end: usize): void {
  const feed = v128.load(FEEDS);
  for (let at = from; at < end; at += 16) {
    let feeds = i8x16.bitmask(i8x16.eq(v128.load(at), feed));
    if (feeds === 0) continue;
    if (end - at < 16) feeds &= (1 << <i32> (end - at)) - 1;
    for (; feeds !== 0; feeds &= feeds - 1) endLine(at + ctz(feeds));
  }
}

/** Ends the open line at its line feed, or where the answer ends. */
function endLine(feed: usize): void {
  const end = feed > line && load<u8>(feed - 1) === CR ? feed - 1 : feed;
  if (form === FASTA) endFastaLine(end);
  else endRowLine(end);
  line = feed + 1;
  if (isOpen) return;
  start = line;
  kept = line;
}

function endRowLine(end: usize): void {
  if (end === line && !isQuoted) return;
  isOpen = true;
  keepLine(end);
  if (isQuoted) store<u8>(kept++, LF);
  else endRecord(kept);
}

function endFastaLine(end: usize): void {
  const mark = end > line ? load<u8>(line) : 0;
  if (mark === GREATER) {
    if (isOpen) endRecord(kept);
    isOpen = true;
    start = line;
    kept = line;
    keepLine(end);
    store<u8>(kept++, LF);
  } else if (isOpen) keepLine(end);
  else if (mark === SEMICOLON && !hasHeader) {
    hasHeader = true;
    onHeader(line, <u32> (end - line));
  }
}

function keepLine(end: usize): void {
  move(kept, line, end - line);
  kept += end - line;
}

function endRecord(end: usize): void {
  isOpen = false;
  if (form !== FASTA && !hasHeader) {
    hasHeader = true;
    onHeader(start, <u32> (end - start));
  } else list(start, <u32> (end - start));
}

function list(record: usize, bytes: u32): void {
  records++;
  if (bytes >= LONG) {
    digestLong(record, bytes);
    for (let word: usize = 0; word < 8; word++) addWord(word, bswap(load<u32>(longDigest + word * 4)));
    return;
  }
  const entry = LIST + <usize> listed * 8;
  store<u32>(entry, <u32> record);
  store<u32>(entry, bytes, 4);
  if (++listed === MOST_RECORDS) digestListed();
}

function addWord(word: usize, value: u32): void {
  const at = sums + word * 8;
  store<u64>(at, load<u64>(at) + value);
}

/** Digests the records of the list, and empties it. */
function digestListed(): void {
  let next: u32 = 0;
  let running: u32 = 0;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (next < listed) {
      fillLane(lane, next++);
      running++;
    } else emptyLane(lane);
  }
  while (running > 0) {
    addBlocksUntilOneEnds();
    for (let lane: usize = 0; lane < 4; lane++) {
      const at = LANE + lane * 16;
      if (load<u32>(at, 12) === 0 || load<u32>(at, 4) !== 0) continue;
      if (load<u32>(at, 8) !== 0) {
        store<u32>(at, <u32> (TAILS + lane * 128));
        store<u32>(at, load<u32>(at, 8), 4);
        store<u32>(at, 0, 8);
        continue;
      }
      for (let word: usize = 0; word < 8; word++) addWord(word, laneWord(lane, word));
      if (next < listed) fillLane(lane, next++);
      else {
        emptyLane(lane);
        running--;
      }
    }
  }
  listed = 0;
}

/** A lane without a message reads anything. */
function emptyLane(lane: usize): void {
  const at = LANE + lane * 16;
  store<u32>(at, <u32> TAILS);
  store<u32>(at, 0, 4);
  store<u32>(at, 0, 8);
  store<u32>(at, 0, 12);
}

/** Puts a record of the list into a lane: its blocks where they are, and what ends them into a tail. */
function fillLane(lane: usize, index: u32): void {
  const entry = LIST + <usize> index * 8;
  const record = <usize> load<u32>(entry);
  const bytes = load<u32>(entry, 4);
  const at = LANE + lane * 16;
  const tail = TAILS + lane * 128;
  const whole = bytes & ~63;
  const rest = bytes - whole;
  const blocks: u32 = rest < 56 ? 1 : 2;
  memory.fill(tail, 0, 128);
  memory.copy(tail, record + whole, rest);
  store<u8>(tail + rest, 0x80);
  store<u32>(tail + blocks * 64 - 4, bswap(bytes * 8));
  startLane(lane);
  store<u32>(at, 1, 12);
  if (whole === 0) {
    store<u32>(at, <u32> tail);
    store<u32>(at, blocks, 4);
    store<u32>(at, 0, 8);
  } else {
    store<u32>(at, <u32> record);
    store<u32>(at, whole >>> 6, 4);
    store<u32>(at, blocks, 8);
  }
}

/** Adds as many blocks to each message as that with the fewest has. */
function addBlocksUntilOneEnds(): void {
  let count: u32 = u32.MAX_VALUE;
  for (let at = LANE; at < LANE + 64; at += 16) {
    if (load<u32>(at, 12) !== 0) count = min(count, load<u32>(at, 4));
  }
  let one = <usize> load<u32>(LANE);
  let two = <usize> load<u32>(LANE, 16);
  let three = <usize> load<u32>(LANE, 32);
  let four = <usize> load<u32>(LANE, 48);
  const step1: usize = load<u32>(LANE, 12) * BLOCK;
  const step2: usize = load<u32>(LANE, 28) * BLOCK;
  const step3: usize = load<u32>(LANE, 44) * BLOCK;
  const step4: usize = load<u32>(LANE, 60) * BLOCK;
  for (let done: u32 = 0; done < count; done++) {
    addBlocks(one, two, three, four);
    one += step1;
    two += step2;
    three += step3;
    four += step4;
  }
  store<u32>(LANE, <u32> one);
  store<u32>(LANE, <u32> two, 16);
  store<u32>(LANE, <u32> three, 32);
  store<u32>(LANE, <u32> four, 48);
  for (let at = LANE; at < LANE + 64; at += 16) {
    if (load<u32>(at, 12) !== 0) store<u32>(at, load<u32>(at, 4) - count, 4);
  }
}
