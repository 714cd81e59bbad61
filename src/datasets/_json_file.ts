/** Small JSON files of our own making, which may be absent, cut short or edited by anyone. */

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads an object; `undefined` when the file is absent, unreadable or something else. */
export async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse(await Deno.readTextFile(path));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes an object where that is possible, whole or not at all: a shared cache may be read-only, and what is in it counts
 * all the same. Nobody waits for the disk: what a crash loses is time, as an archive is then hashed again.
 */
export async function tryWriteJsonObject(path: string, value: object): Promise<void> {
  const temporaryPath = `${path}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await Deno.writeTextFile(temporaryPath, JSON.stringify(value, null, 2) + "\n");
    await Deno.rename(temporaryPath, path);
  } catch {
    await Deno.remove(temporaryPath).catch(() => {});
  }
}

/** Tells whether a value is an object with members. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells whether a value is a digest as we write it. */
export function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
