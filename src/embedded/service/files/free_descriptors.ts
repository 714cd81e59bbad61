/** How many more files this process may open. */

/** So many were free once: counting takes some 40 ms, and the limit of a process stays. */
let known = 0;

/**
 * Counts the files that this process can open beyond those that it has open, by opening them.
 *
 * @param most Number from which it does not matter how many more there are; once they were free they are not counted
 * again.
 * @returns `most` where the system has no such limit, or the process may not read.
 */
export function countFreeDescriptors(most: number): number {
  const path = "/dev/null";
  if (Deno.build.os === "windows" || Deno.permissions.querySync({ name: "read", path }).state !== "granted") {
    return most;
  }
  if (most <= known) return most;
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < most) files.push(Deno.openSync(path));
    known = most;
  } catch {
    // The limit is reached.
  } finally {
    for (const file of files) file.close();
  }
  return files.length;
}

/** Free files from which a registry keeps all of its own open, and has threads. */
const MANY = 256;

let hasMany: boolean | undefined;

/** Finds out whether this process can open many files: once, before a server accepts connections. */
export function lookForDescriptors(): void {
  hasMany ??= countFreeDescriptors(MANY) === MANY;
}

/** Whether this process can open many files; `false` where nobody looked. */
export function hasManyDescriptors(): boolean {
  return hasMany ?? false;
}
