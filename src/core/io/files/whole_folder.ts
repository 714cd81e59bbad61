/** A new folder that is written atomically; a folder that holds something already is never replaced. */
import { resolve } from "node:path";
import { RegistryError } from "../../errors.ts";
import { diskError } from "./disk_error.ts";
import { createStagingFolder, type StagingFolder } from "./staging_folder.ts";

/**
 * Begins a folder.
 *
 * @param folder Its final name: absent, or an empty folder, which stays until it is replaced.
 * @throws {RegistryError} With code `disk` if the target is anything else, or its parent cannot be written.
 */
export async function createWholeFolder(folder: string): Promise<StagingFolder> {
  return await onDisk(folder, async () => await createStagingFolder(await freeTarget(folder)));
}

/** Does a part of the writing. @throws {RegistryError} With code `disk` if it fails. */
export async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    const next = "check the folder that it goes into, and the space that is left there";
    throw diskError(cause, { action: `write ${folder}`, next });
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
    throw refusal(folder, "a file has that name; name another folder");
  }
  for await (const _ of Deno.readDir(target)) {
    throw refusal(folder, "it holds files already; name another folder, or remove it");
  }
  if (target === await Deno.realPath(".")) {
    throw refusal(folder, "it is the folder that the program runs in, which cannot be replaced; name a folder in it");
  }
  return target;
}

function refusal(folder: string, why: string): RegistryError {
  return new RegistryError("disk", `Cannot write ${folder}: ${why}`);
}
