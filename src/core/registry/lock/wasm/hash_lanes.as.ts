// deno-fmt-ignore-file -- it takes the decorators out, which AssemblyScript needs
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * SHA-256 of four messages at once, one in each lane of a vector (FIPS 180-4).
 *
 * A vector has the same word of four messages. The caller passes the four blocks that are next.
 */

/** Bytes of a block. */
export const BLOCK: i32 = 64;
/** Bytes of a vector. */
const LANES: usize = 16;
const WORDS: usize = 64;

const ROUNDS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
], 16);

const START: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
], 16);

/** The eight words of the four states. */
const STATE: usize = memory.data(128, 16);
/** The words of a round: of the message, then of the rounds' constants too. */
const SCHEDULE: usize = memory.data(1024, 16);

/** Begins a message in a lane. */
export function startLane(lane: usize): void {
  for (let word: usize = 0; word < 8; word++) store<u32>(STATE + word * LANES + lane * 4, load<u32>(START + word * 4));
}

/** A word of the digest of the message in a lane. */
export function laneWord(lane: usize, word: usize): u32 {
  return load<u32>(STATE + word * LANES + lane * 4);
}

@inline
function turn(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits));
}

@inline
function turned(x: v128, one: i32, two: i32, three: i32): v128 {
  return v128.xor(v128.xor(turn(x, one), turn(x, two)), turn(x, three));
}

@inline
function swapped(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

/** What a round adds to `d`, and half of what becomes `h`. */
@inline
function first(e: v128, f: v128, g: v128, h: v128, at: usize): v128 {
  const sum = i32x4.add(i32x4.add(h, v128.load(at)), turned(e, 6, 11, 25));
  return i32x4.add(sum, v128.bitselect(f, g, e));
}

@inline
function second(a: v128, b: v128, c: v128): v128 {
  return i32x4.add(turned(a, 2, 13, 22), v128.bitselect(c, a, v128.xor(a, b)));
}

/** Reads 16 bytes of four blocks as four words of each. */
function readWords(one: usize, two: usize, three: usize, four: usize, to: usize): void {
  const a = v128.load(one);
  const b = v128.load(two);
  const c = v128.load(three);
  const d = v128.load(four);
  const low1 = v128.shuffle<u32>(a, b, 0, 4, 1, 5);
  const low2 = v128.shuffle<u32>(c, d, 0, 4, 1, 5);
  const high1 = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
  const high2 = v128.shuffle<u32>(c, d, 2, 6, 3, 7);
  v128.store(to, swapped(v128.shuffle<u64>(low1, low2, 0, 2)));
  v128.store(to, swapped(v128.shuffle<u64>(low1, low2, 1, 3)), 16);
  v128.store(to, swapped(v128.shuffle<u64>(high1, high2, 0, 2)), 32);
  v128.store(to, swapped(v128.shuffle<u64>(high1, high2, 1, 3)), 48);
}

/** Adds a block to each message. */
export function addBlocks(one: usize, two: usize, three: usize, four: usize): void {
  for (let at: usize = 0; at < <usize> BLOCK; at += 16) {
    readWords(one + at, two + at, three + at, four + at, SCHEDULE + at * 4);
  }
  const end = SCHEDULE + WORDS * LANES;
  for (let at = SCHEDULE + 16 * LANES; at < end; at += LANES) {
    const x = v128.load(at - 15 * LANES);
    const y = v128.load(at - 2 * LANES);
    const low = v128.xor(v128.xor(turn(x, 7), turn(x, 18)), i32x4.shr_u(x, 3));
    const high = v128.xor(v128.xor(turn(y, 17), turn(y, 19)), i32x4.shr_u(y, 10));
    const sum = i32x4.add(v128.load(at - 16 * LANES), v128.load(at - 7 * LANES));
    v128.store(at, i32x4.add(sum, i32x4.add(low, high)));
  }
  for (let at = SCHEDULE, round = ROUNDS; at < end; at += LANES, round += 4) {
    v128.store(at, i32x4.add(v128.load(at), v128.load32_splat(round)));
  }
  let a = v128.load(STATE);
  let b = v128.load(STATE, 16);
  let c = v128.load(STATE, 32);
  let d = v128.load(STATE, 48);
  let e = v128.load(STATE, 64);
  let f = v128.load(STATE, 80);
  let g = v128.load(STATE, 96);
  let h = v128.load(STATE, 112);
  // Eight rounds in a turn: then every word is in its own variable again.
  for (let at = SCHEDULE; at < end; at += 8 * LANES) {
    h = first(e, f, g, h, at);
    d = i32x4.add(d, h);
    h = i32x4.add(h, second(a, b, c));
    g = first(d, e, f, g, at + 16);
    c = i32x4.add(c, g);
    g = i32x4.add(g, second(h, a, b));
    f = first(c, d, e, f, at + 32);
    b = i32x4.add(b, f);
    f = i32x4.add(f, second(g, h, a));
    e = first(b, c, d, e, at + 48);
    a = i32x4.add(a, e);
    e = i32x4.add(e, second(f, g, h));
    d = first(a, b, c, d, at + 64);
    h = i32x4.add(h, d);
    d = i32x4.add(d, second(e, f, g));
    c = first(h, a, b, c, at + 80);
    g = i32x4.add(g, c);
    c = i32x4.add(c, second(d, e, f));
    b = first(g, h, a, b, at + 96);
    f = i32x4.add(f, b);
    b = i32x4.add(b, second(c, d, e));
    a = first(f, g, h, a, at + 112);
    e = i32x4.add(e, a);
    a = i32x4.add(a, second(b, c, d));
  }
  v128.store(STATE, i32x4.add(v128.load(STATE), a));
  v128.store(STATE, i32x4.add(v128.load(STATE, 16), b), 16);
  v128.store(STATE, i32x4.add(v128.load(STATE, 32), c), 32);
  v128.store(STATE, i32x4.add(v128.load(STATE, 48), d), 48);
  v128.store(STATE, i32x4.add(v128.load(STATE, 64), e), 64);
  v128.store(STATE, i32x4.add(v128.load(STATE, 80), f), 80);
  v128.store(STATE, i32x4.add(v128.load(STATE, 96), g), 96);
  v128.store(STATE, i32x4.add(v128.load(STATE, 112), h), 112);
}
