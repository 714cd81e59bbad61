/**
 * Folders that are replaced atomically.
 *
 * Files are written into a hidden folder first. If the target does not exist, that folder is renamed to it; otherwise
 * its files are moved one by one, archives first and checksum files last, so that after a crash in between the
 * checksums reject the mixed archives.
 */
import { dirname, join } from "node:path";
import { createStagingFolder, diskError, isStagingName, type StagingFolder } from "@seqreg/core/io/files";
import { RegistryError } from "@seqreg/core/errors";
import { listSome } from "@seqreg/core/contract/ledger";

/** What may stand in the target already. */
export interface TargetRules {
  /** Names that make a folder an archive set when all of them are there. */
  readonly archiveNames: readonly string[];
  /** Further names that are ours. Those not written this time are removed. */
  readonly besides: readonly string[];
  readonly signal?: AbortSignal;
}

/** Writes files by `work` into a staging folder, then gives them to the target folder. */
export async function fillFolder<T>(
  folder: string,
  rules: TargetRules,
  work: (staging: string) => Promise<T>,
): Promise<T> {
  const exists = await checkTarget(folder, rules);
  const made = exists ? [] : await makeParents(folder);
  let done = false;
  try {
    await using staging = await ask(folder, () => createStagingFolder(folder, exists ? folder : dirname(folder)));
    const result = await work(staging.path);
    rules.signal?.throwIfAborted();
    if (exists) await moveFiles(staging.path, folder, rules);
    else await takeName(staging, folder);
    done = true;
    return result;
  } finally {
    if (!done) { for (const parent of made.reverse()) await Deno.remove(parent).catch(() => {}); }
  }
}

/** Renames a staging folder to its target, which another process may have created meanwhile. */
async function takeName(staging: StagingFolder, folder: string): Promise<void> {
  try {
    await staging.rename();
  } catch (cause) {
    if (!(await isThere(folder))) throw writeError(folder, cause);
    throw new RegistryError(
      "disk",
      `Cannot write archives into ${folder}: another process made it in the meantime, and it was left as it is; ` +
        "run this again alone, which replaces an archive set there, or choose another folder",
      { cause },
    );
  }
}

/** Rejects a target that is not a folder, or has files and is not an archive set; returns whether it exists. */
export async function checkTarget(folder: string, { archiveNames, besides }: TargetRules): Promise<boolean> {
  if (folder === "") throw new TypeError("Cannot write archives: the folder's name is empty");
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) names.push(entry.name);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return false;
    throw writeError(folder, cause);
  }
  const foreign = names.filter((name) => !isStagingName(name)).sort();
  const present = new Set(names);
  const known = new Set([...archiveNames, ...besides]);
  // Some of the names alone, such as downloaded archives or definitions, are the caller's; the manifest, which is
  // written last, shows that they were a set of this toolkit.
  const wasWhole = foreign.every((name) => known.has(name)) && besides.every((name) => present.has(name));
  if (foreign.length > 0 && !wasWhole && !archiveNames.every((name) => present.has(name))) {
    throw new RegistryError(
      "disk",
      `Cannot write archives into ${folder}: it has files (${listSome(foreign, 3)}) and is not an archive set; ` +
        "choose a new or an empty folder",
    );
  }
  return true;
}

async function makeParents(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let parent = dirname(folder); !(await isThere(parent)); parent = dirname(parent)) missing.unshift(parent);
  const made: string[] = [];
  for (const parent of missing) {
    await ask(folder, () => Deno.mkdir(parent, { recursive: true }));
    made.push(parent);
  }
  return made;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return path === dirname(path);
    throw writeError(path, cause);
  }
}

async function moveFiles(staging: string, folder: string, { besides }: TargetRules): Promise<void> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(staging)) names.push(entry.name);
  const isChecksum = (name: string) => name.endsWith(".sha256");
  const move = async (some: readonly string[]) => {
    for (const name of some) await Deno.rename(join(staging, name), join(folder, name));
  };
  await ask(folder, async () => {
    await move(names.filter((name) => !besides.includes(name) && !isChecksum(name)));
    // The old checksum files reject the archives now: definitions never describe those of another set.
    for (const name of besides) {
      if (names.includes(name)) await move([name]);
      else await Deno.remove(join(folder, name)).catch(ignoreAbsent);
    }
    await move(names.filter(isChecksum));
  });
}

function ignoreAbsent(cause: unknown): void {
  if (!(cause instanceof Deno.errors.NotFound)) throw cause;
}

async function ask<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw writeError(folder, cause);
  }
}

function writeError(folder: string, cause: unknown): RegistryError {
  return diskError(cause, { action: `write archives into ${folder}` });
}
