/**
 * The eight dataset archives and their checksum files: sixteen names, and nothing else.
 *
 * An archive has an identifier that is the same under every {@linkcode Naming}; its file names depend on the
 * deployment.
 */
import { ARCHIVE_IDS, type ArchiveId } from "./archive_ids.ts";
import { nearest } from "../options/nearest.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "./naming.ts";
import { checkArgument } from "../options/check_options.ts";
import { oneOf, required } from "../options/rules.ts";

export { ARCHIVE_IDS, type ArchiveId };

/** The two files of one archive. */
export interface ArchiveFiles {
  /** The archive. */
  readonly id: ArchiveId;
  /** File name of the gzip-compressed CSV. */
  readonly archive: string;
  /** File name of its checksum file. */
  readonly checksum: string;
}

/**
 * Names the two files of an archive.
 *
 * @param id The archive.
 * @param naming The spellings of the deployment; the specification's by default.
 * @returns Both file names.
 * @see Specification 4.1, the allowed file names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { archiveFiles } from "./datasets.ts";
 *
 * assertEquals(archiveFiles("full_dataset_metadata").checksum, "registryv1_full_dataset_metadata.sha256");
 * ```
 */
export function archiveFiles(id: ArchiveId, naming: Naming = SPECIFICATION_NAMING): ArchiveFiles {
  checkArgument("archiveFiles()", "id", id, ARCHIVE_ID);
  checkArgument("archiveFiles()", "naming", naming, NAMING_RULE);
  const stem = naming.archiveStems[id];
  return { id, archive: `${stem}.csv.gz`, checksum: `${stem}.sha256` };
}

/**
 * Lists the sixteen file names that a registry serves: eight archives, each with its checksum file.
 *
 * @see Specification 4.1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { datasetFileNames } from "./datasets.ts";
 *
 * assertEquals(datasetFileNames().length, 16);
 * ```
 */
export function datasetFileNames(naming: Naming = SPECIFICATION_NAMING): string[] {
  return ARCHIVE_IDS.flatMap((id) => {
    const { archive, checksum } = archiveFiles(id, naming);
    return [archive, checksum];
  });
}

/**
 * Finds an archive by its file name, its stem, or the stem without the prefix.
 *
 * @param name The name.
 * @param naming The spellings of the deployment.
 * @returns The archive.
 * @throws {RangeError} If it is not one of the eight; the message includes the nearest name, or the archive of a
 * checksum file.
 * @see Specification 4.1. The short forms are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findArchive } from "./datasets.ts";
 *
 * assertEquals(findArchive("registryv1_unique_seqs_sequence.csv.gz"), "unique_seqs_sequence");
 * assertEquals(findArchive("unique_seqs_sequence"), "unique_seqs_sequence");
 * ```
 */
export function findArchive(name: string, naming: Naming = SPECIFICATION_NAMING): ArchiveId {
  for (const id of ARCHIVE_IDS) {
    const { archive } = archiveFiles(id, naming);
    if (name === archive || name === naming.archiveStems[id] || name === id) return id;
  }
  const checksum = ARCHIVE_IDS.find((id) => archiveFiles(id, naming).checksum === name);
  if (checksum !== undefined) {
    throw new RangeError(
      `Cannot get the dataset ${JSON.stringify(name)}: it is a checksum file, which is fetched with its archive; ` +
        `ask for "${checksum}"`,
    );
  }
  throw new RangeError(
    `Cannot get the dataset ${JSON.stringify(name)}: it is not one of the eight archives; ` +
      `did you mean "${nearest(name, ARCHIVE_IDS)}"? All: ${ARCHIVE_IDS.join(", ")}`,
  );
}

/** Name of the file in a folder of archives that is there while a mirror writes to it, or when it was killed. */
export const MIRROR_LOCK_FILE = ".mirror.lock";

const ARCHIVE_ID = required(oneOf(ARCHIVE_IDS));
