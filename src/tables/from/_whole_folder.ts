/** A folder that appears whole or not at all. */
import { basename, dirname, join, resolve } from "node:path";
import { RegistryError } from "../../errors.ts";

/** A folder in the making. */
export interface WholeFolder {
  /** Where it is while it is made. */
  readonly temporary: string;
  /** Gives it its final name. */
  commit(): Promise<void>;
  /** Removes what is there of it; the final name stays as it was. */
  discard(): Promise<void>;
}

/**
 * Begins a folder.
 *
 * @param folder Its final name: absent, or an empty folder, which stays until it is replaced.
 * @throws {RegistryError} With code `disk` if there is anything else, or nothing can be written beside it.
 */
export async function createWholeFolder(folder: string): Promise<WholeFolder> {
  const target = await onDisk(folder, () => freeTarget(folder));
  const temporary = join(dirname(target), `.${basename(target)}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
  await onDisk(folder, () => Deno.mkdir(temporary));
  return {
    temporary,
    async commit() {
      await onDisk(folder, async () => {
        // Elsewhere an empty folder is replaced in one step.
        if (Deno.build.os === "windows") await Deno.remove(target).catch(() => {});
        await Deno.rename(temporary, target);
      });
    },
    async discard() {
      await Deno.remove(temporary, { recursive: true }).catch(() => {});
    },
  };
}

/**
 * Does a piece of the writing.
 *
 * @throws {RegistryError} With code `disk` for whatever the disk has against it.
 */
export async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refusal(folder, `${why}; check the folder that it goes into, and the space that is left there`, cause);
  }
}

/** Where the folder goes: where it leads to, if it is a link. */
async function freeTarget(folder: string): Promise<string> {
  let target: string;
  try {
    target = await Deno.realPath(resolve(folder));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return resolve(folder);
    throw error;
  }
  if (!(await Deno.stat(target)).isDirectory) {
    throw refusal(folder, "there is a file of that name; name another folder");
  }
  for await (const _ of Deno.readDir(target)) {
    throw refusal(folder, "it holds files already; name another folder, or remove it");
  }
  if (target === await Deno.realPath(".")) {
    throw refusal(folder, "it is the folder that the program runs in, which cannot be replaced; name a folder in it");
  }
  return target;
}

function refusal(folder: string, why: string, cause?: unknown): RegistryError {
  return new RegistryError("disk", `Cannot write ${folder}: ${why}`, { cause });
}
