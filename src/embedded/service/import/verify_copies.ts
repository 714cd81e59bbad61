/** Whether the copies of archives in a cache are still as they were written. */
import { join } from "node:path";
import { sha256 } from "@seqreg/core/io/digest";
import { isRecord } from "@seqreg/core/options/is_record";
import { readSummedJson } from "./import_manifest.ts";
import { COPIES_FILE, COPIES_ROOM } from "./import_use.ts";
import { type ImportVerdict, type VerifyImportsOptions, verifyRoom } from "./verify_imports.ts";

/**
 * Compares every copy in the cache with the SHA-256 that the checksum file of its archive stated. Damaged copies stay
 * where they are: they are made again from the archives when they are used next.
 *
 * @returns A verdict for the copies of each release, by name; none when nothing was copied.
 */
export async function verifyCopies(
  options: VerifyImportsOptions & { readonly cacheFolder: string },
): Promise<ImportVerdict[]> {
  return await verifyRoom(COPIES_ROOM, options, async (folder) => {
    const bad = await findDamaged(folder, options.signal);
    return bad && `${bad} is not as written; the archives are copied again at the next use`;
  });
}

/** Path of the first file that is not as it was written; empty if all are. */
async function findDamaged(folder: string, signal: AbortSignal | undefined): Promise<string> {
  const stated = await readSummedJson(join(folder, COPIES_FILE));
  if (!isRecord(stated?.sums)) return join(folder, COPIES_FILE);
  for (const [name, sum] of Object.entries(stated.sums)) {
    const path = join(folder, name);
    const isThere = await Deno.stat(path).then(({ isFile }) => isFile, () => false);
    if (!isThere || await sha256(path, { signal }) !== sum) return path;
  }
  return "";
}
