/** How the cache commands print entries. */
import type { CacheEntry } from "@seqreg/core/datasets";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { CommandContext } from "./command.ts";
import { formatBytes } from "./ledger.ts";

const COLUMNS = ["kind", "name", "bytes", "age_days", "origin", "sha256", "path"];

/** Writes entries as TSV, and returns how many they are and their size, in words. */
export async function writeEntries({ stdout }: CommandContext, entries: readonly CacheEntry[]): Promise<string> {
  await stdout.write(`${tsvRow(COLUMNS)}\n`);
  for (const entry of entries) await stdout.write(`${tsvRow(cacheRow(entry, Date.now()))}\n`);
  return `${entries.length === 1 ? "1 entry" : `${entries.length} entries`}, ${sizeOf(entries)}`;
}

export function sizeOf(entries: readonly CacheEntry[]): string {
  return formatBytes(entries.reduce((sum, entry) => sum + entry.bytes, 0));
}

/** Cells of a row; several origins are joined by a space. */
function cacheRow({ kind, name, bytes, usedAt, origins, sha256, path }: CacheEntry, now: number): string[] {
  const days = Math.max(0, (now - Date.parse(usedAt)) / 86_400_000);
  return [kind, name, String(bytes), days.toFixed(1), origins.join(" "), sha256 ?? "", path];
}
