/**
 * Imports in use, and removal of imports and copies of archives that are no longer needed.
 *
 * Users of an import, or of copies, hold a shared lock on them. Those of another version of the same folder of
 * archives, under the same naming, are removed when their lock is free; without working locks, none is removed.
 */
import { basename, dirname, join, resolve, sep } from "node:path";
import { type FolderUse, IN_USE_FILE, useFolder } from "@seqreg/core/io/files";
import { isAt, removeLockFile } from "@seqreg/core/io/files/lock";
import type { FolderOrigin } from "./archive_set.ts";
import { isImportOf, MANIFEST_FILE } from "./import_manifest.ts";
import { NOTES_FILE } from "./_import_notes.ts";

/** Folder of the cache with copies of archives. */
export const COPIES_ROOM = "copies";
/** Name of the file in a folder of copies that states what they are copies of. */
export const COPIES_FILE = "copies.json";

/** An import that is used, with its archives: it is not pruned before this is disposed of. */
export type ImportUse = FolderUse;

/**
 * Begins to use an import that may not be there, or not be whole; `undefined` when it is just being removed. Archives
 * in the cache itself, such as the built-in sample, may be pruned as well, so they are used with it.
 */
export async function useImport(folder: string, archives: string, cacheFolder: string): Promise<ImportUse | undefined> {
  const own = await useFolder(folder);
  if (own === undefined || !resolve(archives).startsWith(resolve(cacheFolder) + sep)) return own;
  const others = await useFolder(archives);
  return {
    [Symbol.dispose]() {
      others?.[Symbol.dispose]();
      own[Symbol.dispose]();
    },
  };
}

/**
 * Removes imports, complete or partial, of other versions of the archives than that in `folder`, except those in use.
 */
export async function pruneImports(folder: string, origin: FolderOrigin): Promise<void> {
  await pruneFolders(folder, origin, { whole: MANIFEST_FILE, partial: NOTES_FILE });
}

/** Removes copies of archives, complete or partial, in the same way; `folder` may be without copies. */
export async function pruneCopies(folder: string, origin: FolderOrigin): Promise<void> {
  if (await Deno.stat(dirname(folder)).then(() => false, () => true)) return;
  await pruneFolders(folder, origin, { whole: COPIES_FILE, partial: COPIES_FILE });
}

/** Removes folders whose files of these names state that they are of another version of the same archives. */
async function pruneFolders(
  kept: string,
  origin: FolderOrigin,
  files: { readonly whole: string; readonly partial: string },
): Promise<void> {
  const parent = dirname(kept);
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || name === basename(kept)) continue;
    const folder = join(parent, name);
    const unfinished = /^(\.[0-9a-f]+)\.part$/.exec(name);
    // Other names with this prefix are being created or removed by another process.
    if (unfinished === null && name.startsWith(".")) continue;
    // A process that resumes it holds its lock.
    const [says, lock] = unfinished === null
      ? [files.whole, join(folder, IN_USE_FILE)]
      : [files.partial, join(parent, `${unfinished[1]}.lock`)];
    await removeUnlocked(folder, { lock, says: join(folder, says), origin });
  }
}

/** Removes a folder of an origin, its validity marker first, if its lock is free. */
async function removeUnlocked(
  folder: string,
  { lock, says, origin }: { readonly lock: string; readonly says: string; readonly origin: FolderOrigin },
): Promise<void> {
  try {
    if (!await isImportOf(says, origin)) return;
    using file = await Deno.open(lock, { write: true, create: true });
    if (!await file.tryLock(true) || !isAt(lock, file)) return;
    // Where locks do not work, a second one is not refused.
    using probe = await Deno.open(lock, { write: true });
    if (await probe.tryLock(true)) return;
    await Deno.remove(says);
    await Deno.remove(folder, { recursive: true });
    removeLockFile(lock, file);
  } catch {
    // It is another's, or no longer there: it costs space and nothing else.
  }
}
