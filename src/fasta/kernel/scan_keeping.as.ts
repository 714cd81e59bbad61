// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Copies letters of a sequence and counts them: 16 bytes at a time. See `scan.as.ts`. */
import {
  ambiguous,
  atLineStart,
  gcCount,
  GREATER,
  length,
  LF,
  line,
  SEMICOLON,
  sequenceLength,
  sequences,
} from "./scan_state.as.ts";
import {
  ALPHABET,
  areFive,
  areLetters,
  CASE_BIT,
  FIVE,
  GC,
  LINE_FEEDS,
  lookUp,
  LOW_BITS,
  SMALL_A,
  UPPER,
} from "./scan_vectors.as.ts";

/** Copies and counts letters 16 at a time, a line after the other; stops before 16 bytes that hold anything else. */
export function keepLines(from: usize, to: usize): usize {
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
    gcHits += popcnt(i8x16.bitmask(i8x16.neg(v128.and(isFive, lookUp(gc, low)))) & before);
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
