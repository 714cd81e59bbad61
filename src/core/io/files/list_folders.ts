/** Lists the folders in a folder. */

/** Names of the folders in a folder, in order, without hidden ones; none where it does not exist. */
export async function listFolders(parent: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(parent)) {
      if (isDirectory && !name.startsWith(".")) names.push(name);
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return names.sort();
}
