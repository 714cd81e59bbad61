/** Pages that take long to make, kept from one build to the next while what they are made of stays the same. */
import { dirname, join } from "node:path";
import { listFiles } from "../packages/toolkit/source_files.ts";

export interface Kept {
  /** Folder of this kind of pages; only its latest state is kept. */
  readonly folder: string;
  /** Digest of everything that the pages are made of. */
  readonly digest: string;
}

/**
 * Copies pages into a folder, and makes them first unless they are kept.
 *
 * @param make Writes the pages into the folder that it gets.
 */
export async function writeKept(
  pages: string,
  { folder, digest }: Kept,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const kept = join(folder, digest);
  if (!await isFolder(kept)) {
    await Deno.remove(folder, { recursive: true }).catch(ignoreAbsent);
    const partial = join(folder, ".partial");
    await Deno.mkdir(partial, { recursive: true });
    await make(partial);
    await Deno.rename(partial, kept);
  }
  for (const path of await listFiles(kept, "")) {
    await Deno.mkdir(dirname(join(pages, path)), { recursive: true });
    await Deno.copyFile(join(kept, path), join(pages, path));
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isDirectory, () => false);
}

function ignoreAbsent(cause: unknown): void {
  if (!(cause instanceof Deno.errors.NotFound)) throw cause;
}
