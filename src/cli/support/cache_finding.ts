/** What `seqreg doctor` reports about the cache: path, size, and whether it is writable. */
import { dirname, join } from "node:path";
import { diskReason } from "@seqreg/core/io/files";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { isThere } from "@seqreg/core/io/files/is_there";
import { formatBytes } from "./ledger.ts";

/** One finding: the subject, its state, and advice if something is missing. */
export interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly advice?: string;
  /** Whether what every command needs does not work. */
  readonly isProblem?: boolean;
}

/** Checks the cache folder. A file that is created and removed shows whether it is writable. */
export async function findCache(env: (name: string) => string | undefined, signal: AbortSignal): Promise<Finding> {
  const subject = "cache";
  let folder: string;
  try {
    folder = cacheFolder(env);
  } catch (cause) {
    return { subject, state: diskReason(cause), isProblem: true };
  }
  try {
    const bytes = await sizeOf(folder, signal);
    const state = `${folder}, ${bytes === undefined ? "not made yet" : formatBytes(bytes)}`;
    const why = await whyNotWritable(folder);
    if (why === undefined) return { subject, state };
    const what = bytes === undefined ? `${folder}, cannot be made` : `${state}, cannot be written`;
    return { subject, state: `${what} (${why}): every search and download fails`, advice: ADVICE, isProblem: true };
  } catch (cause) {
    signal.throwIfAborted();
    return { subject, state: `${folder}, cannot be read (${diskReason(cause)})`, advice: ADVICE, isProblem: true };
  }
}

const ADVICE = "set SEQREG_CACHE to a folder that you can write to";

async function sizeOf(folder: string, signal: AbortSignal): Promise<number | undefined> {
  let bytes = 0;
  try {
    for await (const entry of Deno.readDir(folder)) {
      signal.throwIfAborted();
      const path = join(folder, entry.name);
      if (entry.isDirectory) bytes += await sizeOf(path, signal) ?? 0;
      else if (entry.isFile) bytes += (await Deno.lstat(path)).size;
    }
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  }
  return bytes;
}

/** A missing folder is made in the nearest one above it that is there. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  const { state } = await Deno.permissions.query({ name: "write", path: folder });
  if (state !== "granted") return `without --allow-write=${folder}`;
  let parent = folder;
  while (dirname(parent) !== parent && !await isThere(parent)) parent = dirname(parent);
  try {
    await Deno.remove(await Deno.makeTempDir({ dir: parent, prefix: ".doctor-" }));
    return undefined;
  } catch (cause) {
    // A system that makes no folder where one is says that it is not found.
    return cause instanceof Deno.errors.NotFound ? `no folder can be made in ${parent}` : diskReason(cause);
  }
}
