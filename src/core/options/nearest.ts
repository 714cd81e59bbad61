/** "Did you mean": the nearest of some names by edit distance. */

/**
 * Finds the name that takes the fewest single-character edits to reach.
 *
 * @param word The unknown name; only its first 200 characters count.
 * @param names The known names; not empty. The first of equally near ones is returned.
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

/**
 * Finds the name that was probably meant: one that begins with the word, differs by single-character edits of at most
 * a third of its characters, that the word begins with, or that has it as one of its words.
 *
 * @param word The unknown name; only its first 200 characters count.
 * @param names The known names; may be empty.
 * @returns The nearest name, or `undefined` if none is near.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { nearbyName } from "./nearest.ts";
 *
 * assertEquals(nearbyName("serach", ["serve", "search"]), "search");
 * assertEquals(nearbyName("def", ["definitions"]), "definitions");
 * assertEquals(nearbyName("length", ["Sequence Name", "Sequence Length"]), "Sequence Length");
 * assertEquals(nearbyName("pagesize", ["page", "page-size"]), "page-size");
 * assertEquals(nearbyName("path", ["watch"]), undefined);
 * ```
 */
export function nearbyName(word: string, names: readonly string[]): string | undefined {
  const lower = word.slice(0, 200).toLowerCase();
  if (lower === "" || names.length === 0) return undefined;
  const begun = names.find((name) => name.toLowerCase().startsWith(lower));
  if (begun !== undefined) return begun;
  const best = nearest(lower, names);
  if (editDistance(lower, best.toLowerCase()) <= lower.length / 3) return best;
  return names.find((name) => name.length > 2 && lower.startsWith(name.toLowerCase())) ??
    (lower.length < 3 ? undefined : names.find((name) => name.toLowerCase().split(/[^a-z0-9]+/).includes(lower)));
}

/** Names that advice lists at most. */
const MOST_NAMES = 12;

/**
 * Writes which name was probably meant, or where none is near, which there are.
 *
 * @param write Writes a name; as JSON by default.
 * @returns A clause to end a message with.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { adviseName } from "./nearest.ts";
 *
 * assertEquals(adviseName("contry", ["Country", "Host"]), 'did you mean "Country"?');
 * assertEquals(adviseName("date", ["Country", "Host"]), 'expected one of "Country", "Host"');
 * ```
 */
export function adviseName(
  word: string,
  names: readonly string[],
  write: (name: string) => string = (name) => JSON.stringify(name),
): string {
  const near = nearbyName(word, names);
  if (near !== undefined) return `did you mean ${write(near)}?`;
  const more = names.length > MOST_NAMES ? ", …" : "";
  return `expected one of ${names.slice(0, MOST_NAMES).map(write).join(", ")}${more}`;
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(substituted, previous[j] + 1, row[j - 1] + 1, isSwap ? before[j - 2] + 1 : Infinity));
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length];
}
