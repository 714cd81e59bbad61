/** A folder that is written atomically; one that holds something already is replaced only if it is a former result. */
import { join, resolve, sep } from "node:path";
import { RegistryError } from "../../errors.ts";
import { diskError } from "./disk_error.ts";
import { refuseAddress } from "./refuse_address.ts";
import { createStagingFolder, type StagingFolder } from "./staging_folder.ts";
import { systemCode } from "./system_code.ts";
import { isRecord } from "../../options/is_record.ts";

/**
 * Writes a folder of files, which replaces a former result of the same operation. What proves one is its
 * `OPERATION.json`, which names its files and their sizes: if anything else is there, the folder stays as it is.
 *
 * @param options Name of the operation, and paths of files and folders that are read meanwhile.
 * @throws {RegistryError} With code `disk` if the folder has other contents, or holds what is read, or cannot be
 * written.
 */
export async function writeResultFolder(
  folder: string,
  { operation, reads, about = {} }: {
    readonly operation: string;
    readonly reads: readonly (string | undefined)[];
    readonly about?: Readonly<Record<string, unknown>>;
  },
  write: (path: string) => Promise<void>,
): Promise<void> {
  const manifest = `${operation}.json`;
  refuseAddress(folder);
  await refuseRead(folder, reads);
  await onDisk(folder, async () => {
    const target = await freeTarget(folder, manifest);
    await Deno.mkdir(resolve(target, ".."), { recursive: true });
    await using staging = await createStagingFolder(target);
    await write(staging.path);
    const files = await sizesIn(staging.path);
    const text = JSON.stringify({ operation, ...about, files: Object.fromEntries(files) }, null, 2);
    await Deno.writeTextFile(join(staging.path, manifest), `${text}\n`);
    await staging.replace();
  });
}

/** Rejects a folder that is, or holds, what is read. @throws {RegistryError} With code `disk`. */
export async function refuseRead(folder: string, reads: readonly (string | undefined)[]): Promise<void> {
  const real = (path: string) => Deno.realPath(path).catch(() => resolve(path));
  const target = await real(folder);
  for (const path of reads) {
    if (path === undefined) continue;
    const source = await real(path);
    if (source !== target && !source.startsWith(target + sep)) continue;
    throw refusal(folder, source === target ? "it is what is read" : `it holds ${path}, which is read`);
  }
}

/** The names in a folder with their sizes, by name; -1 for folders and links. */
async function sizesIn(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    sizes.set(name, isFile ? (await Deno.stat(join(folder, name))).size : -1);
  }
  return new Map([...sizes].sort());
}

/** What is in a folder and is not a file of the result that its manifest describes. */
async function foreignName(folder: string, manifest: string | undefined): Promise<string | undefined> {
  const sizes = await sizesIn(folder);
  const files = manifest === undefined ? {} : await readFiles(join(folder, manifest));
  const isFormer = Object.keys(files).length > 0;
  const isOurs = (name: string, size: number) => size !== -1 && isFormer && (name === manifest || files[name] === size);
  return [...sizes].find(([name, size]) => !isOurs(name, size))?.[0];
}

async function readFiles(manifest: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const about: unknown = JSON.parse(await Deno.readTextFile(manifest));
    return isRecord(about) && isRecord(about.files) ? about.files : {};
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof Deno.errors.NotFound) return {};
    throw cause;
  }
}

/**
 * Begins a folder.
 *
 * @param folder Its final name: absent, or an empty folder, which stays until it is replaced.
 * @throws {RegistryError} With code `disk` if the target is anything else, or its parent cannot be written.
 */
export async function createWholeFolder(folder: string): Promise<StagingFolder> {
  return await onDisk(folder, async () => await createStagingFolder(await freeTarget(folder)));
}

/** Does a part of the writing. @throws {RegistryError} With code `disk` if the system refuses it. */
export async function onDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // What was read, or the caller's own code, may have failed too: no folder would mend that.
    if (cause instanceof RegistryError || systemCode(cause) === undefined) throw cause;
    const next = "check the folder that it goes into, and the space that is left there";
    throw diskError(cause, { action: `write ${folder}`, next });
  }
}

/** Where the folder goes: where it leads to, if it is a link. With a manifest it may be a former result. */
async function freeTarget(folder: string, manifest?: string): Promise<string> {
  let target: string;
  try {
    target = await Deno.realPath(resolve(folder));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    if (await Deno.readLink(folder).catch(() => undefined) === undefined) return resolve(folder);
    throw refusal(folder, "it is a link to a folder that does not exist; name that folder");
  }
  if (!(await Deno.stat(target)).isDirectory) {
    throw refusal(folder, "a file has that name; name another folder");
  }
  const foreign = await foreignName(target, manifest);
  if (foreign !== undefined) {
    const what = manifest === undefined ? "files already" : `${foreign}, which no former result explains`;
    throw refusal(folder, `it holds ${what}; name another folder, or remove it`);
  }
  if (target === await Deno.realPath(".")) {
    throw refusal(folder, "it is the folder that the program runs in, which cannot be replaced; name a folder in it");
  }
  return target;
}

function refusal(folder: string, why: string): RegistryError {
  return new RegistryError("disk", `Cannot write ${folder}: ${why}`);
}
