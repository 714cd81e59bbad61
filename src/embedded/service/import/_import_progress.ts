/** How far an import has come, in bytes of the archives; building the index counts as reading the metadata again. */
import { ARCHIVE_IDS } from "@seqreg/core/contract/datasets";
import type { OnProgress } from "@seqreg/core/io/tasks";
import type { ArchiveSet, SetArchive } from "./archive_set.ts";

export interface ImportProgress {
  /** Makes the callback that reports an archive's bytes as they are read. */
  reading(archive: SetArchive): (bytes: number) => void;
  /** Counts an archive that was read before. */
  skip(archive: SetArchive): void;
  /** Counts steps of the building of the index. */
  index(done: number, total: number): void;
  finish(): void;
}

/** Starts to tell; `derives` when the metadata are read once more, for the definitions. */
export function startImportProgress(
  set: ArchiveSet,
  derives: boolean,
  onProgress: OnProgress | undefined,
): ImportProgress {
  const metadataBytes = set.archives.full_dataset_metadata.bytes;
  const archiveBytes = ARCHIVE_IDS.reduce((sum, id) => sum + set.archives[id].bytes, 0);
  const total = archiveBytes + metadataBytes * (derives ? 2 : 1);
  let read = 0;
  let indexed = 0;
  let task = "";
  const tell = () => onProgress?.({ task, done: read + indexed, total, unit: "bytes" });
  return {
    reading: (archive) => (bytes) => {
      read += bytes;
      task = `importing ${archive.name}`;
      tell();
    },
    skip(archive) {
      read += archive.bytes;
    },
    index(done, steps) {
      const now = steps === 0 ? metadataBytes : Math.floor(metadataBytes * Math.min(1, done / steps));
      indexed = Math.max(indexed, now);
      task = "indexing the records";
      tell();
    },
    finish: () => onProgress?.({ task: "importing the archives", done: total, total, unit: "bytes", finished: true }),
  };
}
