/** What is at a path: nothing, where it leads nowhere or must not be read. */

export async function isThere(path: string | URL): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

export async function isFile(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isFile, () => false);
}

export async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then((info) => info.isDirectory, () => false);
}
