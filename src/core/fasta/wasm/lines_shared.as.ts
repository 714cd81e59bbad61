// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * What the parts of the module of lines share: memory, bases, full lines, hashes of ids.
 */

export const TAB: u8 = 9;
export const LF: u8 = 10;
export const CR: u8 = 13;
export const GREATER: u8 = 62;
export const SEMICOLON: u8 = 59;

/** Sixteen times the first byte that is printable and no blank, and sixteen times how far the last is from it. */
export const FIRST_GRAPHIC: usize = memory.data<u8>(
  [33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33],
  16,
);
export const SPAN: usize = memory.data<u8>([93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93, 93], 16);

export let input: usize = 0;
export let output: usize = 0;

/** Makes room for `inputBytes` to be read from and `outputBytes` to be written to. */
export function layout(inputBytes: u32, outputBytes: u32): void {
  input = (__heap_base + 63) & ~63;
  output = (input + inputBytes + 64 + 63) & ~63;
  const needed = output + outputBytes + 64;
  const there = <usize> memory.size() << 16;
  if (needed > there && memory.grow(<i32> ((needed - there + 0xffff) >> 16)) < 0) unreachable();
}

/** Nonzero for each of sixteen bytes that is not printable ASCII or is a blank: fewer steps than comparisons. */
export function others(bytes: v128, first: v128, span: v128): v128 {
  return i8x16.sub_sat_u(i8x16.sub(bytes, first), span);
}

/** Counts the bytes from `from` to `to` that are printable ASCII and no blank. */
export function countGraphic(from: usize, to: usize): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let count: u32 = 0;
  for (; p + 16 <= to; p += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(others(v128.load(p), first, span), i8x16.splat(0))));
  }
  for (; p < to; p++) if (<u8> (load<u8>(p) - 33) < 94) count += 1;
  return count;
}

/** Whether all bytes from `from` to `to` are printable ASCII and no blank. The last 16 may be looked at twice. */
export function areGraphic(from: usize, to: usize, first: v128, span: v128): bool {
  if (to - from < 16) return countGraphic(from, to) === <u32> (to - from);
  let bad = others(v128.load(to - 16), first, span);
  for (let p = from; p + 16 <= to; p += 16) bad = v128.or(bad, others(v128.load(p), first, span));
  return !v128.any_true(bad);
}

/**
 * Counts lines from `from` on that are just as the full lines of a sequence: `bases` bases, then a line feed, or a
 * carriage return and a line feed, `bytes` bytes in all. Stops at the first that is not, or that is not all there.
 */
export function countFullLines(from: usize, to: usize, bytes: u32, bases: u32): u32 {
  const first = v128.load(FIRST_GRAPHIC);
  const span = v128.load(SPAN);
  let p = from;
  let count: u32 = 0;
  while (p + bytes <= to) {
    const mark = load<u8>(p);
    if (mark === GREATER || mark === SEMICOLON) break;
    if (load<u8>(p + bytes - 1) !== LF || bytes - bases === 2 && load<u8>(p + bases) !== CR) break;
    if (!areGraphic(p, p + bases, first, span)) break;
    p += bytes;
    count += 1;
  }
  return count;
}

/** Whether a byte is white space: tab, line feed, vertical tab, form feed, carriage return or blank. */
export function isBlank(byte: u8): bool {
  return byte === 32 || <u8> (byte - 9) <= 4;
}

/** Odd and unforeseeable, so that no file can be made whose ids all fall on one slot. */
let factor: u64 = 1;
/** Chooses the factor of the hashes by two halves, of which the lower must be odd. */
export function useFactor(low: u32, high: u32): void {
  factor = <u64> high << 32 | low;
}

function mixed(hash: u64): u64 {
  const product = hash * factor;
  return product ^ product >>> 32;
}

/** Hashes an id eight bytes at a time; the last eight may overlap. */
export function idHash(id: usize, length: usize): u64 {
  let hash = mixed(<u64> length);
  if (length < 8) {
    let rest: u64 = 0;
    for (let at: usize = 0; at < length; at++) rest = rest << 8 | load<u8>(id + at);
    return mixed(hash ^ rest);
  }
  for (let at: usize = 0; at + 8 < length; at += 8) hash = mixed(hash ^ load<u64>(id + at));
  return mixed(hash ^ load<u64>(id + length - 8));
}
