/** Paths for readers that take `*`, `?` and `[` for patterns. */

/** Keeps characters of a folder's name from being taken for a pattern. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[]/g, "[$&]");
}
