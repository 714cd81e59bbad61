/**
 * A partial download: a file with a unique name, hashed as it is written.
 *
 * A JSON file next to it has what a resume needs: the registry, the file name and the strong entity tag. A leftover is
 * taken over by renaming it, which only one process can do.
 */
import { join } from "node:path";
import { writeAll } from "../io/files/write_all.ts";
import { diskError } from "../io/files/disk_error.ts";
import { systemCode } from "../io/files/system_code.ts";
import { RegistryError } from "../errors.ts";
import { readBytes } from "../io/bytes/byte_source.ts";
import { type Sha256, startSha256 } from "../io/digest/sha256.ts";
import { cacheError, namesIn } from "./archive_cache.ts";
import { isDigest, type JsonObject, readJsonObject, tryWriteJsonObject } from "./_json_file.ts";

/** A leftover this old has no living owner, even without locks: an owner stops after 30 s without a byte. */
const ORPHAN_MS = 10 * 60_000;

/** Bytes that are synced to disk at once, in the background. */
const SYNC_BYTES = 16 << 20;

/** Location of a part, and what it is a part of. */
export interface PartPlace {
  /** Folder, on the filesystem where the whole file will be. */
  readonly folder: string;
  /** Prefix of the file's name. */
  readonly prefix: string;
  /** Base address of the registry, or the folder of an embedded one. */
  readonly registry: string;
  /** File name of the archive. */
  readonly name: string;
  /** Digest that the registry states for the whole. */
  readonly expected: string;
}

export class PartFile {
  readonly path: string;
  readonly #place: PartPlace;
  readonly #file: Deno.FsFile;
  #hash: Sha256;
  #bytes: number;
  #etag: string | null;
  #totalBytes: number | null;
  #open = true;
  #syncedFrom = 0;
  #syncing: Promise<void> | undefined;
  #syncError: { readonly error: unknown } | undefined;

  private constructor(
    path: string,
    place: PartPlace,
    file: Deno.FsFile,
    state: { hash: Sha256; bytes: number; etag: string | null; totalBytes: number | null },
  ) {
    this.path = path;
    this.#place = place;
    this.#file = file;
    this.#hash = state.hash;
    this.#bytes = state.bytes;
    this.#etag = state.etag;
    this.#totalBytes = state.totalBytes;
  }

  static async create(place: PartPlace): Promise<PartFile> {
    const path = ownPath(place);
    try {
      const file = await Deno.open(path, { write: true, createNew: true });
      return new PartFile(path, place, file, { hash: startSha256(), bytes: 0, etag: null, totalBytes: null });
    } catch (cause) {
      throw cacheError(path, cause);
    }
  }

  /** Takes over a leftover and hashes its bytes; `undefined` if none can be resumed. */
  static async adopt(
    place: PartPlace,
    options: { readonly lockReliable: boolean; readonly signal?: AbortSignal },
  ): Promise<PartFile | undefined> {
    for (const name of await namesIn(place.folder)) {
      if (!name.startsWith(`${place.prefix}.`) || !name.endsWith(".part")) continue;
      const leftover = join(place.folder, name);
      const info = await Deno.lstat(leftover).catch(() => undefined);
      if (info === undefined || !info.isFile) continue;
      const facts = readFacts(await readJsonObject(factsPath(leftover)));
      const orphan = Date.now() - (info.mtime?.getTime() ?? 0) > ORPHAN_MS;
      if (facts === undefined) {
        // Its owner stopped before the registry answered: it has nothing useful.
        if (orphan || options.lockReliable && name.startsWith(`${ownPrefix(place)}.`)) await removePart(leftover);
        continue;
      }
      if (facts.registry !== place.registry || facts.name !== place.name) continue;
      const mine = facts.expected === place.expected;
      // The lock is that of one digest: it does not protect a download of an earlier version.
      if (!facts.released && !orphan && !(mine && options.lockReliable)) continue;
      const isBegin = info.size > 0 && (facts.totalBytes === null || info.size <= facts.totalBytes);
      if (!mine || facts.etag === null || !isBegin) {
        await removePart(leftover);
        continue;
      }
      const part = await PartFile.#takeOver(leftover, place, facts, options.signal);
      if (part !== undefined) return part;
    }
    return undefined;
  }

