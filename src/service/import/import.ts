/**
 * Builds the embedded registry's own files from the archives, all or nothing.
 *
 * Everything is built in a separate folder, which is renamed when all eight archives are verified. Finished parts of an
 * interrupted import stay in that folder, and the next import of the same archives resumes it. Concurrent processes
 * take turns if locks work; otherwise each builds in its own folder, the first to finish wins and the others discard
 * theirs.
 */
import { dirname, join } from "node:path";
import { diskError } from "../../io/files/disk_error.ts";
import { systemCode } from "../../io/files/system_code.ts";
import { RegistryError } from "../../errors.ts";
import { acquireLock } from "../../io/files/lock.ts";
import type { ArchiveSet } from "./archive_set.ts";
import { buildImport, type ImportOptions } from "./_build_import.ts";
import { readManifest } from "./import_manifest.ts";
import { hasNotes } from "./_import_notes.ts";

/** Age after which an unfinished import is taken for abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

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
  const own = lock.reliable ? "" : `.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}`;
  const unfinished = join(parent, `.${set.key}${own}.part`);
  await removeAbandoned(parent, unfinished);
  await writing(parent, () => Deno.mkdir(unfinished, { recursive: true }));
  try {
    await buildImport(set, unfinished, options);
    options.signal?.throwIfAborted();
    await publish(unfinished, folder);
  } catch (cause) {
    const resumable = lock.reliable && !isArchiveFault(cause) && await hasNotes(unfinished).catch(() => false);
    if (!resumable) await Deno.remove(unfinished, { recursive: true }).catch(() => {});
    throw systemCode(cause) !== undefined ? writeError(parent, cause) : cause;
  }
}

/**
 * Gives a finished import its name; one that is whole already stays, since it is of the same archives, and this goes.
 */
async function publish(unfinished: string, folder: string): Promise<void> {
  try {
    await Deno.rename(unfinished, folder);
  } catch (cause) {
    if (await readManifest(folder) !== undefined) {
      await Deno.remove(unfinished, { recursive: true }).catch(() => {});
      return;
    }
    // What stands there is damaged: it makes way.
    await writing(folder, async () => {
      await Deno.remove(folder, { recursive: true });
      await Deno.rename(unfinished, folder);
    }, cause);
  }
}

async function writing(path: string, work: () => Promise<void>, first?: unknown): Promise<void> {
  try {
    await work();
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

async function removeAbandoned(parent: string, own: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    const path = join(parent, name);
    if (!isDirectory || !name.startsWith(".") || !name.endsWith(".part") || path === own) continue;
    const info = await Deno.stat(path).catch(() => undefined);
    const age = Date.now() - (info?.mtime?.getTime() ?? Date.now());
    if (age > ABANDONED_MS) await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}
