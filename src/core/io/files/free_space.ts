/** How much a disk can still take. */
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Asks how many bytes this user may still write below a folder.
 *
 * @param folder A folder; where it does not exist yet, the nearest one above it is asked.
 * @returns Bytes; `undefined` where the platform does not tell, or without `--allow-sys`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { freeBytes } from "./free_space.ts";
 *
 * const bytes = await freeBytes(".");
 *
 * assert(bytes === undefined || bytes >= 0);
 * ```
 */
export async function freeBytes(folder: string): Promise<number | undefined> {
  for (let place = resolve(folder);; place = dirname(place)) {
    try {
      const { bavail, bsize } = await statfs(place);
      return bavail * bsize;
    } catch (cause) {
      const absent = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
      if (!absent || dirname(place) === place) return undefined;
    }
  }
}
