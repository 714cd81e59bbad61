// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Alignment of two genomes, in AssemblyScript: exact matches of 11 bases are seeds; a seed that is long enough starts a
 * region, which is extended along its diagonal, and chained to the next short match within a band of 40 bases.
 *
 * Memory: bases of the query | of its reverse complement | of the reference | heads and links of the seeds of the
 * reference | a byte for each base of query and reference, 1 where it is covered | regions. Bases are codes: 0 to 3,
 * and 4 or 5 for any other character of query and reference, so that these never match. Each sequence is preceded and
 * followed by at least 64 codes that match nothing.
 */

/** Bases of a seed. */
const SEED: i32 = 11;
/** Exactly matching bases that start a region. */
const ANCHOR: i32 = 13;
/** One in so many seeds of the reference is kept: each match of 13 bases has one of them. */
const STEP: i32 = ANCHOR - SEED + 1;
/** Bases of query or reference that a link may skip, at most. */
const BAND: i32 = 40;
/** An extension ends when its score (1 a match, -2 a mismatch) is this far below its best. */
const DROP: i32 = 20;
/** The same of a chain, whose score is 1 a matching base and -2 any other base of the query. */
const CHAIN_DROP: i32 = 30;
/** Bases of a region at least. */
const LEAST_REGION: i32 = 35;
/** Occurrences of a seed in the reference that are tried. */
const MOST_TRIES: i32 = 64;
/** The code of unknown bases of the query; those of the reference have the next one. */
const UNKNOWN: u8 = 4;
/** Bits of a seed that are set where it has an unknown base. */
const UNKNOWN_MASK: u64 = 0x0404040404444444;
const MIN_BITS: u32 = 12;
const MAX_BITS: u32 = 22;
const MARGIN: usize = 128;
const REGION_BYTES: usize = 20;

export let query: usize = 0;
export let reference: usize = 0;
/** Five numbers a region, i32: start and end in query and reference, matching bases. */
export let regions: usize = 0;
let complement: usize = 0;
let heads: usize = 0;
let links: usize = 0;
let coveredQuery: usize = 0;
let coveredReference: usize = 0;
let bits: u32 = MIN_BITS;
let queryBases: i32 = 0;
let referenceBases: i32 = 0;

/** Lays the memory out for sequences of at most so many bases. */
export function layout(most: usize): void {
  const room = (most + 2 * MARGIN + 7) & ~7;
  query = __heap_base + MARGIN;
  complement = query + room;
  reference = complement + room;
  heads = (reference + room) & ~7;
  links = heads + (<usize> 4 << MAX_BITS);
  coveredQuery = links + 4 * (room / STEP + 1);
  coveredReference = coveredQuery + room;
  regions = (coveredReference + room + 7) & ~7;
  // Regions do not overlap: there are at most as many as fit into the query, on each strand.
  const end = regions + 2 * (room / LEAST_REGION + 1) * REGION_BYTES;
  const pages = <i32> ((end + 65535) >>> 16) - memory.size();
  if (pages > 0) memory.grow(pages);
}

