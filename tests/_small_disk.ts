/** A disk that is full soon. */

/**
 * Runs work in a folder of its own on a disk of some KiB. Where none can be mounted, says that `name` was not run.
 *
 * @param kibibytes Size of the disk.
 * @param name What is not run.
 */
export async function onSmallDisk(
  kibibytes: number,
  name: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const mount = await new Deno.Command("mount", {
      args: ["-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", folder],
      stderr: "null",
    }).output().catch(() => undefined);
    if (!mount?.success) return console.log(`not run: ${name} (cannot mount a small tmpfs)`);
    try {
      await work(folder);
    } finally {
      await new Deno.Command("umount", { args: [folder] }).output();
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
