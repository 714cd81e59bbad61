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

/** Milliseconds of waiting for another process after which it is reported. */
const SAY_WAITING_MS = 2000;

export interface ImportArchivesOptions extends ImportOptions {
  /** Receives a message when another process imports the same archives, and takes its time. */
  readonly onWaiting?: (message: string) => void;
}

/**
 * Imports archives into `folder`, unless another process has done so meanwhile.
 *
 * @throws {RegistryError} If the archives are damaged or contradict each other (`checksum`, `damaged`,
 * `not-an-archive-set`) or it cannot be written (`disk`): nothing is left then. If it is stopped, what is finished of
 * it is kept.
 */
export async function importArchives(set: ArchiveSet, folder: string, options: ImportArchivesOptions): Promise<void> {
  const parent = dirname(folder);
  await writing(parent, () => Deno.mkdir(parent, { recursive: true }));
  await using lock = await lockArchives(set, { parent, work: `imports ${set.source}` }, options);
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
    if (lock.reliable && isStop(cause) && await hasNotes(staging.path).catch(() => false)) staging.keep();
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
  const code = systemCode(cause);
  const next = code === "EMFILE"
    ? "raise the number of files that this process may open (ulimit -n)"
    : `${/^(?:EACCES|EPERM|EROFS)$/.test(code ?? "") ? "" : "free some space, or "}set SEQREG_CACHE to another folder`;
  return diskError(cause, { action: `write the import to ${path}`, next });
}

/**
 * Whether an import was stopped, and can go on where it was: neither are the archives at fault, nor is the disk full,
 * of which nothing is kept for a part.
 */
function isStop(cause: unknown): boolean {
  return !(cause instanceof RegistryError) && systemCode(cause) === undefined;
}

/** Takes the lock of work on some archives; reports after a while that another process does the same, and which. */
export async function lockArchives(
  { key }: ArchiveSet,
  { parent, work }: { readonly parent: string; readonly work: string },
  { signal, onWaiting }: Pick<ImportArchivesOptions, "signal" | "onWaiting">,
) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const onWait = (holder: number | undefined) => {
    const who = holder === undefined ? "another process" : `process ${holder}`;
    waiting = setTimeout(() => onWaiting?.(`waiting for ${who}, which ${work}`), SAY_WAITING_MS);
  };
  return await acquireLock(join(parent, `.${key}.lock`), { signal, onWait }).finally(() => clearTimeout(waiting));
}
