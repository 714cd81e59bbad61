/**
 * The registry's own copies of archives: they stay as they are while the files of the folder are overwritten in place.
 *
 * Copies are made in a separate folder, which is renamed when the digest of each is that of its checksum file. They are
 * below `copies/` in the cache, named by the key of the archives as the import is. A file states their sizes and times,
 * so that the next process uses them without reading them.
 */
import { dirname, join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { ARCHIVE_IDS } from "@seqreg/core/contract/datasets";
import { equalDigests, sha256 } from "@seqreg/core/io/digest";
import {
  createStagingFolder,
  diskError,
  removeFolder,
  resumeStagingFolder,
  sweepStagingIn,
  systemCode,
  useFolder,
} from "@seqreg/core/io/files";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { unlessAborted } from "@seqreg/core/io/tasks";
import { isRecord } from "@seqreg/core/options/is_record";
import { checkDigest } from "./_read_archive.ts";
import type { ArchiveSet, SetArchive } from "./archive_set.ts";
import { replacedError } from "./held_archives.ts";
import { type ImportArchivesOptions, lockArchives } from "./import.ts";
import { manifestText, readSummedJson } from "./import_manifest.ts";
import { COPIES_FILE } from "./import_use.ts";

/** Copies in use: they are not pruned before this is disposed of. */
export interface ArchiveCopies extends Disposable {
  /** The archives, with the paths and times of their copies. */
  readonly archives: ArchiveSet["archives"];
  /** Removes copies that were made just now, after they are disposed of: their archives cannot be imported. */
  discard(): Promise<void>;
}

/** Size, and times in milliseconds since 1970, of a copy. */
type CopyState = readonly [bytes: number, writtenAt: number, changedAt: number];

/**
 * Uses the copies of archives in `folder`, and makes them first unless they are there.
 *
 * @throws {RegistryError} With code `checksum` if an archive is not as its checksum file states, `not-an-archive-set`
 * if it is gone, `disk` if the copies cannot be written: nothing is left then.
 */
export async function copyArchives(
  set: ArchiveSet,
  folder: string,
  options: Omit<ImportArchivesOptions, "naming">,
): Promise<ArchiveCopies> {
  const present = await useCopies(set, folder, options);
  if (present !== undefined) return { ...present, discard: () => Promise.resolve() };
  await makeCopies(set, folder, options);
  const made = await useCopies(set, folder, options);
  if (made === undefined) {
    throw new RegistryError("disk", `Cannot use the copies in ${folder}: they are gone or damaged already; try again`);
  }
  return { ...made, discard: async () => void await removeFolder(folder).catch(() => {}) };
}

/** Begins to use copies; `undefined` where they are not whole. */
async function useCopies(
  { archives }: ArchiveSet,
  folder: string,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Omit<ArchiveCopies, "discard"> | undefined> {
  using holding = new DisposableStack();
  const use = await useFolder(folder);
  if (use === undefined) return undefined;
  holding.use(use);
  const stated = await readSummedJson(join(folder, COPIES_FILE));
  if (!isRecord(stated?.copies)) return undefined;
  const copies: Partial<Record<string, SetArchive>> = {};
  for (const id of ARCHIVE_IDS) {
    const archive = archives[id];
    const path = join(folder, archive.name);
    const state = await stateOf(path);
    if (state?.[0] !== archive.bytes) return undefined;
    const isAsWritten = JSON.stringify(state) === JSON.stringify(stated.copies[archive.name]);
    if (!isAsWritten && !equalDigests(await sha256(path, { signal }), archive.statedSha256)) {
      return undefined;
    }
    copies[id] = { ...archive, path, writtenAt: state[1] };
  }
  const held = holding.move();
  return { archives: copies as ArchiveSet["archives"], [Symbol.dispose]: () => held.dispose() };
}

/** Makes the copies, unless another process has done so meanwhile. */
async function makeCopies(
  set: ArchiveSet,
  folder: string,
  options: Omit<ImportArchivesOptions, "naming">,
): Promise<void> {
  const parent = dirname(folder);
  await writing(parent, () => Deno.mkdir(parent, { recursive: true }));
  await using lock = await lockArchives(set, { parent, work: `copies ${set.source}` }, options);
  {
    using present = await useCopies(set, folder, options);
    if (present !== undefined) return;
  }
  await using staging = await writing(
    parent,
    () => lock.reliable ? resumeStagingFolder(folder) : createStagingFolder(folder),
  );
  await staging.clear();
  await sweepStagingIn(parent, staging.path);
  await writing(parent, () => fillFolder(set, staging.path, options));
  options.signal?.throwIfAborted();
  // Copies that are damaged have the name already.
  await writing(parent, () => staging.rename().catch(() => staging.replace()));
}

/** Copies the archives into a folder, and states last that they are whole. */
async function fillFolder(
  { archives, source, namingSha256 }: ArchiveSet,
  folder: string,
  { signal, onProgress }: Omit<ImportArchivesOptions, "naming">,
): Promise<void> {
  const origin = { source, namingSha256 };
  const describe = (more: object) => writeAtomic(join(folder, COPIES_FILE), manifestText({ ...origin, ...more }));
  // What a killed process leaves is found by its origin.
  await describe({});
  const total = ARCHIVE_IDS.reduce((sum, id) => sum + archives[id].bytes, 0);
  const copies: Record<string, CopyState | undefined> = {};
  let done = 0;
  for (const id of ARCHIVE_IDS) {
    const archive = archives[id];
    onProgress?.({ task: `copying ${archive.name}`, done, total, unit: "bytes" });
    copies[archive.name] = await copyArchive(archive, join(folder, archive.name), signal);
    done += archive.bytes;
  }
  const sums = Object.fromEntries(ARCHIVE_IDS.map((id) => [archives[id].name, archives[id].statedSha256]));
  await describe({ copies, sums });
}

/** Copies an archive, which takes no space where the file system shares blocks, and checks what was written. */
async function copyArchive(
  archive: SetArchive,
  path: string,
  signal: AbortSignal | undefined,
): Promise<CopyState | undefined> {
  signal?.throwIfAborted();
  try {
    await unlessAborted(Deno.copyFile(archive.path, path), signal);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) throw replacedError(archive.name);
    throw cause;
  }
  // The original may be read-only, which keeps Windows from removing the copy.
  await Deno.chmod(path, 0o600);
  using file = await Deno.open(path, { read: true, write: true });
  await unlessAborted(file.syncData(), signal);
  checkDigest(archive, await sha256(path, { signal }));
  return await stateOf(path);
}

async function stateOf(path: string): Promise<CopyState | undefined> {
  try {
    const { size, mtime, ctime } = await Deno.stat(path);
    return [size, mtime?.getTime() ?? 0, ctime?.getTime() ?? 0];
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  }
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (systemCode(cause) === undefined) throw cause;
    const next = "free some space, set SEQREG_CACHE to another folder, or serve without copies";
    throw diskError(cause, { action: `copy the archives to ${path}`, next });
  }
}
