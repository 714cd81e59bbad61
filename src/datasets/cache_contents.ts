/**
 * What the cache holds, whether it is still whole, and what may go.
 *
 * Everything in the cache can be had again: archives from their registry, the rest from the archives. So pruning costs
 * time, and nothing else.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../io/cache_folder.ts";
import type { OnProgress } from "../io/progress.ts";
import { isDigest, isUnfinished, removeUnfinished } from "./_json_file.ts";
import { isLivePart, removePart } from "./_part_file.ts";
import { ArchiveCache, diskError, namesIn, proofPath } from "./archive_cache.ts";

/** One thing that the cache holds. */
export interface CacheEntry {
  /** `archive`, `partial` (a download that is not done), or the folder of the room that made it, such as `service`. */
  readonly kind: string;
  /** Name of the archive, or of the file or folder. */
  readonly name: string;
  /** Path in the cache. */
  readonly path: string;
  /** Size in bytes, of all files below it. */
  readonly bytes: number;
  /** SHA-256 of an archive: 64 lower-case hexadecimal digits; `null` for all else. */
  readonly sha256: string | null;
  /** Registries that an archive came from: base addresses, or folders of embedded ones. */
  readonly origins: readonly string[];
  /** When it was last asked for or changed, ISO 8601 in UTC. */
  readonly usedAt: string;
}

