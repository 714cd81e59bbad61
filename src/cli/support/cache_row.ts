/** How the cache commands print an entry. */
import type { CacheEntry } from "@seqreg/core/datasets";

export const CACHE_COLUMNS: readonly string[] = ["kind", "name", "bytes", "age_days", "origin", "sha256", "path"];

/** Cells of a row; several origins are joined by a space. */
export function cacheRow({ kind, name, bytes, usedAt, origins, sha256, path }: CacheEntry, now: number): string[] {
  const days = Math.max(0, (now - Date.parse(usedAt)) / 86_400_000);
  return [kind, name, String(bytes), days.toFixed(1), origins.join(" "), sha256 ?? "", path];
}
