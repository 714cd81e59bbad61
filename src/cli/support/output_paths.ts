/** Where a command may write: not over what it reads, nor over another of its results. Loaded if it writes a file. */
import { basename, dirname, join, resolve, sep } from "node:path";
import { isFolder, isThere } from "@seqreg/core/io/files/is_there";
import { refuseAddress } from "@seqreg/core/io/files/refuse_address";
import { isObjectAddress } from "@seqreg/core/io/objects/object_address";
import type { NamedPath } from "../arguments/named_paths.ts";
import { type OptionSpec, readGiven, UsageError } from "./command.ts";

/**
 * Rejects an option that writes a file or a folder if its path is also an input or another result, in any spelling or
 * through a link. A device or a pipe may be used for several. A ledger cannot be written to the program's own streams.
 *
 * @param paths The paths of the command line, results and inputs.
 * @throws {UsageError} If two paths are one file or folder, a file is a folder or a part of a folder that is read, a
 * folder holds what is read, or a ledger's path is a stream.
 */
export async function checkOutputPaths(paths: readonly NamedPath[]): Promise<void> {
  const isLedger = ({ what }: { readonly what: string }) => what === "--ledger";
  const ledger = paths.find(isLedger)?.path;
  if (ledger !== undefined && (ledger === "-" || /^\/dev\/(stdin|stdout|stderr|fd\/[0-9]+)$/.test(ledger))) {
    throw new UsageError(
      `Cannot write the ledger to ${ledger}: standard output is for results, and standard error cannot be opened by ` +
        "name; use a file, as in --ledger ledger.json",
    );
  }
  const files: GivenPath[] = [];
  for (const { path, what, writes } of paths) {
    if (path === "-") continue;
    // Commands that write a folder tell whether it may be in an object store.
    if (writes === true || writes !== false && !isObjectAddress(path)) readGiven(() => refuseAddress(path));
    if (isObjectAddress(path)) continue;
    if (writes === true) {
      checkCompression(path, what);
      await checkIsNoFolder(path, what);
    }
    files.push({ what, writes, ...await locate(path), given: path });
  }
  // A ledger comes last among what is written: it is named as the one to change.
  for (const file of [...files.filter(isLedger), ...files.filter((file) => file.writes && !isLedger(file))]) {
    for (const other of files) {
      if (other === file || !isSame(file, other)) continue;
      const kind = file.writes === true ? "file" : "folder";
      throw new UsageError(
        `Cannot write ${isLedger(file) ? "the ledger " : ""}to ${JSON.stringify(file.given)}: ${other.what} already ` +
          `uses this ${kind}; choose another ${kind} for ${file.what}`,
      );
    }
    for (const folder of files) {
      if (file.writes === "folder" && !folder.writes && folder.path.startsWith(file.path + sep)) {
        throw new UsageError(
          `Cannot write to ${JSON.stringify(file.given)}: it holds ${JSON.stringify(folder.given)}, which is read; ` +
            `choose another folder for ${file.what}`,
        );
      }
      if (folder.writes || !await isPartOf(file, folder)) continue;
      throw new UsageError(
        `Cannot write to ${JSON.stringify(file.given)}: it is a part of ${JSON.stringify(folder.given)}, which is ` +
          `read; choose a place elsewhere for ${file.what}`,
      );
    }
  }
}

interface GivenPath extends Location {
  readonly given: string;
  /** The argument or option. */
  readonly what: string;
  readonly writes: OptionSpec["writes"];
}

/** Names of files that archive sets, lakes, indexes, sketches and FASTA in Parquet consist of. */
const OWN_FILE = /^(?:definitions|manifest|index|fasta|sketch)\.json$|\.(?:sha256|gz|zst|parquet|raw|fai|gzi|bin)$/;

/** Whether a file is, or would become, one of those that a folder of data consists of. */
async function isPartOf({ path }: Location, folder: Location): Promise<boolean> {
  if (!folder.isFolder || !path.startsWith(folder.path + sep)) return false;
  if (OWN_FILE.test(basename(path)) && await isThere(path)) return true;
  const parent = dirname(path);
  if (parent === folder.path) return false;
  // Whatever is in the folder of a table is read as rows of it.
  const names = await Array.fromAsync(Deno.readDir(parent), ({ name }) => name).catch((): string[] => []);
  return names.some((name) => name.endsWith(".parquet"));
}

/** Options whose files are compressed by their names. */
const COMPRESSED = ["--output", "--sequences"];

/** Rejects a name that promises a compression which is not written. */
function checkCompression(path: string, what: string): void {
  if (/\.gz$/i.test(path) && !COMPRESSED.includes(what)) {
    throw new UsageError(
      `Cannot write to ${JSON.stringify(path)}: ${what} writes plain text; end the name without .gz`,
    );
  }
  if (!/\.(?:zst|bz2|xz|zip)$/i.test(path)) return;
  throw new UsageError(
    `Cannot write to ${JSON.stringify(path)}: results are compressed with gzip alone; end the name with .gz, or name ` +
      "a file that is not compressed",
  );
}

/** Rejects a folder, or a path that ends like one, as the file to be written. */
async function checkIsNoFolder(path: string, what: string): Promise<void> {
  const endsLikeOne = path.endsWith("/") || path.endsWith(sep);
  if (!endsLikeOne && !await isFolder(path)) return;
  throw new UsageError(
    `Cannot write to ${JSON.stringify(path)}: it is a folder; name a file in it, as in ${what} ` +
      JSON.stringify(join(path, "FILE")),
  );
}

interface Location {
  readonly path: string;
  /** Device and inode; absent if the file does not exist or may not be read. */
  readonly identity?: string;
  readonly isDevice: boolean;
  readonly isFolder?: boolean;
}

function isSame(a: Location, b: Location): boolean {
  if (a.isDevice || b.isDevice) return false;
  return a.path === b.path || a.identity !== undefined && a.identity === b.identity;
}

/** Maximum length of a chain of links, as on Linux. */
const MOST_LINKS = 40;

async function locate(given: string, links = 0): Promise<Location> {
  const path = resolve(given);
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return { path, isDevice: false };
  try {
    const { isFile, isDirectory, dev, ino } = await Deno.stat(path);
    const identity = ino === null ? undefined : `${dev}:${ino}`;
    const isDevice = !isFile && !isDirectory;
    return { path: await Deno.realPath(path), identity, isDevice, isFolder: isDirectory };
  } catch {
    // The target of a dangling link will exist when the output is written.
    const target = links < MOST_LINKS ? await Deno.readLink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return await locate(resolve(dirname(path), target), links + 1);
    return { path: join(await realFolder(dirname(path)), path.slice(dirname(path).length)), isDevice: false };
  }
}

/** A missing file is identified by its folder. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await Deno.realPath(folder);
  } catch {
    return folder;
  }
}
