// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Copies headers, and computes the properties of each that the checks need first. See `scan.as.ts`. */
import {
  atLineStart,
  CR,
  fault,
  headerLength,
  headerMarks,
  headerOffsets,
  headers,
  idHashes,
  idLengths,
  inHeader,
  LF,
  line,
  maxHeaderBytes,
  rows,
  valueCounts,
} from "./scan_state.as.ts";
import { LINE_FEEDS } from "./scan_vectors.as.ts";

const SPACE: u8 = 32;
const TAB: u8 = 9;
/** Line feed, vertical tab, form feed and carriage return follow the tab. */
const WHITE_AFTER_TAB: u8 = 4;
const PIPE: u8 = 124;

/** Marks of a header: it holds a carriage return, or bytes outside ASCII. */
const BREAK_MARK: u8 = 1;
const NON_ASCII_MARK: u8 = 2;

/** Whether an id ends at the first `|`, or at the first blank. */
let endsAtPipe: bool = false;
let hashFactor: u32 = 1;

/** How headers are to be read: where an id ends, and with which odd factor it is hashed. */
export function useHeaders(idEndsAtPipe: bool, factor: u32): void {
  endsAtPipe = idEndsAtPipe;
  hashFactor = factor;
}

/** Copies a header, up to its line feed or the end of the bytes. */
export function scanHeader(from: usize, to: usize): usize {
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

/** Ends the open header, and describes it. */
export function endHeader(): void {
  const begin = load<u32>(headerOffsets + (<usize> rows << 2));
  if (headerLength > begin && load<u8>(headers + headerLength - 1) === CR) headerLength -= 1;
  if (!endsAtPipe) dropBlanks(headers + begin, headers + headerLength);
  store<u32>(headerOffsets + (<usize> (rows + 1) << 2), headerLength);
  describe(headers + begin, headers + headerLength);
  inHeader = false;
  atLineStart = true;
}

/** As samtools has it: blanks before an id play no part. */
function dropBlanks(from: usize, to: usize): void {
  let p = from;
  while (p < to && isWhite(load<u8>(p))) p += 1;
  if (p === from) return;
  memory.copy(from, p, to - p);
  headerLength -= <u32> (p - from);
}

function isWhite(byte: u8): bool {
  return byte === SPACE || <u8> (byte - TAB) <= WHITE_AFTER_TAB;
}

function describe(from: usize, to: usize): void {
  let p = from;
  let hash = hashFactor;
  while (p < to) {
    const byte = load<u8>(p);
    if (endsAtPipe ? byte === PIPE : isWhite(byte)) break;
    hash = (hash ^ byte) * hashFactor;
    hash ^= hash >> 15;
    p += 1;
  }
  const row = <usize> rows;
  store<u32>(idLengths + (row << 2), <u32> (p - from));
  store<u32>(idHashes + (row << 2), hash);
  const pipes = i8x16.splat(PIPE);
  const breaks = i8x16.splat(CR);
  let values: i32 = 1;
  let marks: u8 = 0;
  for (p = from; p < to; p += 16) {
    const bytes = v128.load(p);
    // Bits of the bytes that belong to the header: the last load may reach beyond it.
    const own = to - p >= 16 ? 0xffff : (1 << <i32> (to - p)) - 1;
    values += popcnt(i8x16.bitmask(i8x16.eq(bytes, pipes)) & own);
    if ((i8x16.bitmask(i8x16.eq(bytes, breaks)) & own) !== 0) marks |= BREAK_MARK;
    if ((i8x16.bitmask(bytes) & own) !== 0) marks |= NON_ASCII_MARK;
  }
  store<u32>(valueCounts + (row << 2), values);
  store<u8>(headerMarks + row, marks);
}
