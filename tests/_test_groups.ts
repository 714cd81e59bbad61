/**
 * Files of tests in groups: Deno gives each file that it is told of a thread of its own, which loads all that the file
 * imports anew. A file that imports several loads the toolkit once for all of them.
 */
import { walk } from "./_files.ts";
import { pathToFileURL } from "node:url";

/** Files in one group, at most: more leave the cores unevenly busy, fewer load the toolkit more often. */
const MOST_FILES = 12;

/**
 * Writes a module for each group of the files that some paths stand for; returns the paths of the modules.
 *
 * @param jobs Groups that run at once: there are as many at least, if there are as many files.
 */
export async function writeGroups(paths: readonly string[], folder: string, jobs: number): Promise<string[]> {
  const urls = (await Promise.all(paths.map(filesOf))).flat();
  const size = Math.min(MOST_FILES, Math.ceil(urls.length / jobs));
  const count = Math.ceil(urls.length / size);
  return await Promise.all(Array.from({ length: count }, async (_, index) => {
    const group = urls.slice(index * size, (index + 1) * size);
    const path = `${folder}/group_${index + 1}_test.ts`;
    await Deno.writeTextFile(path, group.map((url) => `import ${JSON.stringify(url.href)};\n`).join(""));
    return path;
  }));
}

/** Files of tests that a path stands for: itself, or those in a folder. */
async function filesOf(path: string): Promise<URL[]> {
  const url = pathToFileURL(await Deno.realPath(path));
  return (await Deno.stat(path)).isDirectory ? await walk(new URL(`${url.href}/`), "_test.ts") : [url];
}
