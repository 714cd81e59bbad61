/**
 * Files that are written atomically: to a temporary file, then renamed.
 *
 * Bytes are written to a temporary file with a unique name in the same folder, which is renamed when everything is
 * written. An error, an abort or a crash leaves an existing file unchanged. The permissions of a replaced file are
 * kept. If the path is a symbolic link, its target is replaced. Devices and pipes, such as `/dev/null`, cannot be
 * replaced: bytes are written to them directly.
 */
import { reportLeftover } from "./leftovers.ts";
import { diskError } from "./disk_error.ts";
import { refuseAddress } from "./refuse_address.ts";
import { unlessAborted } from "../tasks/pause.ts";

/** A file that is being written. Close it with {@linkcode AtomicFile.commit}; leaving its scope without discards it. */
export interface AtomicFile extends AsyncDisposable {
  /** Path that the file will have. */
  readonly path: string;
  /** Path that it has while it is written; its final path where that is a device or a pipe. */
  readonly temporaryPath: string;
  /** Whether it is a file, and no device or pipe. */
  readonly isFile: boolean;
  /** Bytes written so far. */
  readonly bytes: number;
  /** Writes all of the bytes. */
  write(bytes: Uint8Array): Promise<void>;
  /** Renames the file to its final name. */
  commit(): Promise<void>;
  /** Removes what was written; nothing under the final name changes. Does nothing after a commit. */
  discard(): Promise<void>;
}

