// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Hashes of the canonical k-mers of a sequence, in AssemblyScript, sorted and distinct. A sequence comes in pieces;
 * each piece after the first repeats the last k - 1 bases of the one before it.
 *
 * Memory: input (a piece, made upper case) | its reverse complement | codes of its bases | pairs of decimal digits |
 * chosen strands of k-mers | hashes | their digits. Each region of bases is followed by at least 64 bytes that may be
 * read, and the reverse complement is preceded by as many, that may be written.
 */

/** Bases of a piece at most. */
export const PIECE: u32 = 1 << 18;
const MARGIN: usize = 512;
/** The code of any base but A, C, G and T, whose codes are 0 to 3 in the order of ASCII. */
const UNKNOWN: u8 = 4;
/** Strands of k-mers that are chosen before they are hashed. */
const CHOSEN: usize = 512;
const ONE: u64 = 1;

export let input: usize = 0;
export let output: usize = 0;
let reverse: usize = 0;
let codes: usize = 0;
let pairs: usize = 0;
let chosen: usize = 0;
/** The end of the hashes so far. */
let end: usize = 0;

/** Lays the memory out. */
export function layout(): void {
  input = __heap_base + MARGIN;
  reverse = input + PIECE + MARGIN;
  codes = reverse + PIECE + MARGIN;
  pairs = codes + PIECE + MARGIN;
  chosen = pairs + MARGIN;
  output = (chosen + 4 * CHOSEN + 7) & ~7;
  grow(output + MARGIN);
  for (let i = 0; i < 100; i++) store<u16>(pairs + (i << 1), <u16> (0x3030 | i % 10 << 8 | i / 10));
}

/** Grows the memory, up to an address that is used. */
function grow(most: usize): void {
  const pages = <i32> ((most + 65535) >>> 16) - memory.size();
  // A half more each time, so that a long sequence has its memory copied a few times only.
  if (pages > 0 && memory.grow(max(pages, memory.size() >>> 1)) < 0 && memory.grow(pages) < 0) unreachable();
}

/** Begins a sequence. */
export function begin(): void {
  end = output;
}

/** Whether U is read as T; it is an unknown base otherwise. */
let isRna: bool = false;

/** Sets whether U is read as T. */
export function readRna(is: bool): void {
  isRna = is;
}

/** Makes n bases upper case, and writes their reverse complement and their codes. */
function makeStrands(n: usize): void {
  // By the low four bits of a base: A is 1, C is 3, T is 4, U is 5, G is 7.
  const u: i8 = isRna ? 0x55 : -1;
  const valid = i8x16.replace_lane(i8x16(-1, 65, -1, 67, 84, -1, -1, 71, -1, -1, -1, -1, -1, -1, -1, -1), 5, u);
  const written = i8x16(78, 65, 78, 67, 84, 84, 78, 71, 78, 78, 78, 78, 78, 78, 78, 78);
  const paired = i8x16(78, 84, 78, 71, 65, 65, 78, 67, 78, 78, 78, 78, 78, 78, 78, 78);
  const coded = i8x16(4, 0, 4, 1, 3, 3, 4, 2, 4, 4, 4, 4, 4, 4, 4, 4);
  const backwards = i8x16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const upper = i8x16.splat(<i8> 0xdf);
  const low = i8x16.splat(15);
  const unknown = i8x16.splat(UNKNOWN);
  for (let i: usize = 0; i < n; i += 16) {
    const bases = v128.and(v128.load(input + i), upper);
    const index = v128.and(bases, low);
    const isBase = i8x16.eq(bases, i8x16.swizzle(valid, index));
    v128.store(input + i, i8x16.swizzle(written, index));
    v128.store(codes + i, v128.bitselect(i8x16.swizzle(coded, index), unknown, isBase));
    v128.store(reverse + n - i - 16, i8x16.swizzle(i8x16.swizzle(paired, index), backwards));
  }
  // Where the last run of known bases ends.
  store<u8>(codes + n, UNKNOWN);
}

