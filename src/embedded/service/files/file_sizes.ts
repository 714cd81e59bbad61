/** Sizes of files: what was written whole has the size that was noted. */
import { join } from "node:path";

/** Whether files are there, each of its size. */
export async function areWhole(folder: string, sizes: Readonly<Record<string, number>>): Promise<boolean> {
  try {
    const infos = await Promise.all(Object.keys(sizes).map((name) => Deno.stat(join(folder, name))));
    return Object.values(sizes).every((bytes, at) => infos[at].size === bytes);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return false;
    throw cause;
  }
}

/** Sizes of the files in a folder whose names begin in one of these ways. */
export async function sizesIn(folder: string, beginnings: readonly string[]): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for await (const { name } of Deno.readDir(folder)) {
    if (!beginnings.some((beginning) => name.startsWith(beginning))) continue;
    sizes[name] = (await Deno.stat(join(folder, name))).size;
  }
  return sizes;
}
