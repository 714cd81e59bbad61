/**
 * Folders in use, which must not be removed.
 *
 * Users of a folder hold a shared lock on a file in it; removing it requires an exclusive lock. When a process ends in
 * any way, its locks are released.
 */
import { basename, dirname, join } from "node:path";

/** Name of the file in a folder that those who use it lock. */
export const IN_USE_FILE = "in-use.lock";

/** Names of folders that are just being removed; one that is left of a killed process is removed by the next. */
const GOING = /^\..+\.going$/;

/** A folder that is used. Dispose of it when that ends. */
export type FolderUse = Disposable;

/**
 * Begins to use a folder, which may be absent.
 *
 * @param folder The folder; a read-only one cannot be removed, and is not locked.
 * @returns The use; `undefined` when the folder is just being removed.
 */
export async function useFolder(folder: string): Promise<FolderUse | undefined> {
  let file: Deno.FsFile;
  try {
    file = await Deno.open(join(folder, IN_USE_FILE), { write: true, create: true });
  } catch {
    return { [Symbol.dispose]: () => {} };
  }
  // A listing tells when a folder was last used by its newest file.
  await file.utime(new Date(), new Date()).catch(() => {});
  // Without working locks, exclusion is impossible.
  if (await file.tryLock(false).catch(() => true)) return file;
  file.close();
}

/** Whether a folder is in use: `false` also without working locks. */
export async function isFolderInUse(folder: string): Promise<boolean> {
  using file = await openUseFile(folder);
  return file !== undefined && !await file.tryLock(true).catch(() => true);
}

/**
 * Removes a folder that is not in use. It is renamed first, so that a kill leaves no partial folder under its name.
 *
 * @throws As Deno does, when it is there and cannot be removed.
 */
export async function removeFolder(folder: string): Promise<"removed" | "in use" | "absent"> {
  using file = await openUseFile(folder);
  if (file !== undefined && !await file.tryLock(true).catch(() => true)) return "in use";
  const going = join(dirname(folder), `.${basename(folder)}.${crypto.randomUUID().slice(0, 8)}.going`);
  // Windows renames no folder in which a file is open: there a failed rename is the sign of a use.
  const isWindows = Deno.build.os === "windows";
  if (isWindows) file?.close();
  try {
    await Deno.rename(folder, going);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return "absent";
    if (isWindows && cause instanceof Deno.errors.PermissionDenied) return "in use";
    throw cause;
  }
  await Deno.remove(going, { recursive: true });
  return "removed";
}

/** Removes what a killed process was removing from a folder of folders. */
export async function sweepGoing(parent: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (isDirectory && GOING.test(name)) await Deno.remove(join(parent, name), { recursive: true }).catch(() => {});
  }
}

/** The file that users lock; `undefined` if it is missing or read-only. */
async function openUseFile(folder: string): Promise<Deno.FsFile | undefined> {
  try {
    return await Deno.open(join(folder, IN_USE_FILE), { write: true });
  } catch {
    return undefined;
  }
}
