// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Counts the bases of a sequence and the pairs of neighbours among them, in AssemblyScript.
 *
 * Of 64 bytes at a time, a word of 64 bits for each base has the bits of the bytes that are this base. A pair is where
 * the word of its second base and that of its first, moved on by one byte, are both set. Memory: counts | the
 * sequences, at `input`, followed by at least 64 bytes.
 */

const BLOCK: usize = 64;
/** Pairs `AA`, `AC` to `TT`, then bases `A`, `C`, `G`, `T`. */
const CLASSES: i32 = 20;
/** Of each byte, by its low four bits: the base that is expected there, in lower case. */
const EXPECTED = memory.data<u8>([0, 0x61, 0, 0x63, 0x74, 0x75, 0, 0x67, 0, 0, 0, 0, 0, 0, 0, 0], 16);

/** A count of each class, u32. */
export const counts: usize = memory.data(<i32> CLASSES * 4, 16);
/** Where the sequences are. */
export const input: usize = (__heap_base + 63) & ~63;

/** Bits of the bytes that are A, C, G, T or U, either case. */
function basesOf(bytes: v128): u64 {
  const expected = i8x16.swizzle(v128.load(EXPECTED), v128.and(bytes, i8x16.splat(15)));
  return <u64> <u32> i8x16.bitmask(i8x16.eq(v128.or(bytes, i8x16.splat(32)), expected));
}

/** The second lowest bit of each byte: set in C and G. */
function lowOf(bytes: v128): u64 {
  return <u64> <u32> i8x16.bitmask(i16x8.shl(bytes, 6));
}

/** The third lowest bit of each byte: set in G, T and U. */
function highOf(bytes: v128): u64 {
  return <u64> <u32> i8x16.bitmask(i16x8.shl(bytes, 5));
}

/** Counts a sequence from one byte to another; `counts` holds the result until the next call. */
export function count(from: usize, to: usize): void {
  let aa: u64 = 0, ac: u64 = 0, ag: u64 = 0, at: u64 = 0, ca: u64 = 0, cc: u64 = 0, cg: u64 = 0, ct: u64 = 0;
  let ga: u64 = 0, gc: u64 = 0, gg: u64 = 0, gt: u64 = 0, ta: u64 = 0, tc: u64 = 0, tg: u64 = 0, tt: u64 = 0;
  let as: u64 = 0, cs: u64 = 0, gs: u64 = 0, ts: u64 = 0;
  // Whether the byte before the block is this base, as a bit.
  let lastA: u64 = 0, lastC: u64 = 0, lastG: u64 = 0, lastT: u64 = 0;
  for (let p = from; p < to; p += BLOCK) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    let isBase = basesOf(v0) | basesOf(v1) << 16 | basesOf(v2) << 32 | basesOf(v3) << 48;
    const low = lowOf(v0) | lowOf(v1) << 16 | lowOf(v2) << 32 | lowOf(v3) << 48;
    const high = highOf(v0) | highOf(v1) << 16 | highOf(v2) << 32 | highOf(v3) << 48;
    if (to - p < BLOCK) isBase &= ((<u64> 1) << <u64> (to - p)) - 1;
    const one = isBase & ~high;
    const other = isBase & high;
    const a = one & ~low;
    const c = one & low;
    const g = other & low;
    const t = other & ~low;
    const beforeA = a << 1 | lastA;
    const beforeC = c << 1 | lastC;
    const beforeG = g << 1 | lastG;
    const beforeT = t << 1 | lastT;
    lastA = a >> 63;
    lastC = c >> 63;
    lastG = g >> 63;
    lastT = t >> 63;
    as += popcnt(a);
    cs += popcnt(c);
    gs += popcnt(g);
    ts += popcnt(t);
    aa += popcnt(beforeA & a);
    ac += popcnt(beforeA & c);
    ag += popcnt(beforeA & g);
    at += popcnt(beforeA & t);
    ca += popcnt(beforeC & a);
    cc += popcnt(beforeC & c);
    cg += popcnt(beforeC & g);
    ct += popcnt(beforeC & t);
    ga += popcnt(beforeG & a);
    gc += popcnt(beforeG & c);
    gg += popcnt(beforeG & g);
    gt += popcnt(beforeG & t);
    ta += popcnt(beforeT & a);
    tc += popcnt(beforeT & c);
    tg += popcnt(beforeT & g);
    tt += popcnt(beforeT & t);
  }
  put(0, aa, ac, ag, at);
  put(4, ca, cc, cg, ct);
  put(8, ga, gc, gg, gt);
  put(12, ta, tc, tg, tt);
  put(16, as, cs, gs, ts);
}

/** Stores four counts from a class on. */
function put(kind: usize, a: u64, c: u64, g: u64, t: u64): void {
  const pointer = counts + 4 * kind;
  store<u32>(pointer, <u32> a);
  store<u32>(pointer, <u32> c, 4);
  store<u32>(pointer, <u32> g, 8);
  store<u32>(pointer, <u32> t, 12);
}