/** Where the next run of known bases begins, or ends; at most n. */
function runFrom(from: u32, n: u32, isEnd: bool): u32 {
  let i = from;
  if (isEnd) {
    const least = i8x16.splat(UNKNOWN);
    for (; i < n; i += 16) {
      const unknown = i8x16.bitmask(i8x16.eq(v128.load(codes + i), least));
      if (unknown !== 0) return min(i + ctz(unknown), n);
    }
    return n;
  }
  while (i < n && load<u8>(codes + i) === UNKNOWN) i++;
  return i;
}

/** The final mix of MurmurHash3 x64. */

function mix(h: u64): u64 {
  h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >>> 33);
}

/** The seed of sourmash. */
const SEED: u64 = 42;

function scramble1(word: u64): u64 {
  return rotl<u64>(word * 0x87c37b91114253d5, 31) * 0x4cf5ad432745937f;
}

function scramble2(word: u64): u64 {
  return rotl<u64>(word * 0x4cf5ad432745937f, 33) * 0x87c37b91114253d5;
}

/** The first half of the state after the first half of a block. */

function mixIn1(h1: u64, h2: u64, word: u64): u64 {
  const h = rotl<u64>(h1 ^ scramble1(word), 27) + h2;
  // Five times as much: shorter than a multiplication.
  return h + (h << 2) + 0x52dce729;
}

/** The second half of the state after the second half of a block. */

function mixIn2(h2: u64, h1: u64, word: u64): u64 {
  const h = rotl<u64>(h2 ^ scramble2(word), 31) + h1;
  return h + (h << 2) + 0x38495ab5;
}

/** The lower 64 bits of the hash. */

function lowerHalf(h1: u64, h2: u64): u64 {
  return mix(h1 + h2) + mix(h1 + h2 + h2);
}

/** The bytes of a word that belong to the last, incomplete block, of which there are so many. */
function tailMask(bytes: i32): u64 {
  return bytes >= 8 ? ~0 : bytes <= 0 ? 0 : (ONE << (bytes << 3)) - 1;
}

/** Whether the k-mer at p comes before the one at q, or equals it, in the order of ASCII. */
function isFirst(p: usize, q: usize, k: u32): bool {
  for (let i: usize = 0; i < k; i++) {
    const a = load<u8>(p + i);
    const b = load<u8>(q + i);
    if (a !== b) return a < b;
  }
  return true;
}

/** Adds those hashes of sourmash, of a piece of n bases, that are not 0 and at most `most`. */
export function exchange(n: u32, k: u32, most: u64): void {
  grow(end + (<usize> n << 3) + MARGIN);
  makeStrands(n);
  for (let from = runFrom(0, n, false); from < n;) {
    const to = runFrom(from, n, true);
    if (to - from >= k) exchangeRun(from, to, n, k, most);
    from = runFrom(to, n, false);
  }
}

/**
 * Adds the hashes of a run of known bases. Which strand of a k-mer comes first is decided by the codes of the first 32
 * bases of each, which roll along; the first strands are hashed some hundred at a time, which a processor does faster.
 */
function exchangeRun(from: u32, to: u32, n: u32, k: u32, most: u64): void {
  const compared = min<u32>(k, 32);
  const later = k - compared;
  // The last base of the forward strand is here; below it are zeros, or what the reverse complement had before.
  const last: u64 = 64 - 2 * compared;
  let forward: u64 = 0;
  let backward: u64 = 0;
  for (let i = from; i < from + compared - 1; i++) forward = forward << 2 | <u64> load<u8>(codes + i) << last;
  for (let i = from + later; i < from + k - 1; i++) backward = backward >>> 2 | (<u64> load<u8>(codes + i) ^ 3) << 62;
  let p: usize = input + from;
  let q: usize = reverse + n - (from + k);
  for (let i: usize = from + k - 1; i < to;) {
    const stop = min<usize>(i + CHOSEN, to);
    let out = chosen;
    for (; i < stop; i++, p++, q--, out += 4) {
      forward = forward << 2 | <u64> load<u8>(codes + i - later) << last;
      backward = backward >>> 2 | (<u64> load<u8>(codes + i) ^ 3) << 62;
      let first = select<usize>(p, q, forward < backward);
      if (later !== 0 && forward === backward) first = isFirst(p, q, k) ? p : q;
      store<u32>(out, first);
    }
    if (k >>> 4 === 1) hashOneBlock(out, k, most);
    else hashBlocks(out, k, most);
  }
}

