/**
 * The cache of verified archives, addressed by the digest of their bytes.
 *
 * ```text
 * <cache>/archives/sha256/<aa>/<digest>/<file name>             the archive
 * <cache>/archives/sha256/<aa>/<digest>/<file name>.proof.json  when its bytes were hashed, and the file's state then
 * <cache>/archives/origins/<key>.json                           which digest a registry has for a name, and since when
 * <cache>/archives/partial/                                     unfinished downloads
 * <cache>/archives/locks/                                       one download at a time
 * ```
 *
 * An archive is renamed after its bytes are verified, so a partial one never has its name. Size and times show whether
 * a file changed since it was hashed; in doubt, it is hashed again.
 */
import { join } from "node:path";
import { makeFolder } from "../io/files/make_folder.ts";
import { diskError } from "../io/files/disk_error.ts";
import { RegistryError } from "../errors.ts";
import { equalDigests, sha256, sha256Of } from "../io/digest/sha256.ts";
import { isDigest, readJsonObject, tryWriteJsonObject } from "./_json_file.ts";
import { checkArgument } from "../options/check_options.ts";
import * as rule from "../options/rules.ts";

/** The digest that a registry had for a name when it was last asked. */
export interface ArchiveOrigin {
  /** Base address of the registry, or the folder of an embedded one. */
  readonly registry: string;
  /** File name of the archive. */
  readonly name: string;
  /** SHA-256 of its bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Strong entity tag of its response; `null` without one. */
  readonly etag: string | null;
  /** When its bytes were last verified, ISO 8601 in UTC. */
  readonly verifiedAt: string;
  /** When it was last requested, ISO 8601 in UTC. */
  readonly usedAt: string;
}

/** A complete archive in the cache. */
export interface CachedArchive {
  /** Path of the archive. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** When its bytes were hashed, ISO 8601 in UTC. */
  readonly verifiedAt: string;
}

/** State of an archive in the cache: complete, missing, or changed. */
export type CacheAnswer =
  | { readonly state: "whole"; readonly archive: CachedArchive }
  | { readonly state: "absent" }
  | { readonly state: "damaged" };

/**
 * The archives below one cache folder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ArchiveCache } from "./archive_cache.ts";
 *
 * const cache = new ArchiveCache("cache");
 *
 * assertEquals(cache.pathOf("ab12", "x.csv.gz").replaceAll("\\", "/"), "cache/archives/sha256/ab/ab12/x.csv.gz");
 * ```
 */
export class ArchiveCache {
  /** Folder of the archives: `archives` in the cache folder. */
  readonly folder: string;

  /** Takes the cache folder, which need not exist yet. */
  constructor(cacheFolder: string) {
    this.folder = join(cacheFolder, "archives");
  }

  /** Folder of the archives by digest. */
  get contentFolder(): string {
    return join(this.folder, "sha256");
  }

  /** Folder of unfinished downloads. */
  get partialFolder(): string {
    return join(this.folder, "partial");
  }

  /** Folder of the origins. */
  get originsFolder(): string {
    return join(this.folder, "origins");
  }

  /** Path of an archive, whether or not it exists. */
  pathOf(digest: string, name: string): string {
    return join(this.contentFolder, digest.slice(0, 2), digest, name);
  }

  /** Makes the folders that a download needs; returns the path of the lock for one archive. */
  async prepare(digest: string): Promise<string> {
    await makeFolder(this.partialFolder, CACHE_ADVICE);
    const locks = join(this.folder, "locks");
    await makeFolder(locks, CACHE_ADVICE);
    return join(locks, `${digest}.lock`);
  }

  /**
   * Finds an archive by its digest. Hashes it again if the file changed since it was last hashed, and removes it if the
   * digest no longer matches.
   */
  async find(digest: string, name: string, signal?: AbortSignal): Promise<CacheAnswer> {
    checkArgument("cache.find()", "signal", signal, rule.signal);
    const path = this.pathOf(digest, name);
    const state = await fileState(path);
    if (state === undefined) return { state: "absent" };
    const proof = await readJsonObject(proofPath(path));
    if (proof?.sha256 === digest && typeof proof.verifiedAt === "string" && sameState(proof, state)) {
      return { state: "whole", archive: { path, bytes: state.bytes, verifiedAt: proof.verifiedAt } };
    }
    const answer = await this.prove(digest, name, signal);
    if (answer.state === "damaged") await Deno.remove(path).catch(() => {});
    return answer;
  }

