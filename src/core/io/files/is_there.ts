/** What is at a path: nothing, where it leads nowhere or must not be read. */

/** Whether a path leads to anything. */
export async function isThere(path: string | URL): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Whether a path leads to a file. */
export async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isFile, () => false);
}

/** Whether a path leads to a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isDirectory, () => false);
}
