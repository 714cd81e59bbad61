/** The sixteen files of a folder as they lie there, before anything is read of the archives themselves. */
import { ChecksumFileError, findChecksum, sha256Of } from "@seqreg/core/io/digest";
import { join, resolve } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId } from "@seqreg/core/contract/datasets";
import type { Naming } from "@seqreg/core/contract";
import { INDEX_VERSION } from "../index/mod.ts";

/** A file of the set. */
export interface SetFile {
  /** File name. */
  readonly name: string;
  /** Path. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** An archive, and what its checksum file states. */
export interface SetArchive extends SetFile {
  /** Which archive. */
  readonly id: ArchiveId;
  /** Its checksum file. */
  readonly checksum: SetFile;
  /** Stated SHA-256 of the archive. */
  readonly statedSha256: string;
  /** SHA-256 of the checksum file itself. */
  readonly checksumSha256: string;
}

/**
 * Identity of the archives, independent of their version: an import of a newer version replaces older ones.
 */
export interface ArchiveOrigin {
  /** The folder, as it was named, from the root. */
  readonly source: string;
  /** Digest of what the deployment calls things: imports of one folder under two namings stand side by side. */
  readonly namingSha256: string;
}

/** A folder of archives. */
export interface ArchiveSet extends ArchiveOrigin {
  /** The eight archives, by identifier. */
  readonly archives: Readonly<Record<ArchiveId, SetArchive>>;
  /** Text of `definitions.json`; `undefined` if missing. */
  readonly definitionsText: string | undefined;
  /** Names an import of exactly these files: it changes with a checksum file, a size, a time or the definitions. */
  readonly key: string;
}

/** Name of the file with the definitions of the archives' fields. */
export const DEFINITIONS_FILE = "definitions.json";

/** Raised when what an import builds, or how, changes: older imports are then not used. */
const IMPORT_FORMAT = 5;

const MAX_CHECKSUM_BYTES = 65_536;
const MAX_DEFINITIONS_BYTES = 16 << 20;

/**
 * Looks for the sixteen files.
 *
 * @throws {RegistryError} With code `not-an-archive-set` if the folder or a file is missing, or a checksum file is
 * invalid.
 */
export async function inspectArchiveSet(named: string, naming: Naming): Promise<ArchiveSet> {
  // A link that is led to a newer folder leaves the files of this one as they are.
  const folder = await Deno.realPath(named).catch(() => named);
  const names = ARCHIVE_IDS.map((id) => archiveFiles(id, naming));
  const stats = new Map<string, Deno.FileInfo>();
  const missing: string[] = [];
  for (const name of names.flatMap(({ archive, checksum }) => [archive, checksum])) {
    const info = await statIfThere(join(folder, name));
    if (info?.isFile) stats.set(name, info);
    else missing.push(name);
  }
  if (missing.length > 0) throw await missingError(folder, missing);
  const key = [`${IMPORT_FORMAT}.${INDEX_VERSION}\n${JSON.stringify(naming)}\n`];
  const archives: Partial<Record<ArchiveId, SetArchive>> = {};
  for (const { id, archive, checksum } of names) {
    const info = stats.get(archive)!;
    const text = await readSmall(join(folder, checksum), checksum, MAX_CHECKSUM_BYTES);
    key.push(`${archive}\n${info.size}\n${info.mtime?.getTime() ?? 0}\n${text.length}\n${text}\n`);
    archives[id] = {
      id,
      name: archive,
      path: join(folder, archive),
      bytes: info.size,
      checksum: { name: checksum, path: join(folder, checksum), bytes: stats.get(checksum)!.size },
      statedSha256: statedDigest(text, archive, checksum),
      checksumSha256: sha256Of(text),
    };
  }
  const definitionsText = await readDefinitionsText(folder);
  key.push(definitionsText === undefined ? "derived" : `given\n${definitionsText}`);
  return {
    source: resolve(named),
    namingSha256: sha256Of(JSON.stringify(naming)),
    archives: archives as Readonly<Record<ArchiveId, SetArchive>>,
    definitionsText,
    key: sha256Of(key.join("")).slice(0, 32),
  };
}

async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return undefined;
    if (!(cause instanceof Deno.errors.PermissionDenied)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: permission denied; check its owner and mode`, { cause });
  }
}

async function missingError(folder: string, missing: readonly string[]): Promise<RegistryError> {
  const info = await statIfThere(folder);
  const advice = `"seqreg sample", "seqreg pack" and "seqreg mirror" write such a folder`;
  if (!info?.isDirectory) {
    const what = info === undefined ? "the folder does not exist" : "it is a file, expected a folder";
    return new RegistryError("not-an-archive-set", `Cannot open the archives in ${folder}: ${what}; ${advice}`);
  }
  const shown = missing.slice(0, 4).join(", ") + (missing.length > 4 ? ` and ${missing.length - 4} more` : "");
  return new RegistryError(
    "not-an-archive-set",
    `Cannot open the archives in ${folder}: ${missing.length} of the sixteen files are missing (${shown}); ${advice}. ` +
      `If a deployment spells the names otherwise, give its naming`,
  );
}

async function readSmall(path: string, name: string, maxBytes: number): Promise<string> {
  const info = await Deno.stat(path);
  if (info.size > maxBytes) {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot read ${name}: it has ${info.size} bytes, expected at most ${maxBytes}`,
    );
  }
  return await Deno.readTextFile(path);
}

async function readDefinitionsText(folder: string): Promise<string | undefined> {
  try {
    return await readSmall(join(folder, DEFINITIONS_FILE), DEFINITIONS_FILE, MAX_DEFINITIONS_BYTES);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  }
}

/**
 * Reads a checksum file as `sha256sum --check` does; any other name than the archive's is refused, wherever it points.
 */
function statedDigest(text: string, archive: string, checksum: string): string {
  try {
    return findChecksum(text, archive).sha256;
  } catch (cause) {
    if (!(cause instanceof ChecksumFileError)) throw cause;
    const why = cause.message.replace("the checksum file", checksum);
    throw new RegistryError("not-an-archive-set", `${why}; fetch it again`, { cause });
  }
}