/** Hashes the chosen strands up to `stop`: of 16 to 31 bases, a whole block and a part of one. */
function hashOneBlock(stop: usize, k: u32, most: u64): void {
  const mask1 = tailMask(k - 16);
  const mask2 = tailMask(k - 24);
  let out = end;
  for (let at = chosen; at < stop; at += 4) {
    const p: usize = load<u32>(at);
    const h1 = mixIn1(SEED, SEED, load<u64>(p));
    const h2 = mixIn2(SEED, h1, load<u64>(p, 8));
    const tail1 = scramble1(load<u64>(p, 16) & mask1);
    const tail2 = mask2 === 0 ? 0 : scramble2(load<u64>(p, 24) & mask2);
    const hash = lowerHalf(h1 ^ tail1 ^ k, h2 ^ tail2 ^ k);
    if (hash - 1 >= most) continue;
    store<u64>(out, hash);
    out += 8;
  }
  end = out;
}

/** Hashes the chosen strands up to `stop`, of any number of bases. */
function hashBlocks(stop: usize, k: u32, most: u64): void {
  const mask1 = tailMask(k & 15);
  const mask2 = tailMask((k & 15) - 8);
  let out = end;
  for (let at = chosen; at < stop; at += 4) {
    let p: usize = load<u32>(at);
    let h1 = SEED;
    let h2 = SEED;
    for (const tail = p + (k & ~15); p < tail; p += 16) {
      h1 = mixIn1(h1, h2, load<u64>(p));
      h2 = mixIn2(h2, h1, load<u64>(p, 8));
    }
    const tail1 = scramble1(load<u64>(p) & mask1);
    const tail2 = scramble2(load<u64>(p, 8) & mask2);
    const hash = lowerHalf(h1 ^ tail1 ^ k, h2 ^ tail2 ^ k);
    if (hash - 1 >= most) continue;
    store<u64>(out, hash);
    out += 8;
  }
  end = out;
}

/** Bases of a k-mer of the search sketch. */
const K: u64 = 21;
const K_MASK: u64 = (1 << (2 * K)) - 1;
/** Values of a group: see the codes of `../sketch/search_sketch.ts`. */
const GROUP_BITS: u64 = 39;

/**
 * Adds twice the code of each k-mer's hash, plus 1 where the k-mer's own strand is the canonical one, for hashes of 49
 * bits below 2^bits.
 */
export function search(n: u32, bits: u64): void {
  grow(end + (<usize> n << 3) + MARGIN);
  makeStrands(n);
  const most: u64 = ONE << (bits + 15);
  let out = end;
  for (let from = runFrom(0, n, false); from < n;) {
    const to = runFrom(from, n, true);
    let forward: u64 = 0;
    let backward: u64 = 0;
    for (let i = from; i < to; i++) {
      const code: u64 = load<u8>(codes + i);
      forward = (forward << 2 | code) & K_MASK;
      backward = backward >>> 2 | (code ^ 3) << (2 * K - 2);
      if (i - from < <u32> K - 1) continue;
      const isForward = forward < backward;
      const mixed = mix(select<u64>(forward, backward, isForward) + 0x9e3779b97f4a7c15);
      if (bits < 49 && mixed >= most) continue;
      const hash = mixed >>> 15;
      // Beyond 2^45 six bits fewer are kept: fifteen groups there, sixty-four below.
      const wide = hash >>> 45;
      const packed = wide === 0 ? hash : (63 + wide) << GROUP_BITS | (hash & ((ONE << 45) - 1)) >>> 6;
      store<u64>(out, packed << 1 | <u64> isForward);
      out += 8;
    }
    from = runFrom(to, n, false);
  }
  end = out;
}

