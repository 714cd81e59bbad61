/**
 * Locks between processes, for work that should be done once.
 *
 * A lock's file is there while the lock is held; what a killed process left is removed by the next that holds it.
 *
 * A lock saves work; it does not protect files: on some cluster filesystems locks do nothing. So the holder still
 * writes to a file of its own and renames it, and can check whether the lock is reliable.
 */
import { pause } from "../tasks/pause.ts";
import { diskError } from "./disk_error.ts";

/** A lock that is held. Leaving its scope releases it; so does the end of the process, however it ends. */
export interface FileLock extends AsyncDisposable {
  /** Whether locks work on this filesystem: whether a second one was really refused. */
  readonly reliable: boolean;
  /** Releases the lock. Idempotent. */
  release(): void;
  /** Releases the lock and leaves the file, as a killed process does: the work that it stands for is unfinished. */
  abandon(): void;
}

export interface AcquireLockOptions {
  /** Ends the waiting with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called once when another process holds the lock, with its number where it is known. */
  readonly onWait?: (holder: number | undefined) => void;
  /** Milliseconds between tries; 50 by default. */
  readonly pollMs?: number;
}

/**
 * Waits until this process, and this call alone, holds the lock.
 *
 * @param path The lock's own file, made when absent and removed at the end. Its folder exists.
 * @param options Signal, and what to do while waiting.
 * @throws {RegistryError} With code `disk` if the lock's file cannot be written.
 */
export async function acquireLock(path: string, options: AcquireLockOptions = {}): Promise<FileLock> {
  const { signal, onWait, pollMs = 50 } = options;
  let waited = false;
  for (;;) {
    signal?.throwIfAborted();
    const file = await openLockFile(path);
    try {
      while (!await tryLock(file)) {
        if (!waited) onWait?.(await readHolder(path));
        waited = true;
        await pause(pollMs, signal);
      }
      // Who held it before has removed its file: the lock is that of the file that has the name.
      if (!isAt(path, file)) {
        file.close();
        continue;
      }
      await writeHolder(file);
      const reliable = await refusesAnother(path);
      let held = true;
      const end = (isDone: boolean) => {
        if (!held) return;
        held = false;
        if (isDone) removeLockFile(path, file);
        file.close();
      };
      const release = () => end(true);
      return { reliable, release, abandon: () => end(false), [Symbol.asyncDispose]: () => Promise.resolve(release()) };
    } catch (cause) {
      file.close();
      throw cause;
    }
  }
}

/** Removes the file of a lock that is held: others that have it open will see that it is no longer there. */
export function removeLockFile(path: string, file: Deno.FsFile): void {
  try {
    if (isAt(path, file)) Deno.removeSync(path);
  } catch {
    // Windows keeps files that others have open; a file that is left costs nothing.
  }
}

/** Whether a path leads to an open file: a lock counts only while its file has its name. */
export function isAt(path: string, file: Deno.FsFile): boolean {
  try {
    const [named, held] = [Deno.statSync(path), file.statSync()];
    return named.dev === held.dev && named.ino === held.ino;
  } catch {
    return false;
  }
}

/** Writes for those that wait which process holds the lock; on a full disk they do without. */
async function writeHolder(file: Deno.FsFile): Promise<void> {
  await file.truncate().catch(() => {});
  await file.write(new TextEncoder().encode(`${Deno.pid}\n`)).catch(() => {});
}

async function readHolder(path: string): Promise<number | undefined> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return /^[0-9]+\n$/.test(text) ? Number(text) : undefined;
}

async function openLockFile(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { write: true, create: true });
  } catch (cause) {
    const next = "choose a folder you can write to (for the cache: SEQREG_CACHE)";
    throw diskError(cause, { action: `lock ${path}`, next });
  }
}

/** A filesystem that knows no locks is one where they do nothing. */
async function tryLock(file: Deno.FsFile): Promise<boolean> {
  try {
    return await file.tryLock(true);
  } catch {
    return true;
  }
}

async function refusesAnother(path: string): Promise<boolean> {
  using other = await openLockFile(path);
  try {
    return !await other.tryLock(true);
  } catch {
    return false;
  }
}
