/** Folders of tables that appear whole or not at all, and what became of those that did not. */
import { join } from "node:path";
import { RegistryError } from "../../../errors.ts";

/** Makes a folder. @throws {RegistryError} With code `disk` if that cannot be. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (cause) {
    throw diskError(folder, cause, "make the folder");
  }
}

/** Whether an error, of whatever engine, says that a disk cannot be written. */
export function isDiskFault(error: unknown): boolean {
  if (error instanceof Deno.errors.PermissionDenied) return true;
  return error instanceof Error && !(error instanceof RegistryError) &&
    WORDS.some(([words]) => words.test(error.message));
}

/** What engines and systems say, and what that means. */
const WORDS: readonly (readonly [said: RegExp, meaning: string])[] = [
  [/No space left|os error 28\b|ENOSPC|disk (?:is )?full/i, "the disk is full; free some space"],
  [/Disk quota exceeded|os error 122\b|EDQUOT/i, "the disk quota is used up; free some space"],
  [/File too large|os error 27\b|EFBIG/i, "files of that size are not allowed there; choose another folder"],
  [/Read-only file system|os error 30\b|EROFS/i, "it can only be read; choose another folder"],
  [/Permission denied|os error 13\b|EACCES/i, "permission denied; choose another folder"],
  [
    /Not a directory|os error 20\b|ENOTDIR|File exists|os error 17\b/i,
    "there is a file of that name; choose another folder",
  ],
];

/** Says in words what keeps a folder from being written. */
export function diskError(folder: string, cause: unknown, action = "write to"): RegistryError {
  const said = cause instanceof Error ? `${cause.name} ${cause.message}` : String(cause);
  const meaning = cause instanceof Deno.errors.PermissionDenied
    ? "permission denied; choose another folder"
    : WORDS.find(([words]) => words.test(said))?.[1] ??
      `${said.replace(/ \(os error \d+\).*$/, "")}; choose another folder`;
  return new RegistryError("disk", `Cannot ${action} ${folder}: ${meaning}`, { cause });
}

/** Name of the folder in which a table is written. */
export function temporaryFolder(lake: string, table: string): string {
  return join(lake, `.${table}.${hostName()}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
}

/** Characters of the host's name; empty where it may not be known. */
function hostName(): string {
  const isKnown = Deno.permissions.querySync({ name: "sys", kind: "hostname" }).state === "granted";
  return isKnown ? Deno.hostname().replace(/[^A-Za-z0-9-]/g, "") : "";
}

const STALE_MS = 24 * 3_600_000;
/** A process that is gone may have been seen wrongly: nothing was written for this long, too. */
const GONE_MS = 60_000;

/**
 * Removes folders of a table that a killed process left: of this host and without a process of that number, or
 * untouched for a day.
 */
export async function sweepStale(lake: string, table: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(lake)) {
    if (!isDirectory || !name.startsWith(`.${table}.`) || !/\.part(?:\.old)?$/.test(name)) continue;
    const [host, pid] = name.slice(table.length + 2).split(".");
    const path = join(lake, name);
    const idleMs = Date.now() - await lastWritten(path);
    const isGone = host !== "" && host === hostName() && idleMs > GONE_MS && await isNoProcess(Number(pid));
    if (isGone || idleMs > STALE_MS) await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}

async function lastWritten(folder: string): Promise<number> {
  let last = 0;
  try {
    last = (await Deno.stat(folder)).mtime?.getTime() ?? 0;
    for await (const { name } of Deno.readDir(folder)) {
      last = Math.max(last, (await Deno.stat(join(folder, name))).mtime?.getTime() ?? 0);
    }
  } catch (cause) {
    // It is just being put in place.
    if (cause instanceof Deno.errors.NotFound) return Date.now();
    throw cause;
  }
  return last;
}

/** Only Linux shows its processes as files, and to those alone who may do everything; elsewhere a day has to pass. */
async function isNoProcess(pid: number): Promise<boolean> {
  if (Deno.build.os !== "linux" || !Number.isInteger(pid)) return false;
  return await Deno.stat(`/proc/${pid}`).then(() => false, (cause) => cause instanceof Deno.errors.NotFound);
}

/** Times that a table is put in place when other processes put theirs there at the same moment. */
const PLACE_TRIES = 20;

/** An older table makes way; a reader that has its files open keeps them. Of several writers the last one stays. */
export async function putInPlace(temporary: string, folder: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    const old = `${temporary}.old`;
    const hadOne = await Deno.rename(folder, old).then(() => true, () => false);
    try {
      await Deno.rename(temporary, folder);
      if (hadOne) await Deno.remove(old, { recursive: true });
      return;
    } catch (error) {
      // Another process was quicker: its table, or the one before, is put back unless a third is there by now.
      if (hadOne) {
        await Deno.rename(old, folder).catch(() => Deno.remove(old, { recursive: true })).catch(() => {});
      }
      if (attempt === PLACE_TRIES) throw error;
    }
  }
}