export interface AtomicFileOptions {
  /** Ends the wait for a reader of a pipe, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a file that is written atomically.
 *
 * @param path Final path; an existing file is replaced at the commit, a device or a pipe is written to as it is.
 * @throws {RegistryError} With code `disk` if the folder is absent or cannot be written, and later from `write` or
 * `commit` when the disk is full.
 * @throws {TypeError} If the path is an address.
 */
export async function createAtomicFile(path: string, options: AtomicFileOptions = {}): Promise<AtomicFile> {
  const { signal } = options;
  signal?.throwIfAborted();
  refuseAddress(path);
  const { target, isFile, mode } = await targetOf(path);
  // Loaded when it is needed: most commands write to standard output, and start the sooner.
  const { basename, dirname, join } = await import("node:path");
  const folder = dirname(target);
  const newName = () => join(folder, `.${basename(target)}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
  const { file, path: temporaryPath } = isFile
    ? await opening(path, () => openOwned(newName, mode))
    : { file: await openReadPipe(path, signal), path: target };
  if (isFile) await removeLeftovers(folder, { prefix: `.${basename(target)}.`, own: temporaryPath, join });
  let bytes = 0;
  let state: "open" | "committed" | "discarded" = "open";
  const discard = async () => {
    if (state !== "open") return;
    state = "discarded";
    file.close();
    if (isFile) await Deno.remove(temporaryPath).catch(() => {});
  };
  return {
    path,
    temporaryPath,
    isFile,
    get bytes() {
      return bytes;
    },
    async write(chunk) {
      if (state !== "open") throw new TypeError(`Cannot write to ${path}: the file is ${state}`);
      try {
        for (let start = 0; start < chunk.length;) {
          const writing = file.write(chunk.subarray(start));
          start += await (isFile ? writing : unlessAborted(writing, signal));
        }
      } catch (cause) {
        if (signal?.aborted) throw signal.reason;
        throw diskError(cause, { action: `write ${path}` });
      }
      bytes += chunk.length;
    },
    async commit() {
      if (state !== "open") throw new TypeError(`Cannot commit ${path}: the file is ${state}`);
      try {
        // The mask of the process may have taken away what the file had. Where that cannot be given back, fewer may use
        // it.
        if (mode !== undefined) await Deno.chmod(temporaryPath, mode).catch(() => {});
        if (isFile) await file.syncData();
        file.close();
        state = "committed";
        if (isFile) await Deno.rename(temporaryPath, target);
      } catch (cause) {
        if (state === "committed" && isFile) await Deno.remove(temporaryPath).catch(() => {});
        else await discard();
        throw diskError(cause, { action: `write ${path}` });
      }
    },
    discard,
    [Symbol.asyncDispose]: discard,
  };
}

/**
 * Writes a file atomically.
 *
 * @param path Final path; an existing file is replaced.
 * @param content A text, bytes, or chunks of bytes.
 * @param options `signal` ends the writing; nothing is left behind then.
 * @throws {RegistryError} With code `disk` if the file cannot be written.
 */
export async function writeAtomic(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<number> {
  await using file = await createAtomicFile(path, options);
  if (typeof content === "string") await file.write(new TextEncoder().encode(content));
  else if (content instanceof Uint8Array) await file.write(content);
  else {
    for await (const chunk of content) {
      options.signal?.throwIfAborted();
      await file.write(chunk);
    }
  }
  options.signal?.throwIfAborted();
  await file.commit();
  return file.bytes;
}

/** What a path stands for. */
interface WriteTarget {
  readonly target: string;
  readonly isFile: boolean;
  /** Who may read and write the file that is there. */
  readonly mode?: number;
}

/** Finds the kind of a path. If it cannot be examined, or that is not allowed, it is treated as a file. */
async function targetOf(path: string): Promise<WriteTarget> {
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return { target: path, isFile: true };
  try {
    const { isFile, isDirectory, mode } = await Deno.stat(path);
    if (!isFile && !isDirectory) return { target: path, isFile: false };
    const { isSymlink } = await Deno.lstat(path);
    const target = isSymlink ? await Deno.realPath(path) : path;
    return isFile && mode !== null ? { target, isFile, mode: mode & 0o777 } : { target, isFile: true };
  } catch {
    return { target: await followDangling(path), isFile: true };
  }
}

/** Maximum number of symbolic links that lead to an output, as on Linux. */
const MAX_LINKS = 40;

/** Follows a symbolic link whose target does not exist: the target will be created, and the link stays. */
async function followDangling(path: string): Promise<string> {
  const { dirname, resolve } = await import("node:path");
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    const next = await Deno.readLink(target).catch(() => undefined);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  return path;
}

/** Creates a new file that its owner may open by name, with the given mode for others. */
function openNew(path: string, mode: number | undefined): Promise<Deno.FsFile> {
  return Deno.open(path, { write: true, createNew: true, ...mode !== undefined && { mode: mode | 0o600 } });
}

/** Temporary files of one target: the process that writes one, and eight random digits. */
const LEFTOVER = /^[0-9]+\.[0-9a-f]{8}\.part$/;
/** Age after which a temporary file is abandoned where locks do not work. */
const ABANDONED_MS = 24 * 3_600_000;

/** Opens a new temporary file and locks it: that tells others that its owner lives. */
async function openOwned(
  newName: () => string,
  mode: number | undefined,
): Promise<{ readonly file: Deno.FsFile; readonly path: string }> {
  for (;;) {
    const path = newName();
    const file = await openNew(path, mode);
    // Windows keeps locked bytes from every other handle, polars' own among them.
    const isLocked = Deno.build.os === "windows" || await file.tryLock(true).catch(() => true);
    // Another process may have taken it for a leftover before it was locked.
    if (isLocked && await Deno.lstat(path).then(() => true, (cause) => !(cause instanceof Deno.errors.NotFound))) {
      return { file, path };
    }
    file.close();
  }
}

/** Removes temporary files of the same target whose owners were killed: their locks are free. */
async function removeLeftovers(
  folder: string,
  { prefix, own, join }: {
    readonly prefix: string;
    readonly own: string;
    readonly join: (...parts: string[]) => string;
  },
): Promise<void> {
  try {
    let areLocksKept: boolean | undefined;
    for await (const { name, isFile } of Deno.readDir(folder)) {
      const path = join(folder, name);
      if (!isFile || path === own || !name.startsWith(prefix) || !LEFTOVER.test(name.slice(prefix.length))) continue;
      areLocksKept ??= !await canLock(own);
      const { mtime } = await Deno.lstat(path);
      const isAbandoned = Date.now() - (mtime?.getTime() ?? Date.now()) > ABANDONED_MS;
      const remove = async () => {
        await Deno.remove(path);
        reportLeftover(path);
      };
      if (areLocksKept) await canLock(path, remove);
      else if (isAbandoned) await remove();
    }
  } catch {
    // The folder may not be listed, or another process was faster: a leftover costs space and nothing else.
  }
}

/** Whether a file's lock is free; does some work while it is held. */
async function canLock(path: string, work?: () => Promise<void>): Promise<boolean> {
  using file = await Deno.open(path, { read: true, write: true });
  const isFree = await file.tryLock(true);
  if (isFree) await work?.();
  return isFree;
}

/** Opens a device or a pipe; opening a pipe waits for a reader, possibly forever. */
async function openReadPipe(path: string, signal: AbortSignal | undefined): Promise<Deno.FsFile> {
  const opened = opening(path, () => Deno.open(path, { write: true }));
  try {
    return await unlessAborted(opened, signal);
  } catch (error) {
    opened.then((file) => file.close(), () => {});
    throw error;
  }
}

async function opening<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    throw diskError(cause, { action: `write ${path}` });
  }
}
