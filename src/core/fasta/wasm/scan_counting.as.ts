// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Counts bases of a sequence without keeping them: 64 bytes at a time, and 16 before what follows it. See `scan.as.ts`.
 */
import { ambiguous, atLineStart, BLOCK, gcCount, length, LF, line } from "./scan_state.as.ts";
import {
  ALPHABET,
  areBases,
  areFive,
  CASE_BIT,
  EXPECTED,
  FIVE,
  GC,
  GC_BITS,
  LINE_FEED_BITS,
  LINE_FEEDS,
  lookUp,
  LOW_BITS,
  NO_HITS,
  RULES,
  SMALL_A,
  sum,
  UPPER,
} from "./scan_vectors.as.ts";

/** Blocks after which byte-wide counters are summed: 63 × 4 hits fit in a byte. */
const BLOCKS_BEFORE_SUM: usize = 63;

/**
 * Counts blocks as long as they are clean or mixed; stops before the first that is neither.
 *
 * Of each byte two things are looked up by its low four bits: which byte is expected there, A, C, G, T, U or a line
 * feed, and its rule. The rule tells in which bits it may not differ, which is in all but that of the case, and what is
 * counted: its lowest bit is set for G and C, and it is larger by 32 for a line feed. So the rules of four bytes,
 * summed, hold both counts, of at most four each: that of line feeds in the upper three bits, that of G and C in the
 * lower five.
 */
export function countBlocks(from: usize, to: usize): usize {
  const lowBits = v128.load(LOW_BITS);
  const expected = v128.load(EXPECTED);
  const rules = v128.load(RULES);
  const noHits = v128.load(NO_HITS);
  const gcBits = v128.load(GC_BITS);
  const lineFeedBits = v128.load(LINE_FEED_BITS);
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
      const rule0 = lookUp(rules, low0);
      const rule1 = lookUp(rules, low1);
      const rule2 = lookUp(rules, low2);
      const rule3 = lookUp(rules, low3);
      const invalid01 = v128.or(
        v128.and(rule0, v128.xor(v0, lookUp(expected, low0))),
        v128.and(rule1, v128.xor(v1, lookUp(expected, low1))),
      );
      const invalid23 = v128.or(
        v128.and(rule2, v128.xor(v2, lookUp(expected, low2))),
        v128.and(rule3, v128.xor(v3, lookUp(expected, low3))),
      );
      if (v128.any_true(v128.or(invalid01, invalid23))) {
        goesOn = false;
        break;
      }
      const hits = i8x16.add(i8x16.add(i8x16.add(rule0, rule1), i8x16.add(rule2, rule3)), noHits);
      gcCounters = i8x16.add(gcCounters, v128.and(hits, gcBits));
      lineFeedCounters = i8x16.add(lineFeedCounters, v128.and(i16x8.shr_u(hits, 5), lineFeedBits));
      p += BLOCK;
    }
    gcCount += sum(gcCounters);
    lineFeedCount += sum(lineFeedCounters);
    if (!goesOn) {
      const hits = countMixed(p);
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

/**
 * Counts 16 bytes at a time as long as they are clean: the end of a sequence, when no block fits before the next
 * header.
 */
export function countSteps(from: usize, to: usize): usize {
  const lineFeeds = v128.load(LINE_FEEDS);
  const lowBits = v128.load(LOW_BITS);
  const expected = v128.load(EXPECTED);
  const rules = v128.load(RULES);
  let p = from;
  let lineFeedCount: u32 = 0;
  let gcHits: u32 = 0;
  for (; p + 16 <= to; p += 16) {
    const bytes = v128.load(p);
    const low = v128.and(bytes, lowBits);
    const rule = lookUp(rules, low);
    if (v128.any_true(v128.and(rule, v128.xor(bytes, lookUp(expected, low))))) break;
    lineFeedCount += popcnt(i8x16.bitmask(i8x16.eq(bytes, lineFeeds)));
    // The lowest bit of the rule, moved to where a mask is read.
    gcHits += popcnt(i8x16.bitmask(i8x16.shl(rule, 7)));
  }
  if (p > from) {
    gcCount += gcHits;
    length += <u64> (p - from) - lineFeedCount;
    line += <f64> lineFeedCount;
    atLineStart = load<u8>(p - 1) === LF;
  }
  return p;
}

/** Counts G, C and ambiguous bases of one block; the number of its line feeds, or -1 when it is not mixed. */
function countMixed(p: usize): i32 {
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
    if (!i8x16.all_true(v128.or(lf, areBases(bytes, caseBit, smallA, alphabet)))) return -1;
    const low = v128.and(bytes, lowBits);
    const isFive = areFive(bytes, low, upper, five);
    lineFeedCount += popcnt(i8x16.bitmask(lf));
    fiveCount += popcnt(i8x16.bitmask(isFive));
    gcHits += popcnt(i8x16.bitmask(i8x16.neg(v128.and(isFive, lookUp(gc, low)))));
  }
  gcCount += <u64> gcHits;
  ambiguous += <u64> (<i32> BLOCK - lineFeedCount - fiveCount);
  return lineFeedCount;
}
