/** The contents of the cache, and their verification. */
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../io/files/cache_folder.ts";
import { isFolder } from "../io/files/is_there.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { isDigest, isUnfinished } from "./_json_file.ts";
import { ArchiveCache, namesIn } from "./archive_cache.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** One entry of the cache. */
export interface CacheEntry {
  /** `archive`, `partial` (an unfinished download), or the folder of the room that made it, such as `service`. */
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
  /** When it was last requested or changed, ISO 8601 in UTC. */
  readonly usedAt: string;
}

/** Options of {@linkcode listCache} and {@linkcode verifyCache}. */
export interface CacheOptions {
  /** Folder of the cache; see {@linkcode cacheFolder} for the default. */
  readonly cache?: string;
  /** Receives the progress of the hashing. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const CACHE_OPTIONS = {
  cache: rule.path,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<CacheOptions>;

/** One archive of the cache, rehashed. */
export interface CacheVerdict {
  /** The archive. */
  readonly entry: CacheEntry;
  /** Whether its bytes still match its digest. */
  readonly ok: boolean;
  /** What is wrong, in words; empty if it is valid. */
  readonly reason: string;
}

/**
 * Lists the contents of the cache: archives first, least recently used first within a kind.
 *
 * @returns One entry for each archive, each unfinished download, and each entry of another room.
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
  checkOptions("listCache()", options, CACHE_OPTIONS);
  return (await measureCache(options)).entries;
}

/** A file that is hard-linked: its bytes are those of the first of the entries that hold it. */
export interface LinkedFile {
  readonly bytes: number;
  /** Paths of the entries. */
  readonly holders: Set<string>;
}

/** Lists the contents of the cache as {@linkcode listCache} does, and the files that entries may share. */
export async function measureCache(
  options: CacheOptions,
): Promise<{ readonly entries: CacheEntry[]; readonly linked: readonly LinkedFile[] }> {
  const folder = options.cache ?? cacheFolder();
  const cache = new ArchiveCache(folder);
  const entries = [...await listArchives(cache, options.signal), ...await listPartial(cache)];
  // A lake of several archives hard-links files, which takes no space.
  const linked = new Map<string, LinkedFile>();
  for (const room of await roomsOf(cache)) {
    for (const name of await namesIn(room)) {
      options.signal?.throwIfAborted();
      // Locks and unfinished work of another room are not entries.
      if (name.startsWith(".")) continue;
      entries.push(await plainEntry(basename(room), join(room, name), linked));
    }
  }
  const rank = (kind: string) => kind === "archive" ? 0 : kind === "partial" ? 1 : 2;
  entries.sort((a, b) =>
    rank(a.kind) - rank(b.kind) || compare(a.kind, b.kind) || compare(a.usedAt, b.usedAt) || compare(a.path, b.path)
  );
  return { entries, linked: [...linked.values()] };
}

/**
 * Hashes every archive of the cache again, regardless of earlier results. A damaged one is left, and is fetched again
 * when it is next needed.
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
  checkOptions("verifyCache()", options, CACHE_OPTIONS);
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
      ? `${entry.path}: it was removed meanwhile`
      : `${entry.path}: its bytes changed after they were verified; it will be fetched again when needed`;
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

/** Folders next to that of the archives: each belongs to another room. */
export async function roomsOf(cache: ArchiveCache): Promise<string[]> {
  const parent = dirname(cache.folder);
  const rooms: string[] = [];
  for (const name of await namesIn(parent)) {
    if (name !== basename(cache.folder) && await isFolder(join(parent, name))) rooms.push(join(parent, name));
  }
  return rooms;
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

async function plainEntry(
  kind: string,
  path: string,
  linked: Map<string, LinkedFile> = new Map(),
): Promise<CacheEntry> {
  const { bytes, modified } = await measure(path, { entry: path, linked });
  const usedAt = new Date(modified).toISOString();
  return { kind, name: basename(path), path, bytes, sha256: null, origins: [], usedAt };
}

/** Size of all files below a path, hard links counted once, and the time of the newest. */
async function measure(
  path: string,
  of: { readonly entry: string; readonly linked: Map<string, LinkedFile> },
): Promise<{ bytes: number; modified: number }> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined) return { bytes: 0, modified: 0 };
  let modified = info.mtime?.getTime() ?? 0;
  if (!info.isDirectory) {
    const file = (info.nlink ?? 1) > 1 && info.ino ? `${info.dev} ${info.ino}` : undefined;
    if (file === undefined) return { bytes: info.size, modified };
    const known = of.linked.get(file);
    if (known === undefined) of.linked.set(file, { bytes: info.size, holders: new Set([of.entry]) });
    else known.holders.add(of.entry);
    return { bytes: known === undefined ? info.size : 0, modified };
  }
  let bytes = 0;
  for (const name of await namesIn(path)) {
    const below = await measure(join(path, name), of);
    bytes += below.bytes;
    modified = Math.max(modified, below.modified);
  }
  return { bytes, modified };
}

/** Compares two strings by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
