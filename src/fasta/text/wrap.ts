/** The length of lines that writers take. */

/** @throws {RangeError} If `wrap` is not a whole number from 0 to 1,000,000,000. */
export function checkWrap(wrap: number): void {
  if (Number.isInteger(wrap) && wrap >= 0 && wrap <= 1_000_000_000) return;
  throw new RangeError(`Cannot wrap lines at ${wrap} bases: expected a whole number from 0 to 1000000000`);
}
