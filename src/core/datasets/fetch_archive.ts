/**
 * Gets one dataset archive: verified, or an error.
 *
 * One function decides whether to download, update or reuse. Verification cannot be turned off.
 */
import type { RegistryClient } from "../client/mod.ts";
import { RegistryError } from "../errors.ts";
import { cacheFolder } from "../io/files/cache_folder.ts";
import { freeBytes } from "../io/files/free_space.ts";
import { acquireLock } from "../io/files/lock.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import { type ArchiveFiles, archiveFiles, type ArchiveId, findArchive } from "../contract/datasets.ts";
import { closeLedger } from "../contract/ledger.ts";
import { TOOLKIT } from "../contract/version.ts";
import { PACE, type Pace, SLOWEST_PACE } from "./_pace.ts";
export type { Pace } from "./_pace.ts";
import { fetchVerified } from "./_fetch_verified.ts";
import { type RegistryChecksum, requestChecksum } from "./_registry_checksum.ts";
import { ArchiveCache, type CachedArchive } from "./archive_cache.ts";
import type { ArchiveFacts } from "./archive_facts.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";
import { type LedgerEntry, noteEntry } from "../contract/ledger_entries.ts";

/**
 * When to contact the registry.
 *
 * - `online`: requests the checksum file, a small request, and downloads only what changed.
 * - `prefer-cache`: uses cached archives of this registry without checking for changes.
 * - `offline`: never uses the network; an error if the archive is not cached.
 */
export type CacheMode = "online" | "prefer-cache" | "offline";

/** Names of the modes. */
export const CACHE_MODES: readonly CacheMode[] = ["online", "prefer-cache", "offline"];

/** Options of {@linkcode fetchArchive}. */
export interface FetchArchiveOptions {
  /** When to contact the registry; `online` by default. */
  readonly mode?: CacheMode;
  /** Folder of the cache; see {@linkcode cacheFolder} for the default. */
  readonly cache?: string;
  /** Name of the registry in the cache and in provenances; the client's base address by default. */
  readonly registry?: string;
  /** Receives the progress of the download. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; a later call resumes if the registry allows it. */
  readonly signal?: AbortSignal;
  /** Returns the free bytes of a folder, `undefined` if unknown; uses the platform by default. */
  readonly freeBytes?: (folder: string) => Promise<number | undefined>;
  /** The slowest accepted download; 1 KiB per minute by default. */
  readonly pace?: Pace;
}

const FETCH_ARCHIVE_OPTIONS = {
  mode: rule.oneOf(CACHE_MODES),
  cache: rule.path,
  registry: rule.text,
  onProgress: rule.callback(),
  signal: rule.signal,
  freeBytes: rule.callback(),
  pace: rule.shape<Pace>(PACE),
} satisfies OptionRules<FetchArchiveOptions>;

/** An archive whose bytes match the registry's checksum file. */
export interface VerifiedArchive extends ArchiveFacts {
  /** Base address of the registry, or the folder of an embedded one. */
  readonly origin: string;
}