  static async #takeOver(
    leftover: string,
    place: PartPlace,
    facts: PartFacts,
    signal?: AbortSignal,
  ): Promise<PartFile | undefined> {
    const path = ownPath(place);
    try {
      await Deno.rename(leftover, path);
    } catch {
      return undefined;
    }
    await Deno.remove(factsPath(leftover)).catch(() => {});
    await tryWriteJsonObject(factsPath(path), { ...facts, released: false });
    const hash = startSha256();
    let bytes = 0;
    try {
      for await (const chunk of readBytes(path, { signal })) {
        hash.update(chunk);
        bytes += chunk.length;
      }
      const file = await Deno.open(path, { write: true });
      await file.seek(bytes, Deno.SeekMode.Start);
      return new PartFile(path, place, file, { hash, bytes, etag: facts.etag, totalBytes: facts.totalBytes });
    } catch (cause) {
      await tryWriteJsonObject(factsPath(path), { ...facts, released: true });
      throw cause;
    }
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Strong entity tag of the file that the bytes are from; `null` without one. */
  get etag(): string | null {
    return this.#etag;
  }

  /** Bytes of the whole file; `null` if the registry does not state it. */
  get totalBytes(): number | null {
    return this.#totalBytes;
  }

  /** Stores the registry's properties of the file that the next bytes are from. */
  async describe(etag: string | null, totalBytes: number | null): Promise<void> {
    this.#etag = etag;
    this.#totalBytes = totalBytes;
    if (etag !== null) await this.#writeFacts(false);
    else await Deno.remove(factsPath(this.path)).catch(() => {});
  }

  /** Writes all of the bytes, and hashes them. */
  write(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    try {
      writeAll(this.#file, chunk);
    } catch (cause) {
      throw writeError(this.path, cause);
    }
    this.#bytes += chunk.length;
    if (this.#bytes - this.#syncedFrom >= SYNC_BYTES) this.#syncBehind();
  }

  /** Syncs written bytes to disk in the background, so that the final sync is short. */
  #syncBehind(): void {
    if (this.#syncing !== undefined || this.#syncError !== undefined) return;
    this.#syncedFrom = this.#bytes;
    this.#syncing = this.#file.syncData().catch((error) => {
      // A disk reports a lost write once: keep the error for the end.
      this.#syncError = { error };
    }).finally(() => this.#syncing = undefined);
  }

  async restart(): Promise<void> {
    await this.#syncing;
    await Deno.remove(factsPath(this.path)).catch(() => {});
    await this.#file.truncate(0);
    await this.#file.seek(0, Deno.SeekMode.Start);
    this.#hash = startSha256();
    this.#bytes = 0;
    this.#syncedFrom = 0;
    this.#etag = null;
    this.#totalBytes = null;
  }

  /** Digest of the bytes written. No bytes can be written afterwards. */
  digest(): string {
    return this.#hash.digest();
  }

  /** Syncs all bytes to disk, before the file is renamed. */
  async seal(): Promise<void> {
    try {
      await this.#syncing;
      if (this.#syncError !== undefined) throw this.#syncError.error;
      await this.#file.syncData();
      const { size } = await this.#file.stat();
      if (size !== this.#bytes) throw new Error(`${size} bytes found, ${this.#bytes} were written`);
    } catch (cause) {
      throw writeError(this.path, cause);
    }
    this.#close();
  }

  /** Stops: keeps the file if it can be resumed, otherwise removes it. */
  async release(): Promise<void> {
    if (!this.#open) return;
    await this.#syncing;
    this.#close();
    if (this.#etag !== null && this.#bytes > 0) await this.#writeFacts(true);
    else await removePart(this.path);
  }

  /** Stops and removes the file. */
  async discard(): Promise<void> {
    await this.#syncing;
    this.#close();
    await removePart(this.path);
  }

  async #writeFacts(released: boolean): Promise<void> {
    const { registry, name, expected } = this.#place;
    const facts: PartFacts = { registry, name, expected, etag: this.#etag, totalBytes: this.#totalBytes, released };
    await tryWriteJsonObject(factsPath(this.path), facts);
  }

  #close(): void {
    if (this.#open) this.#file.close();
    this.#open = false;
  }
}

/** Removes a part and its JSON file. */
export async function removePart(path: string): Promise<void> {
  await Deno.remove(factsPath(path)).catch(() => {});
  await Deno.remove(path).catch(() => {});
}

/** Whether a download may still be writing to a part: not abandoned, and grown recently. */
export async function isLivePart(path: string): Promise<boolean> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info === undefined || Date.now() - (info.mtime?.getTime() ?? 0) > ORPHAN_MS) return false;
  return !readFacts(await readJsonObject(factsPath(path)))?.released;
}

/** The JSON file of a part. */
interface PartFacts {
  readonly registry: string;
  readonly name: string;
  readonly expected: string;
  readonly etag: string | null;
  readonly totalBytes: number | null;
  readonly released: boolean;
}

function readFacts(value: JsonObject | undefined): PartFacts | undefined {
  if (value === undefined) return undefined;
  const { registry, name, expected, etag, totalBytes, released } = value;
  if (typeof registry !== "string" || typeof name !== "string" || !isDigest(expected)) return undefined;
  return {
    registry,
    name,
    expected,
    etag: typeof etag === "string" ? etag : null,
    totalBytes: typeof totalBytes === "number" ? totalBytes : null,
    released: released === true,
  };
}

function factsPath(path: string): string {
  return `${path}.json`;
}

/** Common prefix of all parts of one digest, which share a lock. */
function ownPrefix({ prefix, expected }: PartPlace): string {
  return `${prefix}.${expected.slice(0, 12)}`;
}

function ownPath(place: PartPlace): string {
  return join(place.folder, `${ownPrefix(place)}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
}

function writeError(path: string, cause: unknown): RegistryError {
  const next = systemCode(cause) === "ENOSPC"
    ? "free some space (seqreg cache prune) or choose another disk (for the cache: SEQREG_CACHE)"
    : undefined;
  return diskError(cause, { action: `write ${path}`, next });
}
