/**
 * "Did you mean": the nearest of some names by edit distance.
 *
 * @module
 */

/**
 * Finds the name that takes the fewest single-letter edits to reach.
 *
 * @param word What was written; only its first 200 letters count.
 * @param names The names that would have been right; not empty. The first of equally near ones wins.
 * @returns The nearest name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { nearest } from "./nearest.ts";
 *
 * assertEquals(nearest("serach", ["serve", "search"]), "search");
 * ```
 */
export function nearest(word: string, names: readonly string[]): string {
  const lower = word.slice(0, 200).toLowerCase();
  let best = names[0];
  let least = Infinity;
  for (const name of names) {
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, previous[j] + 1, row[j - 1] + 1));
    }
    previous = row;
  }
  return previous[b.length];
}