/**
 * Gets one dataset archive, verified with the registry's own checksum file.
 *
 * Downloads in one pass of fetch, hash and write, to a temporary file that is renamed when its digest is verified. An
 * interrupted download is resumed if the registry sends a strong entity tag. Processes that need the same archive at
 * the same time share one download.
 *
 * @param client Sends the requests; its naming has the file names.
 * @param archive One of the eight: its identifier, file name or stem.
 * @param options Mode, cache, progress, signal.
 * @throws {RangeError} If `archive` is not one of the eight, or `mode` not one of the three; before any I/O.
 * @throws {RegistryError} With code `checksum` if the bytes do not match the checksum file, `offline` if the archive is
 * not cached and the network must not be used, `disk`, or as the client throws. No partial file is left under the
 * archive's name.
 * @see Specification 4.1. Caching, resuming and modes are our choice: the specification does not show them.
 *
 * @example
 * ```ts
 * import { createHash } from "node:crypto";
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "../client/mod.ts";
 * import { fetchArchive } from "./fetch_archive.ts";
 *
 * const bytes = new TextEncoder().encode("an archive");
 * const digest = createHash("sha256").update(bytes).digest("hex");
 * const client = new RegistryClient("http://127.0.0.1:8080", {
 *   fetch: (request) => {
 *     const name = new URL(request.url).searchParams.get("filename") ?? "";
 *     const isChecksum = name.endsWith(".sha256");
 *     return Promise.resolve(
 *       new Response(isChecksum ? `${digest}  registryv1_unique_seqs_metadata.csv.gz\n` : bytes),
 *     );
 *   },
 * });
 * const cache = await Deno.makeTempDir();
 * const archive = await fetchArchive(client, "unique_seqs_metadata", { cache });
 *
 * assertEquals(archive.sha256, digest);
 * assertEquals((await fetchArchive(client, "unique_seqs_metadata", { cache })).reused, true);
 * await Deno.remove(cache, { recursive: true });
 * ```
 */
export async function fetchArchive(
  client: RegistryClient,
  archive: ArchiveId | string,
  options: FetchArchiveOptions = {},
): Promise<VerifiedArchive> {
  checkOptions("fetchArchive()", options, FETCH_ARCHIVE_OPTIONS);
  const { mode = "online", registry = client.baseUrl, signal } = options;
  const id = findArchive(archive, client.naming);
  const files = archiveFiles(id, client.naming);
  signal?.throwIfAborted();
  const cache = new ArchiveCache(options.cache ?? cacheFolder());
  const work = new ArchiveWork(client, files, registry, cache, options);
  if (mode !== "online") {
    const kept = await work.fromCache();
    if (kept !== undefined) return kept;
    if (mode === "offline") throw await work.missing();
  }
  return await work.fromRegistry();
}

class ArchiveWork {
  readonly #client: RegistryClient;
  readonly #files: ArchiveFiles;
  readonly #registry: string;
  readonly #cache: ArchiveCache;
  readonly #options: FetchArchiveOptions;
  readonly #started = new Date().toISOString();
  readonly #notes: LedgerEntry[] = [];

  constructor(
    client: RegistryClient,
    files: ArchiveFiles,
    registry: string,
    cache: ArchiveCache,
    options: FetchArchiveOptions,
  ) {
    this.#client = client;
    this.#files = files;
    this.#registry = registry;
    this.#cache = cache;
    this.#options = options;
  }

  /** The cached archive of this registry, without a request. */
  async fromCache(): Promise<VerifiedArchive | undefined> {
    const origin = await this.#cache.origin(this.#registry, this.#files.archive);
    if (origin === undefined) return undefined;
    const kept = await this.#find(origin.sha256);
    return kept && await this.#result(kept, origin.sha256, { reused: true, etag: origin.etag });
  }

