/**
 * Builds the embedded registry's own files from the archives, all or nothing.
 *
 * Everything is built in a separate folder, which is renamed when all eight archives are verified. Finished parts of an
 * interrupted import stay in that folder, and the next import of the same archives resumes it. Concurrent processes
 * take turns if locks work; otherwise each builds in its own folder, the first to finish wins and the others discard
 * theirs.
 */
import { dirname, join } from "node:path";
import {
  createStagingFolder,
  diskError,
  resumeStagingFolder,
  type StagingFolder,
  sweepStagingIn,
  systemCode,
} from "@seqreg/core/io/files";
import { RegistryError } from "@seqreg/core/errors";
import { acquireLock } from "@seqreg/core/io/files/lock";
import type { ArchiveSet } from "./archive_set.ts";
import { buildImport, type ImportOptions } from "./_build_import.ts";
import { readManifest } from "./import_manifest.ts";
import { hasNotes } from "./_import_notes.ts";

/**
 * Imports archives into `folder`, unless another process has done so meanwhile.
 *
 * @throws {RegistryError} If the archives are damaged or contradict each other (`checksum`, `damaged`,
 * `not-an-archive-set`): nothing is left then. If the import cannot be written (`disk`) or is stopped, what is finished
 * of it is kept.
 */
export async function importArchives(set: ArchiveSet, folder: string, options: ImportOptions): Promise<void> {
  const parent = dirname(folder);
  await writing(parent, () => Deno.mkdir(parent, { recursive: true }));
  await using lock = await acquireLock(join(parent, `.${set.key}.lock`), { signal: options.signal });
  if (await readManifest(folder) !== undefined) return;
  await using staging = await writing(
    parent,
    () => lock.reliable ? resumeStagingFolder(folder) : createStagingFolder(folder),
  );
  await sweepStagingIn(parent, staging.path);
  try {
    await buildImport(set, staging.path, options);
    options.signal?.throwIfAborted();
    await publish(staging, folder);
  } catch (cause) {
    if (lock.reliable && !isArchiveFault(cause) && await hasNotes(staging.path).catch(() => false)) staging.keep();
    throw systemCode(cause) !== undefined ? writeError(parent, cause) : cause;
  }
}

/**
 * Renames a finished import to its final name; one that is whole already stays, since it is of the same archives, and
 * this goes.
 */
async function publish(staging: StagingFolder, folder: string): Promise<void> {
  try {
    await staging.rename();
  } catch (cause) {
    if (await readManifest(folder) !== undefined) return;
    // What stands there is damaged: it makes way.
    await writing(folder, () => staging.replace(), cause);
  }
}

async function writing<T>(path: string, work: () => Promise<T>, first?: unknown): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw writeError(path, first ?? cause);
  }
}

function writeError(path: string, cause: unknown): RegistryError {
  const next = "free some space, or set SEQREG_CACHE to another folder";
  return diskError(cause, { action: `write the import to ${path}`, next });
}

/** Whether the archives themselves are at fault: trying again is of no use. */
function isArchiveFault(cause: unknown): boolean {
  return cause instanceof RegistryError && cause.code !== "disk";
}
