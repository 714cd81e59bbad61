/** The sixteen files of a folder as they lie there, before anything is read of the archives themselves. */
import { ChecksumFileError, findChecksum, sha256Of } from "@seqreg/core/io/digest";
import { join, resolve } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { ARCHIVE_IDS, archiveFiles, type ArchiveId, MIRROR_LOCK_FILE } from "@seqreg/core/contract/datasets";
import type { Naming } from "@seqreg/core/contract";
import { INDEX_VERSION } from "../index/mod.ts";

export interface SetFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface SetArchive extends SetFile {
  readonly id: ArchiveId;
  /** When it was last written to, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly checksum: SetFile;
  readonly checksumContent: Uint8Array;
  /** Stated SHA-256 of the archive. */
  readonly statedSha256: string;
  /** SHA-256 of the checksum file itself. */
  readonly checksumSha256: string;
}

/** Identity of the archives, independent of their version: an import of a newer version replaces older ones. */
export interface FolderOrigin {
  /** The folder, as it was named, from the root. */
  readonly source: string;
  /** Digest of what the deployment calls things: imports of one folder under two namings stand side by side. */
  readonly namingSha256: string;
}

export interface ArchiveSet extends FolderOrigin {
  /** The eight archives, by identifier. */
  readonly archives: Readonly<Record<ArchiveId, SetArchive>>;
  /** Text of `definitions.json`; `undefined` if missing. */
  readonly definitionsText: string | undefined;
  /** Names an import of exactly these files: it changes with a checksum file, a size, a time or the definitions. */
  readonly key: string;
  /**
   * Names these very files: it changes with the key, with copies of the same content and time, and while new versions
   * are written next to the files under names that contain theirs.
   */
  readonly stamp: string;
  /** Whether a mirror is being written to the folder, or was killed. */
  readonly isMirrored: boolean;
}

/** Name of the file with the definitions of the archives' fields. */
export const DEFINITIONS_FILE = "definitions.json";

/** Raised when what an import builds, or how, changes: older imports are then not used. */
const IMPORT_FORMAT = 5;

const MAX_CHECKSUM_BYTES = 65_536;
const MAX_DEFINITIONS_BYTES = 16 << 20;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

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
  const stamp: unknown[] = [];
  const archives: Partial<Record<ArchiveId, SetArchive>> = {};
  for (const { id, archive, checksum } of names) {
    const { size, mtime, ctime, dev, ino } = stats.get(archive)!;
    const checksumContent = await readSmall(join(folder, checksum), checksum, MAX_CHECKSUM_BYTES);
    const text = decoder.decode(checksumContent);
    const writtenAt = mtime?.getTime() ?? 0;
    key.push(`${archive}\n${size}\n${writtenAt}\n${text.length}\n${text}\n`);
    stamp.push(dev, ino, ctime?.getTime());
    archives[id] = {
      id,
      name: archive,
      path: join(folder, archive),
      bytes: size,
      writtenAt,
      checksum: { name: checksum, path: join(folder, checksum), bytes: checksumContent.length },
      checksumContent,
      statedSha256: statedDigest(text, archive, checksum),
      checksumSha256: sha256Of(checksumContent),
    };
  }
  const definitionsText = await readDefinitionsText(folder);
  key.push(definitionsText === undefined ? "derived" : `given\n${definitionsText}`);
  const digest = sha256Of(key.join("")).slice(0, 32);
  return {
    source: resolve(named),
    namingSha256: sha256Of(JSON.stringify(naming)),
    archives: archives as Readonly<Record<ArchiveId, SetArchive>>,
    definitionsText,
    key: digest,
    stamp: [digest, ...stamp, ...await listUnfinished(folder, names.map(({ archive }) => archive))].join("\n"),
    isMirrored: await statIfThere(join(folder, MIRROR_LOCK_FILE)) !== undefined,
  };
}

/** Names and sizes of files that will take the names of archives, such as those that rsync writes. */
async function listUnfinished(folder: string, archives: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!archives.some((archive) => name !== archive && name.includes(archive))) continue;
    const info = await statIfThere(join(folder, name));
    if (info !== undefined) found.push(`${name} ${info.size} ${info.mtime?.getTime()}`);
  }
  return found.sort();
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

async function readSmall(path: string, name: string, maxBytes: number): Promise<Uint8Array> {
  const info = await Deno.stat(path);
  if (info.size > maxBytes) {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot read ${name}: it has ${info.size} bytes, expected at most ${maxBytes}`,
    );
  }
  return await Deno.readFile(path);
}

async function readDefinitionsText(folder: string): Promise<string | undefined> {
  try {
    const content = await readSmall(join(folder, DEFINITIONS_FILE), DEFINITIONS_FILE, MAX_DEFINITIONS_BYTES);
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    if (cause instanceof TypeError) {
      throw new RegistryError(
        "not-an-archive-set",
        `Cannot read ${DEFINITIONS_FILE}: it is not UTF-8; save it as UTF-8, or remove it`,
        { cause },
      );
    }
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
