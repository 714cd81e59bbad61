// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Texts in memory: compared, hashed and copied. See `columns.as.ts`. */

export const CR: u8 = 13;
export const LF: u8 = 10;
export const FACTOR: u64 = 0x9e3779b97f4a7c15;

/** The first bytes of a word, as a number that has the order of the bytes. */
function bigEndian(pointer: i32): u64 {
  return bswap<u64>(load<u64>(pointer));
}

export function isBefore(a: i32, aBytes: i32, b: i32, bBytes: i32): bool {
  const both = aBytes < bBytes ? aBytes : bBytes;
  let offset = 0;
  for (; offset + 8 <= both; offset += 8) {
    if (load<u64>(a + offset) !== load<u64>(b + offset)) return bigEndian(a + offset) < bigEndian(b + offset);
  }
  if (offset < both) {
    const shift = <u64> (8 - (both - offset)) * 8;
    const x = bigEndian(a + offset) >> shift;
    const y = bigEndian(b + offset) >> shift;
    if (x !== y) return x < y;
  }
  return aBytes < bBytes;
}

export function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * FACTOR;
  return mixed ^ (mixed >> 32);
}

/** The bytes of a word that are before a text's end. */
function lastWord(pointer: i32, bytes: i32): u64 {
  return load<u64>(pointer) & ((<u64> 1 << (<u64> bytes * 8)) - 1);
}

export function hashOf(pointer: i32, bytes: i32): u64 {
  let hash: u64 = bytes;
  let offset = 0;
  for (; offset + 8 <= bytes; offset += 8) hash = mix(hash, load<u64>(pointer + offset));
  if (offset < bytes) hash = mix(hash, lastWord(pointer + offset, bytes - offset));
  return hash * FACTOR;
}

export function isSame(a: i32, b: i32, bytes: i32): bool {
  let offset = 0;
  for (; offset + 8 <= bytes; offset += 8) {
    if (load<u64>(a + offset) !== load<u64>(b + offset)) return false;
  }
  return offset === bytes || lastWord(a + offset, bytes - offset) === lastWord(b + offset, bytes - offset);
}

/** Copies a text after its length, and up to fifteen bytes more; returns where it ends. */
export function putText(pointer: i32, bytes: i32, to: i32): i32 {
  store<i32>(to, bytes);
  if (bytes > 256) memory.copy(to + 4, pointer, bytes);
  else for (let offset = 0; offset < bytes; offset += 16) v128.store(to + 4 + offset, v128.load(pointer + offset));
  return to + 4 + bytes;
}

export function putVarint(value: u32, to: i32): i32 {
  while (value >= 128) {
    store<u8>(to++, <u8> (value | 128));
    value >>= 7;
  }
  store<u8>(to++, <u8> value);
  return to;
}

export function putBits(pointer: i32, bit: i32, bits: u8): void {
  const byte = pointer + (bit >> 3);
  store<u8>(byte, load<u8>(byte) | (bits << <u8> (bit & 7)));
}
