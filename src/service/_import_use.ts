/**
 * Who uses an import, and which imports nobody needs any more.
 *
 * Whoever opens an import holds a lock on it that many may hold. An import of another version of the same folder of
 * archives is removed when nobody holds its lock; where locks do not work, none is removed.
 */
import { basename, dirname, join } from "node:path";
import { MANIFEST_FILE, readSource } from "./_import_manifest.ts";
import { NOTES_FILE } from "./_import_notes.ts";

/** Name of the file in the folder of an import that those who use it lock. */
const USE_FILE = "in-use.lock";

/** An import that is used: it is not pruned before this is disposed of. */
export type ImportUse = Disposable;

/** Begins to use an import that may not be there, or not be whole; `undefined` when it is just being removed. */
export async function useImport(folder: string): Promise<ImportUse | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(join(folder, USE_FILE), { write: true, create: true });
  } catch {
    // There is no import, or it may only be read: then nobody removes it, either.
    return { [Symbol.dispose]: () => {} };
  }
  // The cache's listing tells when an import was last used by its newest file.
  await file.utime(new Date(), new Date()).catch(() => {});
  // Where locks do not work, nobody prunes.
  if (await file.tryLock(false).catch(() => true)) return file;
  file.close();
}

/**
 * Removes imports of other versions of the archives in `source` than that in `place`, whole or not, unless somebody uses
 * or makes them.
 */
export async function pruneImports(place: string, source: string): Promise<void> {
  const parent = dirname(place);
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || name === basename(place)) continue;
    const folder = join(parent, name);
    const unfinished = /^(\.[0-9a-f]+)\.part$/.exec(name);
    // Whoever goes on with an import holds the lock beside it.
    const [says, lock] = unfinished === null
      ? [MANIFEST_FILE, join(folder, USE_FILE)]
      : [NOTES_FILE, join(parent, `${unfinished[1]}.lock`)];
    if (await readSource(join(folder, says)) === source) await removeUnlocked(folder, lock, join(folder, says));
  }
}

/** Removes a folder, first what says that it is of use, if its lock can be had. */
async function removeUnlocked(folder: string, lock: string, says: string): Promise<void> {
  try {
    using file = await Deno.open(lock, { write: true, create: true });
    if (!await file.tryLock(true)) return;
    // Where locks do not work, a second one is not refused.
    using probe = await Deno.open(lock, { write: true });
    if (await probe.tryLock(true)) return;
    await Deno.remove(says);
    await Deno.remove(folder, { recursive: true });
  } catch {
    // It is another's, or no longer there: it costs space and nothing else.
  }
}
