// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Sixteen bytes at once: constants, and questions that are answered for all of them in a few steps. See `scan.as.ts`.
 */

/** Sixteen line feeds. */
export const LINE_FEEDS: usize = memory.data<u8>([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 16);
/** Keeps the low four bits, which distinguish A, C, T, U and G: 1, 3, 4, 5, 7. */
export const LOW_BITS: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
/** Drops the bit of the case: a base becomes upper case. */
export const UPPER: usize = memory.data<u8>(
  [0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf, 0xdf],
  16,
);
/** By its low bits, the one base of the five that a byte could be; 0xFF, which no byte equals in upper case. */
export const FIVE: usize = memory.data<u8>(
  [255, 65, 255, 67, 84, 85, 255, 71, 255, 255, 255, 255, 255, 255, 255, 255],
  16,
);
/** By its low bits, 1 for G and C. */
export const GC: usize = memory.data<u8>([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** By its low bits, which byte is expected: one of the five or a line feed; elsewhere one whose low bits are others. */
export const EXPECTED: usize = memory.data<u8>([15, 65, 13, 67, 84, 85, 9, 71, 7, 6, 10, 4, 3, 2, 1, 0], 16);
/** The same without a line feed. */
export const EXPECTED_BASES: usize = memory.data<u8>([15, 65, 13, 67, 84, 85, 9, 71, 7, 6, 5, 4, 3, 2, 1, 0], 16);
/**
 * By its low bits, in which bits a byte may not differ from the expected one. Bases may in that of the case, 32; in the
 * lowest bit none does, so that it can mark G and C.
 */
export const RULES: usize = memory.data<u8>(
  [255, 0xde, 255, 0xdf, 0xde, 0xde, 255, 0xdf, 255, 255, 0xfe, 255, 255, 255, 255, 255],
  16,
);
/** What makes the sum of four rules 0 when none is that of G, C or a line feed: -4 × 0xDE. */
export const NO_HITS: usize = memory.data<u8>(
  [0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88, 0x88],
  16,
);
/** Where that sum then holds the count of G and C; and where, moved down by 5, that of line feeds. */
export const GC_BITS: usize = memory.data<u8>([31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31], 16);
export const LINE_FEED_BITS: usize = memory.data<u8>([7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 16);
/** Where the sum of two rules, both those of bases, holds the count of G and C. */
export const PAIR_BITS: usize = memory.data<u8>([3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], 16);
/** Sixteen times `a`, and sixteen times 26: what makes a base. */
export const SMALL_A: usize = memory.data<u8>([97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97], 16);
export const ALPHABET: usize = memory.data<u8>([26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26], 16);
/** The bit of the case: a base becomes lower case. */
export const CASE_BIT: usize = memory.data<u8>([32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32], 16);

/** Sums sixteen byte-wide counters. */
export function sum(counters: v128): u64 {
  const pairs = i16x8.extadd_pairwise_i8x16_u(counters);
  const fours = i32x4.extadd_pairwise_i16x8_u(pairs);
  return <u64> (i32x4.extract_lane(fours, 0) + i32x4.extract_lane(fours, 1) +
    i32x4.extract_lane(fours, 2) + i32x4.extract_lane(fours, 3));
}

/**
 * Takes sixteen bytes from a table at once, by numbers below 16; what others would give is left to the processor, which
 * is quicker.
 */
export function lookUp(table: v128, numbers: v128): v128 {
  return i8x16.relaxed_swizzle(table, numbers);
}

/** Mask of the bytes that are A, C, G, T or U. */
export function areFive(bytes: v128, low: v128, upper: v128, five: v128): v128 {
  return i8x16.eq(v128.and(bytes, upper), lookUp(five, low));
}

/** Mask of the bytes that are bases of any kind. */
export function areBases(bytes: v128, caseBit: v128, smallA: v128, alphabet: v128): v128 {
  return i8x16.lt_u(i8x16.sub(v128.or(bytes, caseBit), smallA), alphabet);
}