  /** Hashes an archive, regardless of earlier results, and leaves it in the cache. */
  async prove(digest: string, name: string, signal?: AbortSignal): Promise<CacheAnswer> {
    checkArgument("cache.prove()", "signal", signal, rule.signal);
    const path = this.pathOf(digest, name);
    for (;;) {
      const before = await fileState(path);
      if (before === undefined) return { state: "absent" };
      const actual = await sha256(path, { signal });
      const after = await fileState(path);
      // Another process may have replaced it by a good one meanwhile: then that one counts.
      if (after === undefined || !sameState(before, after)) continue;
      if (equalDigests(actual, digest)) return { state: "whole", archive: await this.#certify(path, digest, after) };
      await Deno.remove(proofPath(path)).catch(() => {});
      return { state: "damaged" };
    }
  }

  /** Adds a verified file by renaming it. */
  async add(temporaryPath: string, digest: string, name: string): Promise<CachedArchive> {
    const path = this.pathOf(digest, name);
    await makeFolder(join(path, ".."), CACHE_ADVICE);
    try {
      await Deno.rename(temporaryPath, path);
    } catch (cause) {
      throw cacheError(path, cause);
    }
    const state = await fileState(path);
    if (state === undefined) throw cacheError(path, new Error("the file vanished after it was written"));
    return await this.#certify(path, digest, state);
  }

  /** The origin of a name; `undefined` if unknown. */
  async origin(registry: string, name: string): Promise<ArchiveOrigin | undefined> {
    return readOrigin(await readJsonObject(this.#originPath(registry, name)));
  }

  /** All known origins. */
  async origins(): Promise<ArchiveOrigin[]> {
    const found: ArchiveOrigin[] = [];
    for (const name of await namesIn(this.originsFolder)) {
      if (!name.endsWith(".json")) continue;
      const origin = readOrigin(await readJsonObject(join(this.originsFolder, name)));
      if (origin !== undefined) found.push(origin);
    }
    return found;
  }

  /** Stores an origin, if possible. */
  async noteOrigin(origin: ArchiveOrigin): Promise<void> {
    await Deno.mkdir(this.originsFolder, { recursive: true }).catch(() => {});
    await tryWriteJsonObject(this.#originPath(origin.registry, origin.name), origin);
  }

  /** Forgets an origin. */
  async forgetOrigin(origin: ArchiveOrigin): Promise<void> {
    await Deno.remove(this.#originPath(origin.registry, origin.name)).catch(() => {});
  }

  #originPath(registry: string, name: string): string {
    return join(this.originsFolder, `${sha256Of(`${registry}\n${name}`).slice(0, 32)}.json`);
  }

  async #certify(path: string, digest: string, state: FileState): Promise<CachedArchive> {
    const verifiedAt = new Date().toISOString();
    await tryWriteJsonObject(proofPath(path), { sha256: digest, ...state, verifiedAt });
    return { path, bytes: state.bytes, verifiedAt };
  }
}

/** File that records when an archive was hashed. */
export function proofPath(path: string): string {
  return `${path}.proof.json`;
}

/** Names in a folder, sorted; none when it is absent. */
export async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) names.push(entry.name);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cacheError(folder, cause);
  }
  return names.sort();
}

const CACHE_ADVICE = "choose a folder you can write to (for the cache: SEQREG_CACHE)";

export function cacheError(path: string, cause: unknown): RegistryError {
  return diskError(cause, { action: `use ${path}`, next: CACHE_ADVICE });
}

interface FileState {
  readonly bytes: number;
  readonly modified: number | null;
  readonly changed: number | null;
}

function sameState(a: Readonly<Record<string, unknown>> | FileState, b: FileState): boolean {
  return a.bytes === b.bytes && a.modified === b.modified && a.changed === b.changed;
}

/** Size and times of a regular file; `undefined` for anything else. */
async function fileState(path: string): Promise<FileState | undefined> {
  try {
    const info = await Deno.lstat(path);
    if (!info.isFile) return undefined;
    return { bytes: info.size, modified: info.mtime?.getTime() ?? null, changed: info.ctime?.getTime() ?? null };
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cacheError(path, cause);
  }
}

function readOrigin(value: Readonly<Record<string, unknown>> | undefined): ArchiveOrigin | undefined {
  if (value === undefined) return undefined;
  const { registry, name, sha256, bytes, etag, verifiedAt, usedAt } = value;
  if (typeof registry !== "string" || typeof name !== "string" || !isDigest(sha256)) return undefined;
  if (typeof bytes !== "number" || typeof verifiedAt !== "string" || typeof usedAt !== "string") return undefined;
  return { registry, name, sha256, bytes, etag: typeof etag === "string" ? etag : null, verifiedAt, usedAt };
}
