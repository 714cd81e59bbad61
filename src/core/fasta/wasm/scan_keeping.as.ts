// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Copies bases of a sequence and counts them: 32 bytes at a time, and 16 where a line ends. See `scan.as.ts`. */
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
  areBases,
  areFive,
  CASE_BIT,
  EXPECTED_BASES,
  FIVE,
  GC,
  LINE_FEEDS,
  lookUp,
  LOW_BITS,
  PAIR_BITS,
  RULES,
  SMALL_A,
  sum,
  UPPER,
} from "./scan_vectors.as.ts";

/** Bytes of a pair of steps. */
const PAIR: usize = 32;
/** Pairs after which byte-wide counters are summed: 127 × 2 hits fit in a byte. */
const PAIRS_BEFORE_SUM: u32 = 127;

/**
 * Copies and counts bases line by line; stops before 16 bytes that contain anything else. 32 bytes that are all A, C,
 * G, T or U are counted by the rules of block counting, in which a line feed is invalid.
 */
export function keepLines(from: usize, to: usize): usize {
  const lineFeeds = v128.load(LINE_FEEDS);
  const lowBits = v128.load(LOW_BITS);
  const upper = v128.load(UPPER);
  const five = v128.load(FIVE);
  const gc = v128.load(GC);
  const caseBit = v128.load(CASE_BIT);
  const smallA = v128.load(SMALL_A);
  const alphabet = v128.load(ALPHABET);
  const bases = v128.load(EXPECTED_BASES);
  const rules = v128.load(RULES);
  const pairBits = v128.load(PAIR_BITS);
  const begin = sequences + sequenceLength;
  let p = from;
  let out = begin;
  let gcHits: u64 = 0;
  let others: u64 = 0;
  let lineFeedCount: u32 = 0;
  let gcCounters = i8x16.splat(0);
  let pairs: u32 = 0;
  for (;;) {
    for (; p + PAIR <= to; p += PAIR) {
      const v0 = v128.load(p);
      const v1 = v128.load(p, 16);
      const low0 = v128.and(v0, lowBits);
      const low1 = v128.and(v1, lowBits);
      const rule0 = lookUp(rules, low0);
      const rule1 = lookUp(rules, low1);
      const invalid0 = v128.and(rule0, v128.xor(v0, lookUp(bases, low0)));
      const invalid1 = v128.and(rule1, v128.xor(v1, lookUp(bases, low1)));
      if (v128.any_true(v128.or(invalid0, invalid1))) break;
      v128.store(out, v0);
      v128.store(out, v1, 16);
      out += PAIR;
      // The rules of two bases are 2 × 0xDE, whose lowest two bits are 0, and one for each G and C.
      gcCounters = i8x16.add(gcCounters, v128.and(i8x16.add(rule0, rule1), pairBits));
      pairs += 1;
      if (pairs === PAIRS_BEFORE_SUM) {
        gcHits += sum(gcCounters);
        gcCounters = i8x16.splat(0);
        pairs = 0;
      }
    }
    if (p + 16 > to) break;
    const bytes = v128.load(p);
    const low = v128.and(bytes, lowBits);
    const isFive = areFive(bytes, low, upper, five);
    const lfHits = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    // Mask of the bytes before the first line feed: all 16 without one.
    const before = lfHits === 0 ? 0xffff : (lfHits & -lfHits) - 1;
    const otherHits = ~i8x16.bitmask(isFive) & before;
    if (otherHits !== 0) {
      if ((~i8x16.bitmask(areBases(bytes, caseBit, smallA, alphabet)) & before) !== 0) break;
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
    gcCount += gcHits + sum(gcCounters);
    ambiguous += others;
    line += <f64> lineFeedCount;
    sequenceLength = <u32> (out - sequences);
    atLineStart = load<u8>(p - 1) === LF;
  }
  return p;
}
