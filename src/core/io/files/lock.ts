/**
 * Locks between processes, for work that should be done once.
 *
 * A lock saves work; it does not protect files: on some cluster filesystems locks do nothing. So the holder still
 * writes to a file of its own and renames it, and can check whether the lock is reliable.
 *
 * @module
 */
import { pause } from "../tasks/pause.ts";
import { diskError } from "./disk_error.ts";

/** A lock that is held. Leaving its scope releases it; so does the end of the process, however it ends. */
export interface FileLock extends AsyncDisposable {
  /** Whether locks work on this filesystem: whether a second one was really refused. */
  readonly reliable: boolean;
  /** Lets the next one in. Does nothing the second time. */
  release(): void;
}

/** Options of {@linkcode acquireLock}. */
export interface AcquireLockOptions {
  /** Ends the waiting with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called once when another process holds the lock. */
  readonly onWait?: () => void;
  /** Milliseconds between tries; 50 by default. */
  readonly pollMs?: number;
}

/**
 * Waits until this process, and this call alone, holds the lock.
 *
 * @param path The lock's own file, made when absent; it stays, since removing it would let two in. Its folder exists.
 * @param options Signal, and what to do while waiting.
 * @throws {RegistryError} With code `disk` if the lock's file cannot be written.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { acquireLock } from "./lock.ts";
 *
 * const folder = await Deno.makeTempDir();
 * {
 *   await using lock = await acquireLock(`${folder}/a.lock`);
 *   assert(typeof lock.reliable === "boolean");
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function acquireLock(path: string, options: AcquireLockOptions = {}): Promise<FileLock> {
  const { signal, onWait, pollMs = 50 } = options;
  signal?.throwIfAborted();
  const file = await openLockFile(path);
  try {
    let waited = false;
    while (!await tryLock(file)) {
      if (!waited) onWait?.();
      waited = true;
      await pause(pollMs, signal);
    }
    const reliable = await refusesAnother(path);
    let held = true;
    const release = () => {
      if (held) file.close();
      held = false;
    };
    return { reliable, release, [Symbol.asyncDispose]: () => Promise.resolve(release()) };
  } catch (cause) {
    file.close();
    throw cause;
  }
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