  /** Requests the checksum file, and the archive if its bytes are not in the cache. */
  async fromRegistry(): Promise<VerifiedArchive> {
    const { signal } = this.#options;
    const stated = await this.#checksum();
    const kept = await this.#find(stated.sha256);
    if (kept !== undefined) return await this.#reuse(kept, stated);
    const lockPath = await this.#cache.prepare(stated.sha256);
    await using lock = await acquireLock(lockPath, { signal, onWait: () => this.#waiting() });
    const waitedFor = await this.#find(stated.sha256);
    if (waitedFor !== undefined) return await this.#reuse(waitedFor, stated);
    const fetched = await fetchVerified({
      client: this.#client,
      files: this.#files,
      registry: this.#registry,
      stated,
      folder: this.#cache.partialFolder,
      prefix: this.#files.archive,
      lockReliable: lock.reliable,
      freeBytes: this.#options.freeBytes ?? freeBytes,
      pace: this.#options.pace ?? SLOWEST_PACE,
      onProgress: this.#options.onProgress ?? (() => {}),
      signal,
    });
    this.#notes.push(...fetched.notes);
    const { sha256: digest, release } = fetched.checksum;
    try {
      const added = await this.#cache.add(fetched.part.path, digest, this.#files.archive);
      const { etag, address } = fetched;
      return await this.#result(added, digest, { reused: false, etag, address, release });
    } finally {
      await fetched.part.discard();
    }
  }

  /** Why the archive is unavailable offline. */
  async missing(): Promise<RegistryError> {
    const origin = await this.#cache.origin(this.#registry, this.#files.archive);
    const why = origin === undefined
      ? `the cache (${this.#cache.folder}) has none from ${this.#registry}`
      : `the cached copy is ${this.#notes.length > 0 ? "damaged" : "gone"}`;
    return new RegistryError(
      "offline",
      `Cannot get ${this.#files.archive} offline: ${why}; get it once with network access (without mode: "offline", ` +
        "--offline or SEQREG_OFFLINE)",
    );
  }

  async #checksum(): Promise<RegistryChecksum> {
    try {
      return await requestChecksum(this.#client, this.#files, this.#options.signal);
    } catch (error) {
      throw await this.#withAdvice(error);
    }
  }

  /** If the registry cannot be reached, suggests the cached copy. */
  async #withAdvice(error: unknown): Promise<unknown> {
    const unreached = error instanceof RegistryError && ["network", "timeout", "busy"].includes(error.code);
    const origin = unreached ? await this.#cache.origin(this.#registry, this.#files.archive) : undefined;
    if (!unreached || origin === undefined) return error;
    return new RegistryError(
      error.code,
      `${error.message}. The cache has a copy verified on ${origin.verifiedAt}: use it with ` +
        `--offline (mode: "offline")`,
      { cause: error },
    );
  }

  async #find(digest: string): Promise<CachedArchive | undefined> {
    const answer = await this.#cache.find(digest, this.#files.archive, this.#options.signal);
    if (answer.state === "damaged") {
      const text = `${this.#files.archive}: the cached copy was damaged and was removed`;
      this.#notes.push(noteEntry("cached-copy-damaged", text, { ids: [this.#files.archive] }));
    }
    return answer.state === "whole" ? answer.archive : undefined;
  }

  async #reuse(kept: CachedArchive, { sha256: digest, release }: RegistryChecksum): Promise<VerifiedArchive> {
    const before = await this.#cache.origin(this.#registry, this.#files.archive);
    const etag = before?.sha256 === digest ? before.etag : null;
    return await this.#result(kept, digest, { reused: true, etag, release });
  }

  async #result(
    file: CachedArchive,
    sha256: string,
    { reused, etag, address = null, release }: {
      readonly reused: boolean;
      readonly etag: string | null;
      readonly address?: string | null;
      readonly release?: string;
    },
  ): Promise<VerifiedArchive> {
    const { archive: name, id } = this.#files;
    const { path, bytes, verifiedAt } = file;
    const finished = new Date().toISOString();
    await this.#cache.noteOrigin({ registry: this.#registry, name, sha256, bytes, etag, verifiedAt, usedAt: finished });
    return {
      id,
      name,
      path,
      bytes,
      sha256,
      verifiedAt,
      origin: this.#registry,
      reused,
      ...release !== undefined && { release },
      ledger: closeLedger({ asked: 1, promised: 1, received: 1, entries: this.#notes }),
      provenance: {
        operation: "dataset",
        registry: this.#registry,
        ...address !== null && { addresses: [address] },
        request: { filename: name },
        bytes,
        sha256,
        started: this.#started,
        finished,
        toolkit: TOOLKIT,
      },
    };
  }

  #waiting(): void {
    this.#options.onProgress?.({
      task: `waiting for another process that downloads ${this.#files.archive}`,
      done: 0,
      unit: "bytes",
    });
  }
}
