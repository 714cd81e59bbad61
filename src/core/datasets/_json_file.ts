/** Small JSON files written by the toolkit, which may be missing, truncated or edited. */
import { basename, dirname, join } from "node:path";
import { isRecord } from "../options/is_record.ts";

/** Suffix of unfinished files; one this old belongs to a process that was killed. */
const UNFINISHED = /\.json\.\d+\.[0-9a-f]{8}$/;
const UNFINISHED_MS = 10 * 60_000;

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads an object; `undefined` if the file is missing, unreadable or not an object. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes an object atomically, if possible: a shared cache may be read-only and is still valid. It is not synced to
 * disk: after a crash an archive is only hashed again.
 */
export async function tryWriteJsonObject(path: string, value: object): Promise<void> {
  const temporaryPath = `${path}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await Deno.writeTextFile(temporaryPath, JSON.stringify(value, null, 2) + "\n");
    await Deno.rename(temporaryPath, path);
    await removeUnfinished(dirname(path));
  } catch {
    await Deno.remove(temporaryPath).catch(() => {});
  }
}

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(basename(name));
}

/** Removes unfinished files of killed processes from a folder. */
export async function removeUnfinished(folder: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !isUnfinished(name)) continue;
      const path = join(folder, name);
      const { mtime } = await Deno.lstat(path);
      if (Date.now() - (mtime?.getTime() ?? 0) > UNFINISHED_MS) await Deno.remove(path);
    }
  } catch {
    // The folder is missing or not writable, or another process removed the file first.
  }
}

/** Returns whether a value is a digest as we write it. */
export function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
