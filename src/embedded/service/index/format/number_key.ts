/** Keys as numbers of 64 bits and as bytes, which compare as the keys do. */
import type { Key, KeyInterval, KeyKind } from "@seqreg/core/query";

const HALF = 2 ** 32;

/**
 * Numbers of 64 bits that a value's keys take: both halves of an integer, a float alone, the first and the last day.
 */
export function keyWidth(kind: KeyKind): 1 | 2 {
  return kind === "float" ? 1 : 2;
}

/** Writes the keys of a value as numbers; not a number for none. */
export function writeNumbers(into: Float64Array, at: number, kind: KeyKind, keys: KeyInterval | undefined): void {
  if (kind === "integer") [into[at], into[at + 1]] = keys === undefined ? [NaN, NaN] : halvesOf(keys.start);
  else {
    into[at] = keys === undefined ? NaN : Number(keys.start);
    if (kind === "day") into[at + 1] = keys === undefined ? NaN : Number(keys.end);
  }
}

/** Upper and lower half of an integer: the upper has the sign. */
export function halvesOf(key: Key): [upper: number, lower: number] {
  if (typeof key === "bigint") return [Number(key >> 32n), Number(key & 0xffff_ffffn)];
  const upper = Math.floor(key / HALF);
  return [upper, key - upper * HALF];
}

/** Writes the first key of numbers of {@linkcode writeNumbers} into eight bytes. */
export function writeKey(view: DataView, kind: KeyKind, first: number, second: number): void {
  if (kind === "integer") {
    view.setUint32(0, first + 2 ** 31);
    view.setUint32(4, second);
    return;
  }
  // Minus zero and zero are one number.
  view.setFloat64(0, first + 0);
  const high = view.getUint32(0);
  if (high >>> 31 === 0) view.setUint32(0, (high | 0x80000000) >>> 0);
  else {
    view.setUint32(0, ~high >>> 0);
    view.setUint32(4, ~view.getUint32(4) >>> 0);
  }
}
