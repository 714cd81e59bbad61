/** Returns whether two paths lead to one file. */

/**
 * Returns whether two paths lead to one file, through symbolic links or by another spelling. A path that leads to
 * nothing, or to what must not be read, leads to no file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isSameFile } from "./is_same_file.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/a`, "");
 *
 * assertEquals(await isSameFile(`${folder}/a`, `${folder}/./a`), true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => Deno.realPath(path).catch(() => undefined)));
  return one !== undefined && one === other;
}
