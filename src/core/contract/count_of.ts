/** Counts in words: `1 record`, `2 records`. */

/** Formats a count with its unit, given in the singular; the plural appends an s. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