/** Options of {@linkcode listCache} and {@linkcode verifyCache}. */
export interface CacheOptions {
  /** Folder of the cache; see {@linkcode cacheFolder} for the default. */
  readonly cache?: string;
  /** Told how far the hashing has come. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What may go, and whether it goes. */
export interface PruneOptions extends CacheOptions {
  /** Only what was last used longer ago than this, in milliseconds. */
  readonly olderThanMs?: number;
  /** As much of the longest unused as brings the cache down to this size in bytes. */
  readonly maxBytes?: number;
  /** Whether it is removed; without, it is only named. */
  readonly remove?: boolean;
  /** Time in milliseconds since 1970; now by default. */
  readonly now?: number;
}

/** One archive of the cache, rehashed. */
export interface CacheVerdict {
  /** The archive. */
  readonly entry: CacheEntry;
  /** Whether its bytes still have its digest. */
  readonly ok: boolean;
  /** What is wrong, in words; empty when nothing is. */
  readonly reason: string;
}

/**
 * Lists what the cache holds: archives first, the longest unused first within a kind.
 *
 * @returns One entry for each archive, each download that is not done, and each thing another room keeps.
 * @throws {RegistryError} With code `disk` if the cache cannot be read.
 * @see Not shown in the specification: the cache is our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { listCache } from "./cache_contents.ts";
 *
 * const cache = await Deno.makeTempDir();
 *
 * assertEquals(await listCache({ cache }), []);
 * await Deno.remove(cache);
 * ```
 */
export async function listCache(options: CacheOptions = {}): Promise<CacheEntry[]> {
  const folder = options.cache ?? cacheFolder();
  const cache = new ArchiveCache(folder);
  const entries = [...await listArchives(cache, options.signal), ...await listPartial(cache)];
  // A lake of several archives gives the files of theirs a second name, which takes no space.
  const seen = new Set<string>();
  for (const kind of await namesIn(folder)) {
    if (kind === basename(cache.folder) || !await isFolder(join(folder, kind))) continue;
    for (const name of await namesIn(join(folder, kind))) {
      options.signal?.throwIfAborted();
      // A room's own locks and work in progress are not for others to judge.
      if (name.startsWith(".")) continue;
      entries.push(await plainEntry(kind, join(folder, kind, name), seen));
    }
  }
  const rank = (kind: string) => kind === "archive" ? 0 : kind === "partial" ? 1 : 2;
  return entries.sort((a, b) =>
    rank(a.kind) - rank(b.kind) || compare(a.kind, b.kind) || compare(a.usedAt, b.usedAt) || compare(a.path, b.path)
  );
}

/**
 * Hashes every archive of the cache again, whatever is known of it. A damaged one stays where it is, and is thrown out
 * and fetched again when it is needed next.
 *
 * @returns One verdict for each archive, in the order of {@linkcode listCache}.
 * @throws {RegistryError} With code `disk` if the cache cannot be read.
 * @see Not shown in the specification: the cache is our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { verifyCache } from "./cache_contents.ts";
 *
 * const cache = await Deno.makeTempDir();
 *
 * assertEquals(await verifyCache({ cache }), []);
 * await Deno.remove(cache);
 * ```
 */
export async function verifyCache(options: CacheOptions = {}): Promise<CacheVerdict[]> {
  const { signal, onProgress } = options;
  const cache = new ArchiveCache(options.cache ?? cacheFolder());
  const archives = await listArchives(cache, signal);
  const verdicts: CacheVerdict[] = [];
  for (const [index, entry] of archives.entries()) {
    onProgress?.({ task: `verifying ${entry.name}`, done: index, total: archives.length, unit: "files" });
    const { state } = await cache.prove(entry.sha256 ?? "", entry.name, signal);
    const reason = state === "whole"
      ? ""
      : state === "absent"
      ? `${entry.path}: it vanished meanwhile`
      : `${entry.path}: its bytes have changed since they were verified; it will be fetched again when it is needed`;
    verdicts.push({ entry, ok: state === "whole", reason });
  }
  onProgress?.({
    task: "verifying the cache",
    done: archives.length,
    total: archives.length,
    unit: "files",
    finished: true,
  });
  return verdicts;
}

/**
 * Names what may go from the cache, and removes it when told to. Without a limit everything may go, but a download that
 * is under way.
 *
 * @param options Limits of age and size, and whether to remove.
 * @returns What may go, or went.
 * @throws {RangeError} If a limit is negative or no number; before any I/O.
 * @throws {RegistryError} With code `disk` if something cannot be removed.
 * @see Not shown in the specification: the cache is our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pruneCache } from "./cache_contents.ts";
 *
 * const cache = await Deno.makeTempDir();
 *
 * assertEquals(await pruneCache({ cache, olderThanMs: 30 * 86_400_000 }), []);
 * await Deno.remove(cache);
 * ```
 */
export async function pruneCache(options: PruneOptions = {}): Promise<CacheEntry[]> {
  const { olderThanMs, maxBytes, now = Date.now() } = options;
  for (const [name, limit] of Object.entries({ olderThanMs, maxBytes })) {
    if (limit !== undefined && !(limit >= 0)) {
      throw new RangeError(`Cannot prune the cache: ${name} must be a number of at least 0, not ${limit}`);
    }
  }
  const cache = new ArchiveCache(options.cache ?? cacheFolder());
  const entries = (await listCache(options)).sort((a, b) => compare(a.usedAt, b.usedAt));
  let left = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const going: CacheEntry[] = [];
  for (const entry of entries) {
    const isOld = olderThanMs !== undefined && now - Date.parse(entry.usedAt) > olderThanMs;
    const isTooMuch = maxBytes !== undefined && left > maxBytes;
    if (!isOld && !isTooMuch && (olderThanMs !== undefined || maxBytes !== undefined)) continue;
    if (entry.kind === "partial" && await isLivePart(entry.path)) continue;
    left -= entry.bytes;
    going.push(entry);
  }
  if (options.remove) {
    for (const entry of going) {
      options.signal?.throwIfAborted();
      await removeEntry(cache, entry);
    }
    for (const folder of [cache.originsFolder, cache.partialFolder]) await removeUnfinished(folder);
    for (const begin of await namesIn(cache.contentFolder)) {
      for (const sha256 of await namesIn(join(cache.contentFolder, begin))) {
        await removeUnfinished(join(cache.contentFolder, begin, sha256));
      }
    }
  }
  return going;
}

async function listArchives(cache: ArchiveCache, signal: AbortSignal | undefined): Promise<CacheEntry[]> {
  const origins = await cache.origins();
  const entries: CacheEntry[] = [];
  for (const begin of await namesIn(cache.contentFolder)) {
    for (const sha256 of await namesIn(join(cache.contentFolder, begin))) {
      if (!isDigest(sha256)) continue;
      for (const name of await namesIn(join(cache.contentFolder, begin, sha256))) {
        signal?.throwIfAborted();
        const path = join(cache.contentFolder, begin, sha256, name);
        if (name.endsWith(".proof.json") || isUnfinished(name) || name.startsWith(".")) continue;
        const { bytes, usedAt } = await plainEntry("archive", path);
        const mine = origins.filter((origin) => origin.sha256 === sha256 && origin.name === name);
        entries.push({
          kind: "archive",
          name,
          path,
          bytes,
          sha256,
          origins: mine.map(({ registry }) => registry),
          usedAt: mine.map((origin) => origin.usedAt).sort(compare).at(-1) ?? usedAt,
        });
      }
    }
  }
  return entries;
}

async function listPartial(cache: ArchiveCache): Promise<CacheEntry[]> {
  const entries: CacheEntry[] = [];
  for (const name of await namesIn(cache.partialFolder)) {
    if (name.endsWith(".part")) entries.push(await plainEntry("partial", join(cache.partialFolder, name)));
  }
  return entries;
}

async function plainEntry(kind: string, path: string, seen: Set<string> = new Set()): Promise<CacheEntry> {
  const { bytes, modified } = await measure(path, seen);
  const usedAt = new Date(modified).toISOString();
  return { kind, name: basename(path), path, bytes, sha256: null, origins: [], usedAt };
}

/** Size of all files below a path, each counted once whatever its names, and the time of the newest. */
async function measure(path: string, seen: Set<string>): Promise<{ bytes: number; modified: number }> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) return { bytes: 0, modified: 0 };
  let modified = info.mtime?.getTime() ?? 0;
  if (!info.isDirectory) {
    const file = (info.nlink ?? 1) > 1 && info.ino ? `${info.dev} ${info.ino}` : undefined;
    if (file === undefined) return { bytes: info.size, modified };
    const isKnown = seen.has(file);
    seen.add(file);
    return { bytes: isKnown ? 0 : info.size, modified };
  }
  let bytes = 0;
  for (const name of await namesIn(path)) {
    const below = await measure(join(path, name), seen);
    bytes += below.bytes;
    modified = Math.max(modified, below.modified);
  }
  return { bytes, modified };
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isDirectory, () => false);
}

async function removeEntry(cache: ArchiveCache, entry: CacheEntry): Promise<void> {
  if (entry.kind === "partial") return await removePart(entry.path);
  try {
    await Deno.remove(entry.path, { recursive: true });
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw diskError(entry.path, cause);
  }
  if (entry.kind !== "archive") return;
  await Deno.remove(proofPath(entry.path)).catch(() => {});
  for (const origin of await cache.origins()) {
    if (origin.sha256 === entry.sha256 && origin.name === entry.name) await cache.forgetOrigin(origin);
  }
  await removeUnfinished(dirname(entry.path));
  // Both folders go when nothing else is in them.
  await Deno.remove(dirname(entry.path)).catch(() => {});
  await Deno.remove(dirname(dirname(entry.path))).catch(() => {});
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
