// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Postings of one group of an index, in AssemblyScript: sorted, and written as blocks. A posting is a u64: `key << 24 |
 * record << 1 | strand`. Postings come in the order of their records.
 *
 * Memory: postings | the same, for sorting | counts of digits | a block.
 */
/** Bytes of a posting in a block at most: a varint of 39 bits, record and strand. */
const MOST_BYTES: usize = 9;

export let postings: usize = 0;
export let block: usize = 0;

/** Bits of a key that are sorted at a time, and how many times. */
const DIGIT: u64 = 10;
const DIGITS: u64 = 4;
const RECORD_BITS: u64 = 24;
const COUNT_BYTES: usize = 4096;

let other: usize = 0;
let counts: usize = 0;

/** Makes room for postings, and for a block of at most so many. */
export function reserve(count: u32, most: u32): void {
  postings = (__heap_base + 7) & ~7;
  other = postings + (<usize> count << 3);
  counts = other + (<usize> count << 3);
  block = counts + COUNT_BYTES;
  const pages = <i32> ((block + most * MOST_BYTES + 65543) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

/** Sorts the first postings by their keys; those of one key stay in their order. */
export function sortPostings(count: u32): void {
  let from = postings;
  let to = other;
  for (let digit: u64 = 0; digit < DIGITS; digit++) {
    const end = from + (<usize> count << 3);
    const shift = RECORD_BITS + digit * DIGIT;
    memory.fill(counts, 0, COUNT_BYTES);
    for (let at = from; at < end; at += 8) {
      const slot = slotOf(load<u64>(at), shift);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum: u32 = 0;
    for (let slot = counts; slot < block; slot += 4) {
      const equal = load<u32>(slot);
      store<u32>(slot, sum);
      sum += equal;
    }
    for (let at = from; at < end; at += 8) {
      const posting = load<u64>(at);
      const slot = slotOf(posting, shift);
      const next = load<u32>(slot);
      store<u32>(slot, next + 1);
      store<u64>(to + (<usize> next << 3), posting);
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
}

/** Where the count of a posting's digit is. */
function slotOf(posting: u64, shift: u64): usize {
  return counts + (<usize> (posting >>> shift & ((1 << DIGIT) - 1)) << 2);
}

/**
 * Writes a block of postings: the distance of each key from the one before as a varint, then record and strand in three
 * bytes; returns its bytes.
 */
export function writeBlock(from: u32, to: u32): u32 {
  let out = block;
  let last = load<u64>(postings + (<usize> from << 3)) >>> 24;
  for (let at = postings + (<usize> from << 3); at < postings + (<usize> to << 3); at += 8) {
    const posting = load<u64>(at);
    let distance = (posting >>> 24) - last;
    last += distance;
    for (; distance >= 128; distance >>>= 7) store<u8>(out++, <u8> distance | 128);
    store<u8>(out++, <u8> distance);
    store<u32>(out, <u32> posting);
    out += 3;
  }
  return <u32> (out - block);
}