/** Sorts the hashes and removes those that come again; returns their number. */
export function finishExchange(): u32 {
  sort(output, end);
  return keepFirst(0);
}

/** As `finishExchange`, of codes: one of both strands is kept, the complement's; the numbers become f64. */
export function finishSearch(): u32 {
  sort(output, end);
  const count = keepFirst(1);
  for (let at = output; at < end; at += 8) store<f64>(at, <f64> load<u64>(at));
  return count;
}

/** Removes sorted numbers that equal the one before them, the lowest bits left aside. */
function keepFirst(bits: u64): u32 {
  let out = output;
  let last: u64 = 0;
  for (let at = output; at < end; at += 8) {
    const value = load<u64>(at);
    if (at !== output && value >>> bits === last) continue;
    last = value >>> bits;
    store<u64>(out, value);
    out += 8;
  }
  end = out;
  return <u32> ((end - output) >>> 3);
}

/** Numbers that are sorted by insertion. */
const FEW: usize = 24;

/** Sorts numbers, u64: by their median of three, the shorter part first, and few by insertion. */
function sort(from: usize, to: usize): void {
  while (to - from > FEW << 3) {
    const a = load<u64>(from);
    const b = load<u64>(from + ((to - from) >>> 4 << 3));
    const c = load<u64>(to - 8);
    const middle = max(min(a, b), min(max(a, b), c));
    let low = from;
    let high = to - 8;
    while (low <= high) {
      while (load<u64>(low) < middle) low += 8;
      while (load<u64>(high) > middle) high -= 8;
      if (low > high) break;
      const moved = load<u64>(low);
      store<u64>(low, load<u64>(high));
      store<u64>(high, moved);
      low += 8;
      high -= 8;
    }
    if (high - from < to - low) {
      sort(from, high + 8);
      from = low;
    } else {
      sort(low, to);
      to = high + 8;
    }
  }
  for (let at = from + 8; at < to; at += 8) {
    const value = load<u64>(at);
    let pointer = at;
    for (; pointer > from && load<u64>(pointer - 8) > value; pointer -= 8) store<u64>(pointer, load<u64>(pointer - 8));
    store<u64>(pointer, value);
  }
}

/** Where the digits of the hashes are, and where those with commas between the hashes begin and end. */
export let digits: usize = 0;
export let list: usize = 0;
export let listEnd: usize = 0;
/** Digits of a number of 64 bits at most, and a comma. */
const MOST_DIGITS: usize = 21;

/** Writes the hashes as decimal numbers, once end to end and once with commas between them. */
export function writeDigits(): void {
  const room = ((end - output) >>> 3) * MOST_DIGITS + MARGIN;
  const scratch = end;
  digits = end + 32;
  list = digits + room;
  grow(list + room);
  let out = digits;
  let listOut = list;
  for (let at = output; at < end; at += 8) {
    const value = load<u64>(at);
    const high = value / 10000000000000000;
    const low = value % 10000000000000000;
    writeEight(scratch, <u32> high);
    writeEight(scratch + 8, <u32> (low / 100000000));
    writeEight(scratch + 16, <u32> (low % 100000000));
    let first = scratch;
    while (first < scratch + 23 && load<u8>(first) === 48) first++;
    const count = scratch + 24 - first;
    copyDigits(out, first);
    copyDigits(listOut, first);
    out += count;
    listOut += count;
    store<u8>(listOut, 44);
    listOut++;
  }
  listEnd = max(list, listOut - 1);
}

/** Copies 24 bytes; those after the digits are written over. */
function copyDigits(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  store<u64>(to, load<u64>(from, 16), 16);
}

/** Writes eight digits. */
function writeEight(at: usize, value: u32): void {
  const high = value / 10000;
  const low = value % 10000;
  store<u16>(at, load<u16>(pairs + (high / 100 << 1)));
  store<u16>(at, load<u16>(pairs + (high % 100 << 1)), 2);
  store<u16>(at, load<u16>(pairs + (low / 100 << 1)), 4);
  store<u16>(at, load<u16>(pairs + (low % 100 << 1)), 6);
}
