/**
 * Folders that are written atomically: filled under a temporary name, then renamed.
 *
 * The temporary name is `.NAME.HOST.PROCESS.RANDOM.part`, so that no two processes share one, and what a killed
 * process left can be recognised and removed.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";

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
 * @param target The final path.
 * @param parent Where the temporary folder is: on the same disk. The parent of the final path by default.
 * @throws As Deno does, if the folder cannot be made.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createStagingFolder } from "./staging_folder.ts";
 *
 * const folder = await Deno.makeTempDir();
 * {
 *   await using staging = await createStagingFolder(`${folder}/table`);
 *   await Deno.writeTextFile(`${staging.path}/a`, "");
 *   await staging.rename();
 * }
 *
 * assertEquals(Array.from(Deno.readDirSync(folder), ({ name }) => name), ["table"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function createStagingFolder(target: string, parent: string = dirname(target)): Promise<StagingFolder> {
  const path = join(parent, stagingName(target));
  await Deno.mkdir(path);
  return stagingAt(path, target);
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

function stagingAt(path: string, target: string): StagingFolder {
  let isKept = false;
  return {
    path,
    async clear() {
      await Deno.remove(path, { recursive: true });
      await Deno.mkdir(path);
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
      if (!isKept) await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

/** Returns a temporary name for a path that no other process uses. */
export function stagingName(target: string): string {
  const random = crypto.randomUUID().slice(0, 8);
  return `.${basename(target) || "folder"}.${hostName()}.${Deno.pid}.${random}.part`;
}

/** Whether a name is that of a temporary folder. */
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

/**
 * Removes temporary folders of a target that a killed process left: those of this host whose process does not exist,
 * and those that have not been written to for a day.
 */
export async function sweepStaging(target: string): Promise<void> {
  const [parent, prefix] = [dirname(target), `.${basename(target)}.`];
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(prefix) || !isStagingName(name)) continue;
    const [host, pid] = name.slice(prefix.length).split(".");
    const path = join(parent, name);
    const idleMs = Date.now() - await lastWritten(path);
    const isGone = host !== "" && host === hostName() && idleMs > GONE_MS && await isNoProcess(Number(pid));
    if (isGone || idleMs > STALE_MS) await Deno.remove(path, { recursive: true }).catch(() => {});
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

/** When a folder or a file in it was last written, in milliseconds. */
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

async function replaceFolder(path: string, target: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    const old = `${path}.old`;
    const hadOne = await Deno.rename(target, old).then(() => true, () => false);
    try {
      await Deno.rename(path, target);
      if (hadOne) await Deno.remove(old, { recursive: true });
      return;
    } catch (error) {
      // Another process was faster: the folder that was there is put back unless there is a new one by now.
      if (hadOne) {
        await Deno.rename(old, target).catch(() => Deno.remove(old, { recursive: true })).catch(() => {});
      }
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
