/** The sixteen files of a folder, held: they can be sent when the folder has others by now. */
import { RegistryError } from "@seqreg/core/errors";
import { diskError, systemCode } from "@seqreg/core/io/files";
import { ARCHIVE_IDS } from "@seqreg/core/contract/datasets";
import { HeldFile } from "../files/held_file.ts";
import type { ArchiveReading, StoredArchive } from "../store/store.ts";
import type { ArchiveSet, SetArchive } from "./archive_set.ts";

/** The sixteen files, held until this is disposed of. */
export interface HeldArchives extends Disposable {
  readonly files: ReadonlyMap<string, StoredArchive>;
  /**
   * Checks after an import that what it has read by name is what is held.
   *
   * @throws {RegistryError} With code `damaged` if an archive was overwritten meanwhile.
   */
  checkImported(): Promise<void>;
  /**
   * Checks the digest of each archive.
   *
   * @throws {RegistryError} With code `damaged` if one has another.
   */
  verify(): Promise<void>;
}

/**
 * Opens the archives that were looked at, or copies of them, and keeps the checksum files in memory.
 *
 * @throws {RegistryError} With code `not-an-archive-set` if they are no longer those that were looked at.
 */
export async function holdArchives(
  { archives }: ArchiveSet,
  copies: ArchiveSet["archives"] = archives,
): Promise<HeldArchives> {
  using holding = new DisposableStack();
  const held: HeldFile[] = [];
  const files = new Map<string, StoredArchive>();
  for (const id of ARCHIVE_IDS) {
    const archive = archives[id];
    const { checksum, checksumContent: content, checksumSha256 } = archive;
    const file = holding.use(await holdFile(copies[id]));
    held.push(file);
    files.set(archive.name, storedFile(archive, file));
    files.set(checksum.name, {
      ...checksum,
      sha256: checksumSha256,
      open: () => Promise.resolve(readContent(content)),
    });
  }
  const kept = holding.move();
  return {
    files,
    async checkImported() {
      for (const file of held) await (await file.isAt(file.path) ? file.check() : file.verify());
    },
    async verify() {
      for (const file of held) await file.verify();
    },
    [Symbol.dispose]: () => kept.dispose(),
  };
}

async function holdFile({ name, path, bytes, writtenAt, statedSha256 }: SetArchive): Promise<HeldFile> {
  let file: HeldFile;
  try {
    file = await HeldFile.open(path, statedSha256);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) throw replacedError(name);
    if (systemCode(cause) === undefined) throw cause;
    throw diskError(cause, { action: `open ${path}`, next: "check its owner and mode, and the limit of open files" });
  }
  if (file.bytes === bytes && file.writtenAt === writtenAt) return file;
  file[Symbol.dispose]();
  throw replacedError(name);
}

/** The error of an archive that is not the file that was looked at. */
export function replacedError(name: string): RegistryError {
  return new RegistryError(
    "not-an-archive-set",
    `Cannot open ${name}: it was replaced just now; open the folder again when nobody writes to it`,
  );
}

function storedFile({ name, path, bytes, statedSha256: sha256 }: SetArchive, file: HeldFile): StoredArchive {
  return {
    name,
    path,
    bytes,
    sha256,
    async open() {
      await file.check();
      return { read: (into, position) => file.read(into, position), [Symbol.dispose]: () => {} };
    },
  };
}

function readContent(content: Uint8Array): ArchiveReading {
  return {
    read(into, position) {
      const part = content.subarray(position, position + into.length);
      into.set(part);
      return Promise.resolve(part.length);
    },
    [Symbol.dispose]: () => {},
  };
}
