/** A disk that is soon full. */
import { type Needs, succeeds } from "./_needs.ts";

/** The right to mount a small disk in memory. */
export function needsSmallDisk(): Needs {
  const folder = Deno.makeTempDirSync();
  try {
    const isMounted = succeeds(mountOf(folder, 4));
    if (isMounted) succeeds(["umount", folder]);
    return { "the right to mount a small tmpfs": isMounted };
  } finally {
    Deno.removeSync(folder);
  }
}

/** Runs work in a folder of its own on a disk of some KiB, where {@linkcode needsSmallDisk} is met. */
export async function onSmallDisk(kibibytes: number, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    if (!succeeds(mountOf(folder, kibibytes))) throw new Error(`a tmpfs of ${kibibytes} KiB cannot be mounted`);
    try {
      await work(folder);
    } finally {
      succeeds(["umount", folder]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function mountOf(folder: string, kibibytes: number): readonly string[] {
  return ["mount", "-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", folder];
}
