/** Archive sets that the toolkit makes itself: made once, kept in the cache. */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { sha256Of } from "@seqreg/core/io/digest";
import { datasetFileNames } from "@seqreg/core/contract/datasets";
import { type Naming, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { DEFINITIONS_FILE, MANIFEST_FILE } from "./write_archives.ts";

/**
 * Makes an archive set unless the folder holds a whole one.
 *
 * Several processes may ask at once: each makes its own, the first to end gives the folder its name, the others use it.
 *
 * @throws {RegistryError} With code `disk` if the cache cannot be written.
 */
export async function keepArchives(
  folder: string,
  { naming, signal, make }: {
    readonly naming: Naming;
    readonly signal: AbortSignal | undefined;
    make(): Promise<unknown>;
  },
): Promise<void> {
  if (await isWhole(folder, naming)) return;
  try {
    await make();
  } catch (error) {
    signal?.throwIfAborted();
    if (await isWhole(folder, naming)) return;
    if (!(error instanceof RegistryError) || error.code !== "disk") throw error;
    // The user did not choose this folder: name the setting that does.
    throw new RegistryError("disk", `${error.message} (SEQREG_CACHE names the cache)`, { cause: error });
  }
}

async function isWhole(folder: string, naming: Naming): Promise<boolean> {
  try {
    for (const name of [...datasetFileNames(naming), DEFINITIONS_FILE, MANIFEST_FILE]) {
      await Deno.lstat(join(folder, name));
    }
    return true;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return false;
    throw cause;
  }
}

/** What a folder's name ends in when the naming is not the specification's: the start of a digest. */
export function namingSuffix(naming: Naming): string {
  const text = spellings(naming);
  return text === spellings(SPECIFICATION_NAMING) ? "" : `-${sha256Of(text).slice(0, 12)}`;
}

function spellings(naming: Naming): string {
  return JSON.stringify([naming.accessionField, naming.accessionAlias, naming.accessionsKey, datasetFileNames(naming)]);
}
