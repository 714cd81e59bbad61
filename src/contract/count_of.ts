/** Counts in words: `1 record`, `2 records`. */

/** Writes a count and what was counted, named as one of them; the plural takes an s. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
