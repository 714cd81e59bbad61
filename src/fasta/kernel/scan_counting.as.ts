// deno-lint-ignore-file
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Counts letters of a sequence without keeping them: 64 bytes at a time. See `scan.as.ts`. */
import { ambiguous, atLineStart, BLOCK, gcCount, length, LF, line } from "./scan_state.as.ts";
import {
  ALPHABET,
  areFive,
  areLetters,
  CASE_BIT,
  FIVE,
  GC,
  LINE_FEEDS,
  LOW_BITS,
  SMALL_A,
  sum,
  UPPER,
} from "./scan_vectors.as.ts";

/** Blocks after which byte-wide counters are summed: 63 × 4 hits fit in a byte. */
const BLOCKS_BEFORE_SUM: usize = 63;

/** Counts blocks as long as they are clean or lettered; stops before the first that is neither. */
export function countBlocks(from: usize, to: usize): usize {
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