/** Writes the code of each base, `other` for anything but A, C, G, T and U, and a margin on both sides. */
function encode(at: usize, bases: i32, other: u8): void {
  // By the low four bits of a base: A is 1, C is 3, T is 4, U is 5, G is 7.
  const valid = i8x16(-1, 0x41, -1, 0x43, 0x54, 0x55, -1, 0x47, -1, -1, -1, -1, -1, -1, -1, -1);
  const coded = i8x16(0, 0, 0, 1, 3, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
  const upper = i8x16.splat(<i8> 0xdf);
  const low = i8x16.splat(15);
  const unknown = i8x16.splat(other);
  for (let i = 0; i < bases; i += 16) {
    const letters = v128.and(v128.load(at + i), upper);
    const index = v128.and(letters, low);
    const isBase = i8x16.eq(letters, i8x16.swizzle(valid, index));
    v128.store(at + i, v128.bitselect(i8x16.swizzle(coded, index), unknown, isBase));
  }
  fillMargins(at, bases, other);
}

function fillMargins(at: usize, bases: i32, other: u8): void {
  memory.fill(at - MARGIN / 2, other, MARGIN / 2);
  memory.fill(at + bases, other, MARGIN / 2);
}

/** Encodes the query, whose bases are at `query`, and its reverse complement. */
export function encodeQuery(bases: i32): void {
  queryBases = bases;
  encode(query, bases, UNKNOWN);
  const backwards = i8x16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  const unknown = i8x16.splat(UNKNOWN);
  const three = i8x16.splat(3);
  for (let i = 0; i < bases; i += 16) {
    const codes = v128.load(query + i);
    const paired = v128.bitselect(codes, v128.xor(codes, three), i8x16.eq(codes, unknown));
    v128.store(complement + bases - 16 - i, i8x16.swizzle(paired, backwards));
  }
  fillMargins(complement, bases, UNKNOWN);
}

/** Encodes the reference, whose bases are at `reference`, and finds its seeds: each head links to earlier ones. */
export function indexReference(count: i32): void {
  referenceBases = count;
  encode(reference, count, UNKNOWN + 1);
  bits = MIN_BITS;
  while (bits < MAX_BITS && 1 << bits < 2 * count) bits++;
  memory.fill(heads, 0, <usize> 4 << bits);
  for (let place = 0; place + SEED <= count; place += STEP) {
    const key = seedAt(reference + place);
    if ((key & UNKNOWN_MASK) !== 0) continue;
    const head = heads + (headOf(key) << 2);
    store<i32>(linkOf(place), load<i32>(head));
    store<i32>(head, place + 1);
  }
}

/** Where the link of a seed of the reference is. */
function linkOf(place: i32): usize {
  return links + (<usize> (<u32> place / STEP) << 2);
}

/** The codes of a seed: eight in the lower and three in the upper halves of bytes. */
function seedAt(p: usize): u64 {
  return load<u64>(p) | (load<u64>(p, 3) >>> 40) << 4;
}

/** Number of the head of a seed. */
function headOf(key: u64): usize {
  return <usize> (key * 0x9e3779b97f4a7c15 >>> (64 - bits));
}

/** Equal bases from p and q on, at most `most`. */

function equalFrom(p: usize, q: usize, most: i32): i32 {
  for (let i = 0; i < most; i += 8) {
    const difference = load<u64>(p + i) ^ load<u64>(q + i);
    if (difference !== 0) return min(i + <i32> (ctz(difference) >> 3), most);
  }
  return most;
}

/** Equal bases before p and q, at most `most`. */
function equalBefore(p: usize, q: usize, most: i32): i32 {
  for (let i = 0; i < most; i += 8) {
    const difference = load<u64>(p - i - 8) ^ load<u64>(q - i - 8);
    if (difference !== 0) return min(i + <i32> (clz(difference) >> 3), most);
  }
  return most;
}

/** The region that is being extended: from `start` to `end` in query and reference. */
let start: i32 = 0;
let end: i32 = 0;
let referenceStart: i32 = 0;
let referenceEnd: i32 = 0;
let matches: i32 = 0;

/** Finds the longest exact match of a seed of the query, whose first `least` bases are not used. */
function findAnchor(strand: usize, at: i32, least: i32): bool {
  const key = seedAt(strand + at);
  if ((key & UNKNOWN_MASK) !== 0) return false;
  let longest = 0;
  let next = load<i32>(heads + (headOf(key) << 2));
  for (let tries = 0; next > 0 && tries < MOST_TRIES; tries++) {
    const place = next - 1;
    const p = strand + at;
    const q = reference + place;
    const after = equalFrom(p, q, min(queryBases - at, referenceBases - place));
    next = load<i32>(linkOf(place));
    if (after < SEED) continue;
    // Seeds of the reference that are not kept may begin before this one.
    let before = 0;
    while (before < STEP - 1 && at - before > least && load<u8>(p - before - 1) === load<u8>(q - before - 1)) before++;
    if (before + after <= longest) continue;
    longest = before + after;
    start = at - before;
    end = at + after;
    referenceStart = place - before;
    referenceEnd = place + after;
  }
  matches = longest;
  return longest >= ANCHOR;
}

/** Extends the region to the left, not beyond `least` of the query. */
function extendLeft(strand: usize, least: i32): void {
  const most = min(start - least, referenceStart);
  const p = strand + start;
  const q = reference + referenceStart;
  let score = 0;
  let best = 0;
  let kept = 0;
  let equal = 0;
  let keptEqual = 0;
  for (let d = 0; d < most; d++) {
    const run = equalBefore(p - d, q - d, most - d);
    score += run;
    equal += run;
    d += run;
    if (score > best) {
      best = score;
      kept = d;
      keptEqual = equal;
    }
    score -= 2;
    if (score < best - DROP) break;
  }
  start -= kept;
  referenceStart -= kept;
  matches += keptEqual;
}

/** Extends the region to the right along its diagonal. */
function extendRight(strand: usize): void {
  const most = min(queryBases - end, referenceBases - referenceEnd);
  const p = strand + end;
  const q = reference + referenceEnd;
  let score = 0;
  let best = 0;
  let kept = 0;
  let equal = 0;
  let keptEqual = 0;
  for (let d = 0; d < most; d++) {
    const run = equalFrom(p + d, q + d, most - d);
    score += run;
    equal += run;
    d += run;
    if (score >= best) {
      best = score;
      kept = d;
      keptEqual = equal;
    }
    score -= 2;
    if (score < best - DROP) break;
  }
  end += kept;
  referenceEnd += kept;
  matches += keptEqual;
}

/** Equal bases of 48 from p and q on, a bit each. */
function equalBits(p: usize, q: usize): u64 {
  const first = i8x16.bitmask(i8x16.eq(v128.load(p), v128.load(q)));
  const second = i8x16.bitmask(i8x16.eq(v128.load(p, 16), v128.load(q, 16)));
  const third = i8x16.bitmask(i8x16.eq(v128.load(p, 32), v128.load(q, 32)));
  return <u64> <u32> first | <u64> <u32> second << 16 | <u64> <u32> third << 32;
}

/** Continues the region at the nearest short match within the band; false if it has none. */
function link(strand: usize): bool {
  let cost = i32.MAX_VALUE;
  let skipped = 0;
  let referenceSkipped = 0;
  // A match costs the bases that are skipped, and the change of the diagonal once more.
  for (let shift = 0; shift < BAND && 2 * shift < cost; shift++) {
    for (let side = 0; side < 2; side++) {
      const i = side === 0 ? shift : 0;
      const j = shift - i;
      const first = firstRun(equalBits(strand + end + i, reference + referenceEnd + j), shift);
      if (first + 2 * shift >= cost || first >= BAND - shift) continue;
      cost = first + 2 * shift;
      skipped = first + i;
      referenceSkipped = first + j;
      if (shift === 0) break;
    }
  }
  if (cost === i32.MAX_VALUE) return false;
  const left = min(queryBases - end - skipped, referenceBases - referenceEnd - referenceSkipped);
  const length = equalFrom(strand + end + skipped, reference + referenceEnd + referenceSkipped, left);
  matches += alignSkipped(strand, skipped, referenceSkipped) + length;
  end += skipped + length;
  referenceEnd += referenceSkipped + length;
  return true;
}

/** Where the first run of matching bases begins that is long enough for its shift; 64 without one. */
function firstRun(equal: u64, shift: i32): i32 {
  const two = equal & equal >>> 1;
  const four = two & two >>> 2;
  return <i32> ctz(shift === 0 ? four & two >>> 4 : four & four >>> 4);
}

/** Matching bases of the skipped stretches, of which the longer one has a single gap where it costs least. */
function alignSkipped(strand: usize, skipped: i32, referenceSkipped: i32): i32 {
  const shorter = min(skipped, referenceSkipped);
  const last = strand + end + skipped - 1;
  const referenceLast = reference + referenceEnd + referenceSkipped - 1;
  let after = 0;
  for (let d = 0; d < shorter; d++) if (load<u8>(last - d) === load<u8>(referenceLast - d)) after++;
  let before = 0;
  let best = after;
  for (let d = 0; d < shorter; d++) {
    if (load<u8>(strand + end + d) === load<u8>(reference + referenceEnd + d)) before++;
    const dropped = shorter - 1 - d;
    if (load<u8>(last - dropped) === load<u8>(referenceLast - dropped)) after--;
    best = max(best, before + after);
  }
  return best;
}

/** Extends the region link by link to the right; keeps it up to where matches exceed other bases most. */
function extendChain(strand: usize): void {
  let best = i32.MIN_VALUE;
  let kept = end;
  let keptReference = referenceEnd;
  let keptMatches = matches;
  do {
    extendRight(strand);
    const score = 3 * matches - 2 * (end - start);
    if (score >= best) {
      best = score;
      kept = end;
      keptReference = referenceEnd;
      keptMatches = matches;
    } else if (score < best - CHAIN_DROP) break;
  } while (link(strand));
  end = kept;
  referenceEnd = keptReference;
  matches = keptMatches;
}

/** Bases of a region at least within which the other strand is not searched. */
const SURE_REGION: i32 = 200;

/**
 * Aligns a strand of the query; writes its regions after the ones so far, returns the number of all. The reverse
 * complement is not searched where one of the first `others` regions, those of the query's own strand, is long.
 */
function alignStrand(strand: usize, from: i32, others: i32): i32 {
  let count = from;
  let least = 0;
  let other = others - 1;
  for (let at = 0; at + SEED <= queryBases;) {
    for (; other >= 0; other--) {
      const region = regions + <usize> other * REGION_BYTES;
      const first = queryBases - load<i32>(region, 4);
      const last = queryBases - load<i32>(region);
      if (last <= at || last - first < SURE_REGION) continue;
      if (first <= at) at = last;
      break;
    }
    if (at + SEED > queryBases) break;
    if (!findAnchor(strand, at, least)) {
      at++;
      continue;
    }
    extendLeft(strand, least);
    extendChain(strand);
    if (end - start < LEAST_REGION) {
      at++;
      continue;
    }
    const region = regions + <usize> count * REGION_BYTES;
    store<i32>(region, start);
    store<i32>(region, end, 4);
    store<i32>(region, referenceStart, 8);
    store<i32>(region, referenceEnd, 12);
    store<i32>(region, matches, 16);
    count++;
    at = least = end;
  }
  return count;
}

/** Regions of the query's own strand, which come first. */
export let ownRegions: i32 = 0;

/** Aligns both strands of the query; writes regions in the order of each strand, returns their number. */
export function align(): i32 {
  memory.fill(coveredQuery, 0, queryBases);
  memory.fill(coveredReference, 0, referenceBases);
  ownRegions = alignStrand(query, 0, 0);
  return alignStrand(complement, ownRegions, ownRegions);
}

/** Covers a stretch of the query; returns how many of its bases were not covered. */
export function coverQuery(from: i32, to: i32): i32 {
  return cover(coveredQuery + from, coveredQuery + to);
}

/** As `coverQuery`, of the reference. */
export function coverReference(from: i32, to: i32): i32 {
  return cover(coveredReference + from, coveredReference + to);
}

function cover(from: usize, to: usize): i32 {
  let known: u64 = 0;
  let p = from;
  for (; p + 8 <= to; p += 8) known += popcnt(load<u64>(p));
  for (; p < to; p++) known += load<u8>(p);
  memory.fill(from, 1, to - from);
  return <i32> (to - from - <usize> known);
}
