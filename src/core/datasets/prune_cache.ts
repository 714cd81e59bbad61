/**
 * Removes unused entries of the cache.
 *
 * Archives come from their registry again, and what is made of them from the archives: to prune these only costs time.
 * Answers of locks cannot be made again once the registry answers otherwise: they stay unless they are asked for.
 */
import { dirname, join } from "node:path";
import { cacheFolder } from "../io/files/cache_folder.ts";
import { isFolderInUse, removeFolder, sweepGoing } from "../io/files/folder_use.ts";
import { removeUnfinished } from "./_json_file.ts";
import { isLivePart, removePart } from "./_part_file.ts";
import { ArchiveCache, cacheError, namesIn, proofPath } from "./archive_cache.ts";
import { ANSWERS_ROOM } from "./cache_rooms.ts";
import { CACHE_OPTIONS, type CacheEntry, type CacheOptions, compare, measureCache, roomsOf } from "./cache_contents.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** What to prune, and whether to remove it. */
export interface PruneOptions extends CacheOptions {
  /** Only entries that were last used longer ago than this, in milliseconds. */
  readonly olderThanMs?: number;
  /** Removes least recently used entries until the cache has at most this size in bytes. */
  readonly maxBytes?: number;
  /** Whether answers of locks go too. No registry may give them again: `seqreg lock pack` keeps them elsewhere. */
  readonly answers?: boolean;
  /** Whether to remove the entries; otherwise they are only listed. */
  readonly remove?: boolean;
  /** Receives entries that are kept because a program uses them: a serving registry, an open lake. */
  readonly onInUse?: (entry: CacheEntry) => void;
  /** Receives answers of locks that would go, and are kept since `answers` is not set. */
  readonly onAnswerKept?: (entry: CacheEntry) => void;
  /** Time in milliseconds since 1970; now by default. */
  readonly now?: number;
}

const PRUNE_OPTIONS = {
  ...CACHE_OPTIONS,
  olderThanMs: rule.number({ from: 0, to: Infinity }),
  maxBytes: rule.number({ from: 0, to: Infinity }),
  answers: rule.flag,
  remove: rule.flag,
  onInUse: rule.callback(),
  onAnswerKept: rule.callback(),
  now: rule.number(),
} satisfies OptionRules<PruneOptions>;

/**
 * Lists what can be removed from the cache, and removes it if requested. Without a limit, that is everything except
 * running downloads, what a running program uses, and answers of locks.
 *
 * @param options Limits of age and size, and whether to remove.
 * @returns The entries that can be, or were, removed; `bytes` is what this frees: a file of several entries, by hard
 * links, with the last of them.
 * @throws {RangeError} If a limit is negative or not a number; before any I/O.
 * @throws {RegistryError} With code `disk` if something cannot be removed.
 * @see Not shown in the specification: the cache is our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pruneCache } from "./prune_cache.ts";
 *
 * const cache = await Deno.makeTempDir();
 *
 * assertEquals(await pruneCache({ cache, olderThanMs: 30 * 86_400_000 }), []);
 * await Deno.remove(cache);
 * ```
 */
export async function pruneCache(options: PruneOptions = {}): Promise<CacheEntry[]> {
  checkOptions("pruneCache()", options, PRUNE_OPTIONS);
  const { olderThanMs, maxBytes, now = Date.now() } = options;
  const cache = new ArchiveCache(options.cache ?? cacheFolder());
  const { entries, linked } = await measureCache(options);
  entries.sort((a, b) => compare(a.usedAt, b.usedAt));
  const counted = linked.map(({ bytes, holders }) => ({ bytes, holders, entry: [...holders][0] }));
  let left = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const going: CacheEntry[] = [];
  for (const entry of entries) {
    const isOld = olderThanMs !== undefined && now - Date.parse(entry.usedAt) > olderThanMs;
    const isTooMuch = maxBytes !== undefined && left > maxBytes;
    if (!isOld && !isTooMuch && (olderThanMs !== undefined || maxBytes !== undefined)) continue;
    if (entry.kind === "partial" && await isLivePart(entry.path)) continue;
    if (entry.kind === ANSWERS_ROOM && !options.answers) {
      options.onAnswerKept?.(entry);
      continue;
    }
    if (isOfRoom(entry) && await isFolderInUse(entry.path)) {
      options.onInUse?.(entry);
      continue;
    }
    let { bytes } = entry;
    for (const file of counted) {
      if (file.entry === entry.path) bytes -= file.bytes;
      if (file.holders.delete(entry.path) && file.holders.size === 0) bytes += file.bytes;
    }
    left -= bytes;
    going.push({ ...entry, bytes });
  }
  if (!options.remove) return going;
  const gone: CacheEntry[] = [];
  for (const entry of going) {
    options.signal?.throwIfAborted();
    // It may have come into use since.
    if (await removeEntry(cache, entry)) gone.push(entry);
    else options.onInUse?.(entry);
  }
  await sweepLeft(cache);
  return gone;
}

/** Removes unfinished files and removals of killed processes. */
async function sweepLeft(cache: ArchiveCache): Promise<void> {
  for (const folder of [cache.originsFolder, cache.partialFolder]) await removeUnfinished(folder);
  for (const begin of await namesIn(cache.contentFolder)) {
    for (const sha256 of await namesIn(join(cache.contentFolder, begin))) {
      await removeUnfinished(join(cache.contentFolder, begin, sha256));
    }
  }
  for (const room of await roomsOf(cache)) await sweepGoing(room);
}

/** Whether an entry belongs to another room and may be a folder in use. */
function isOfRoom({ kind }: CacheEntry): boolean {
  return kind !== "archive" && kind !== "partial";
}

/** Removes an entry; `false` if it is in use. */
async function removeEntry(cache: ArchiveCache, entry: CacheEntry): Promise<boolean> {
  if (entry.kind === "partial") {
    await removePart(entry.path);
    return true;
  }
  try {
    if (isOfRoom(entry)) return await removeFolder(entry.path) !== "in use";
    await removeArchive(cache, entry);
    return true;
  } catch (cause) {
    throw cacheError(entry.path, cause);
  }
}

async function removeArchive(cache: ArchiveCache, { path, sha256, name }: CacheEntry): Promise<void> {
  await Deno.remove(path).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  });
  await Deno.remove(proofPath(path)).catch(() => {});
  for (const origin of await cache.origins()) {
    if (origin.sha256 === sha256 && origin.name === name) await cache.forgetOrigin(origin);
  }
  await removeUnfinished(dirname(path));
  // Both folders are removed if they are empty.
  await Deno.remove(dirname(path)).catch(() => {});
  await Deno.remove(dirname(dirname(path))).catch(() => {});
}
