/** Small JSON files of our own making, which may be absent, cut short or edited by anyone. */
import { basename, dirname, join } from "node:path";
import { isRecord } from "../contract/options/is_record.ts";

/** What a file is called until it is whole; one this old belongs to a process that was killed. */
const UNFINISHED = /\.json\.\d+\.[0-9a-f]{8}$/;
const UNFINISHED_MS = 10 * 60_000;

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads an object; `undefined` when the file is absent, unreadable or something else. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes an object where that is possible, whole or not at all: a shared cache may be read-only, and what is in it
 * counts all the same. Nobody waits for the disk: what a crash loses is time, as an archive is then hashed again.
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

/** Tells whether a name is one of a file that is not whole yet. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(basename(name));
}

/** Removes from a folder what killed processes began to write and nobody will end. */
export async function removeUnfinished(folder: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile || !isUnfinished(name)) continue;
      const path = join(folder, name);
      const { mtime } = await Deno.lstat(path);
      if (Date.now() - (mtime?.getTime() ?? 0) > UNFINISHED_MS) await Deno.remove(path);
    }
  } catch {
    // The folder is absent or not ours to change, or another process removed the file first.
  }
}

/** Tells whether a value is a digest as we write it. */
export function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
