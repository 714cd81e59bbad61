/** Numbers as bytes that compare as the numbers do. */

/** Writes a number into eight bytes. */
export function writeKey(view: DataView, number: number): void {
  // Minus zero and zero are one number.
  view.setFloat64(0, number + 0);
  const high = view.getUint32(0);
  if (high >>> 31 === 0) view.setUint32(0, (high | 0x80000000) >>> 0);
  else {
    view.setUint32(0, ~high >>> 0);
    view.setUint32(4, ~view.getUint32(4) >>> 0);
  }
}
