/** Numbers with a fixed count of decimals, rounded as C, Go and Python do. */

/**
 * Formats a number with a fixed count of decimals; ties round to even, while `toFixed` rounds them up.
 *
 * @param value A number from 0 to 2^53 / 10^decimals.
 * @param decimals Digits after the point, at least 1.
 */
export function formatDecimals(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  const halves = value * 2 * 10 ** decimals;
  // A tie is an odd number of halves. The product may have been rounded to one: all digits of the value decide.
  if (!Number.isInteger(halves) || halves % 2 === 0) return text;
  const isTie = /^50*$/.test(value.toFixed(60).slice(text.length));
  const isOdd = Number(text.at(-1)) % 2 === 1;
  return isTie && isOdd ? value.toFixed(60).slice(0, text.length) : text;
}

/** Formats a share with six decimals; empty without a denominator. */
export function formatShare(share: number | null): string {
  return share === null ? "" : formatDecimals(share, 6);
}
