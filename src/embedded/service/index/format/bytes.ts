/** Comparing texts by their bytes. */

/** Compares two texts; bytes of UTF-8 compare as code points do. */
export function compareBytes(
  a: Uint8Array,
  atA: number,
  endA: number,
  b: Uint8Array,
  atB: number,
  endB: number,
): number {
  for (; atA < endA && atB < endB; atA++, atB++) if (a[atA] !== b[atB]) return a[atA] - b[atB];
  return endA - atA - (endB - atB);
}
