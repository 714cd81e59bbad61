/**
 * Folders that are written atomically: filled under a temporary name, then renamed.
 *
 * The temporary name is `.NAME.HOST.PROCESS.RANDOM.part`, so that no two processes share one, and what a killed
 * process left can be recognised and removed.
 */
import { basename, dirname, join } from "node:path";
import { pause } from "../tasks/pause.ts";
import { reportLeftover } from "./leftovers.ts";

/** A folder that is being filled. Leaving its scope removes everything that has not been renamed. */
export interface StagingFolder extends AsyncDisposable {
  /** Path while it is filled. */
  readonly path: string;
  /** Removes everything in it. */
  clear(): Promise<void>;
  /** Renames it to its final name, which is absent or an empty folder. @throws As Deno does. */
  rename(): Promise<void>;
  /**
   * Renames it to its final name; a folder of that name is removed. Readers that have its files open keep them. Of
   * several writers the last one wins.
   *
   * @throws As Deno does.
   */
  replace(): Promise<void>;
  /** Leaves everything in it when its scope ends, for {@linkcode resumeStagingFolder}. */
  keep(): void;
}

/**
 * Makes an empty folder that will get its final name when everything is in it.
 *
 * @param parent Where the temporary folder is: on the same disk. The parent of the final path by default.
 * @throws As Deno does, if the folder cannot be made.
 */
export async function createStagingFolder(target: string, parent: string = dirname(target)): Promise<StagingFolder> {
  for (;;) {
    const path = join(parent, stagingName(target));
    await Deno.mkdir(path);
    let lock = await lockFolder(path);
    // Another one that looks for leftovers may hold the lock for a moment.
    for (let look = 1; lock === "taken" && look < MAX_LOOKS; look++) {
      await pause(LOOK_MS);
      lock = await lockFolder(path);
    }
    const held = lock === "taken" ? undefined : lock;
    // It took the folder for a leftover if it came before the lock.
    if (!await isThere(path)) {
      held?.close();
      continue;
    }
    // The parent may not be listed, or another process was faster: a leftover costs space and nothing else.
    await sweepStaging(target, { parent, own: path }).catch(() => {});
    return stagingAt(path, target, held);
  }
}

/**
 * Opens the folder `.NAME.part` next to the final path, with what an earlier process kept there. For one process at a
 * time: the caller has a lock.
 *
 * @throws As Deno does, if the folder cannot be made.
 */
export async function resumeStagingFolder(target: string): Promise<StagingFolder> {
  const path = join(dirname(target), `.${basename(target)}.part`);
  await Deno.mkdir(path, { recursive: true });
  return stagingAt(path, target);
}

/** Times that the lock of a new folder is asked for, and milliseconds between them. */
const MAX_LOOKS = 200;
const LOOK_MS = 5;

/** Locks a folder; `undefined` on systems that open no folders, or have no locks. */
async function lockFolder(path: string): Promise<Deno.FsFile | "taken" | undefined> {
  let folder: Deno.FsFile | undefined;
  try {
    folder = await Deno.open(path, { read: true });
    if (await folder.tryLock(true)) return folder;
    folder.close();
    return "taken";
  } catch {
    // Without a lock, the age of a folder tells whether it is in use.
    folder?.close();
    return undefined;
  }
}

