/**
 * Builds the embedded registry's own files from the archives, all or nothing.
 *
 * Everything is built in a folder of its own, which takes its final name only when all eight archives are proved. Two
 * processes that import at once take turns where locks work; where they do not, the first to finish wins and the other
 * throws its own away.
 */
import { dirname, join } from "node:path";
import { RegistryError } from "../errors.ts";
import { acquireLock } from "../io/lock.ts";
import type { ArchiveSet } from "./_archive_set.ts";
import { buildImport, type ImportOptions } from "./_build_import.ts";
import { readManifest } from "./_import_manifest.ts";

/** Age after which an unfinished import is taken for abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Imports archives into `folder`, unless another process has done so meanwhile.
 *
 * @throws {RegistryError} If the archives are damaged or contradict each other (`checksum`, `damaged`,
 * `not-an-archive-set`), or the import cannot be written (`disk`). Nothing is left then.
 */
export async function importArchives(set: ArchiveSet, folder: string, options: ImportOptions): Promise<void> {
  const parent = dirname(folder);
  const unfinished = join(parent, `.${set.key}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
  await writing(parent, () => Deno.mkdir(parent, { recursive: true }));
  await using _lock = await acquireLock(join(parent, `.${set.key}.lock`), { signal: options.signal });
  if (await readManifest(folder) !== undefined) return;
  await removeAbandoned(parent);
  await writing(parent, () => Deno.mkdir(unfinished));
  try {
    await buildImport(set, unfinished, options);
    options.signal?.throwIfAborted();
    await publish(unfinished, folder);
  } catch (cause) {
    throw isDatabaseError(cause) ? writeError(parent, cause) : cause;
  } finally {
    await Deno.remove(unfinished, { recursive: true }).catch(() => {});
  }
}

/** Gives a finished import its name; one that is whole already stays, since it is of the same archives. */
async function publish(unfinished: string, folder: string): Promise<void> {
  try {
    await Deno.rename(unfinished, folder);
  } catch (cause) {
    if (await readManifest(folder) !== undefined) return;
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
  const why = cause instanceof Error ? cause.message : String(cause);
  return new RegistryError(
    "disk",
    `Cannot write the import to ${path}: ${why}; free some space, or set SEQREG_CACHE to another folder`,
    { cause },
  );
}

/** Whether a database could not write: what it is given is checked before. */
function isDatabaseError(cause: unknown): boolean {
  if (!(cause instanceof Error) || cause instanceof RegistryError) return false;
  return "code" in cause && cause.code === "ERR_SQLITE_ERROR" || /^(IO|Out of Memory) Error/i.test(cause.message);
}

async function removeAbandoned(parent: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(".") || !name.endsWith(".part")) continue;
    const info = await Deno.stat(join(parent, name)).catch(() => undefined);
    const age = Date.now() - (info?.mtime?.getTime() ?? Date.now());
    if (age > ABANDONED_MS) await Deno.remove(join(parent, name), { recursive: true }).catch(() => {});
  }
}
