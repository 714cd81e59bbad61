/**
 * Who uses an import, and which imports nobody needs any more.
 *
 * Whoever opens an import holds a lock on it that many may hold. An import of another version of the same folder of
 * archives is removed when nobody holds its lock; where locks do not work, none is removed.
 */
import { basename, dirname, join } from "node:path";
import { MANIFEST_FILE, readManifestSource } from "./_import_manifest.ts";

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
  // Where locks do not work, nobody prunes.
  if (await file.tryLock(false).catch(() => true)) return file;
  file.close();
}

/** Removes imports of other versions of the archives in `source` than that in `place`, unless somebody uses them. */
export async function pruneImports(place: string, source: string): Promise<void> {
  const parent = dirname(place);
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || name.startsWith(".") || name === basename(place)) continue;
    const folder = join(parent, name);
    if ((await readManifestSource(folder)) === source) await removeUnused(folder);
  }
}

async function removeUnused(folder: string): Promise<void> {
  try {
    using file = await Deno.open(join(folder, USE_FILE), { write: true, create: true });
    if (!await file.tryLock(true)) return;
    // Where locks do not work, a second one is not refused.
    using probe = await Deno.open(join(folder, USE_FILE), { write: true });
    if (await probe.tryLock(true)) return;
    await Deno.remove(join(folder, MANIFEST_FILE));
    await Deno.remove(folder, { recursive: true });
  } catch {
    // It is another's, or no longer there: it costs space and nothing else.
  }
}