/** Whether this process keeps the lock of its own folder from others. */
async function keepsLock(own: string): Promise<boolean> {
  const lock = await lockFolder(own);
  if (lock === "taken") return true;
  lock?.close();
  return false;
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

function stagingAt(path: string, target: string, lock?: Deno.FsFile): StagingFolder {
  let isKept = false;
  let held = lock;
  return {
    path,
    async clear() {
      // The folder itself stays, with its lock.
      for (const { name } of await Array.fromAsync(Deno.readDir(path))) {
        await Deno.remove(join(path, name), { recursive: true });
      }
    },
    async rename() {
      // On Windows an empty folder of that name is in the way.
      if (Deno.build.os === "windows") await Deno.remove(target).catch(() => {});
      await Deno.rename(path, target);
    },
    replace: () => replaceFolder(path, target),
    keep() {
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      held?.close();
      held = undefined;
      if (!isKept) await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

/** Returns a temporary name for a path that no other process uses. */
export function stagingName(target: string): string {
  const random = crypto.randomUUID().slice(0, 8);
  return `.${basename(target) || "folder"}.${hostName()}.${Deno.pid}.${random}.part`;
}

export function isStagingName(name: string): boolean {
  return /^\..+\.[0-9]+\.[0-9a-f]{8}\.part(?:\.old)?$/.test(name);
}

/** Characters of the host's name; empty without `--allow-sys`. */
function hostName(): string {
  const isKnown = Deno.permissions.querySync({ name: "sys", kind: "hostname" }).state === "granted";
  return isKnown ? Deno.hostname().replace(/[^A-Za-z0-9-]/g, "") : "";
}

const STALE_MS = 24 * 3_600_000;
/** A process may be invisible and alive: nothing was written for this long, either. */
const GONE_MS = 60_000;

/** Where leftovers of a target are looked for. */
export interface SweepStagingOptions {
  /** Where the temporary folders are; the parent of the final path by default. */
  readonly parent?: string;
  /** This process's own temporary folder, which stays, and by whose lock is found out whether locks work. */
  readonly own?: string;
}

/**
 * Removes temporary folders of a target that a killed process left: those that no process has locked. Where locks do
 * not work, those of this host whose process does not exist, and those that have not been written to for a day.
 */
export async function sweepStaging(
  target: string,
  { parent = dirname(target), own }: SweepStagingOptions = {},
): Promise<void> {
  const prefix = `.${basename(target)}.`;
  const areLocksKept = own !== undefined && await keepsLock(own);
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(prefix) || !isStagingName(name)) continue;
    const [host, pid] = name.slice(prefix.length).split(".");
    const path = join(parent, name);
    if (path === own) continue;
    const idleMs = Date.now() - await lastWritten(path);
    // The lock is kept while the folder is removed: who has just made it waits, and makes another.
    const lock = areLocksKept && name.endsWith(".part") ? await lockFolder(path) : undefined;
    // Its owner lives, however long ago it wrote, and in whatever container.
    if (lock === "taken") continue;
    using unused = lock;
    const isGone = unused !== undefined ||
      host !== "" && host === hostName() && idleMs > GONE_MS && await isNoProcess(Number(pid));
    if (isGone || idleMs > STALE_MS) {
      await Deno.remove(path, { recursive: true }).then(() => reportLeftover(path), () => {});
    }
  }
}

/** Removes temporary folders of any target in a folder that have not been written to for a day, except one. */
export async function sweepStagingIn(parent: string, except: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    const path = join(parent, name);
    if (!isDirectory || !/^\..+\.part$/.test(name) || path === except) continue;
    if (Date.now() - await lastWritten(path) > STALE_MS) await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}

/** When a folder or an entry of it was last written, in milliseconds. */
async function lastWritten(folder: string): Promise<number> {
  let last = 0;
  try {
    last = (await Deno.stat(folder)).mtime?.getTime() ?? 0;
    for await (const { name } of Deno.readDir(folder)) {
      last = Math.max(last, (await Deno.stat(join(folder, name))).mtime?.getTime() ?? 0);
    }
  } catch (cause) {
    // It is being renamed.
    if (cause instanceof Deno.errors.NotFound) return Date.now();
    throw cause;
  }
  return last;
}

/** Only Linux shows processes as files, and only with `--allow-all`; elsewhere a day has to pass. */
async function isNoProcess(pid: number): Promise<boolean> {
  if (Deno.build.os !== "linux" || !Number.isInteger(pid)) return false;
  return await Deno.stat(`/proc/${pid}`).then(() => false, (cause) => cause instanceof Deno.errors.NotFound);
}

/** Maximum attempts to take a name while other processes take it, too. */
const MAX_ATTEMPTS = 20;

/**
 * Renames a folder; one that has the new name already is removed, or the symbolic link to it. Readers that have its
 * files open keep them. Of several writers the last one wins.
 *
 * @throws As Deno does.
 */
export async function replaceFolder(path: string, target: string): Promise<void> {
  const old = `${path}.old`;
  for (let attempt = 1;; attempt++) {
    const hadOne = await Deno.rename(target, old).then(() => true, () => false);
    try {
      await Deno.rename(path, target);
    } catch (error) {
      // Another process was faster: the folder that was there is put back unless there is a new one by now.
      if (hadOne) {
        await Deno.rename(old, target).catch(() => Deno.remove(old, { recursive: true })).catch(() => {});
      }
      if (attempt === MAX_ATTEMPTS) throw error;
      continue;
    }
    // What cannot be removed yet, such as files that are open on NFS, is removed by a later sweep.
    if (hadOne) await Deno.remove(old, { recursive: true }).catch(() => {});
    return;
  }
}
