/** Reads the eight archives once and builds what finds their records and what keeps them. */
import { asWarnings, type LedgerEntry } from "@seqreg/core/contract/ledger_entries";
import { join } from "node:path";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { ARCHIVE_IDS, type ArchiveId } from "@seqreg/core/contract/datasets";
import type { FieldDefinition, Naming } from "@seqreg/core/contract";
import type { ArchiveSet, SetArchive } from "./archive_set.ts";
import { type IndexWriter, resumeIndex } from "../index/mod.ts";
import { parseDefinitions } from "./_definitions_file.ts";
import { sha256 } from "@seqreg/core/io/digest";
import { SUMS_ENDING } from "../files/block_sums.ts";
import { sizesIn } from "../files/file_sizes.ts";
import { INDEX_FOLDER } from "./import_manifest.ts";
import { concludeNotes, type ImportNotes, openNotes } from "./_import_notes.ts";
import { findImportFields } from "./_import_fields.ts";
import { importRecords, importSequences, requireColumn, sequenceColumns } from "./_import_records.ts";
import { readArchive, type ReadArchiveOptions } from "./_read_archive.ts";

export interface ImportOptions {
  /** The deployment's own spellings. */
  readonly naming: Naming;
  /** Ends the import with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/** Archives that hold sequences; the others that are not checked for columns hold maps and measures. */
const SEQUENCE_ARCHIVES: readonly ArchiveId[] = [
  "full_dataset_sequence",
  "unique_seqs_sequence",
  "votu_clusters_sequence",
];
const METADATA_ARCHIVES: readonly ArchiveId[] = [
  "full_dataset_metadata",
  "unique_seqs_metadata",
  "votu_clusters_metadata",
];

/** Archives that are read after the metadata, in this order. */
const OTHERS = [
  "full_dataset_sequence",
  ...ARCHIVE_IDS.filter((id) => id !== "full_dataset_metadata" && id !== "full_dataset_sequence"),
] as const;

/** Size from which it is worth a note that an archive is verified. */
const NOTED_BYTES = 1 << 20;

/** What the stages of an import share. */
interface ImportWork {
  readonly set: ArchiveSet;
  readonly folder: string;
  readonly naming: Naming;
  readonly notes: ImportNotes;
  readonly progress: ImportProgress;
  readonly signal: AbortSignal | undefined;
}

/**
 * Builds an import in a folder of its own; what an earlier one of the same archives has finished there is not done
 * again.
 *
 * @throws {RegistryError} If an archive is damaged or of another kind; the folder is of no use then.
 */
export async function buildImport(set: ArchiveSet, folder: string, options: ImportOptions): Promise<void> {
  const { naming, signal, onProgress } = options;
  const given = set.definitionsText === undefined ? undefined : parseDefinitions(set.definitionsText);
  const notes = await openNotes(folder, set);
  const progress = startImportProgress(set, given === undefined, onProgress);
  const work = { set, folder, naming, notes, progress, signal };
  const resumed = await resumeRecords(work);
  await findFields(work, given);
  const index = await keepRecords(work, resumed);
  // The index is built in a thread of its own while the other archives are read.
  await allOrNone([
    (signal) => finishIndex(index, { ...work, signal }),
    (signal) => readOthers({ ...work, signal }),
  ], signal);
  await conclude(work);
  progress.finish();
}

/** Finds the fields, unless they have been found before. */
async function findFields(work: ImportWork, given: readonly FieldDefinition[] | undefined): Promise<void> {
  const { set, naming, notes, progress, signal } = work;
  const archive = set.archives.full_dataset_metadata;
  if (!notes.has("fields")) {
    const reading = { signal, onBytes: progress.reading(archive) };
    await notes.finish("fields", await findImportFields(archive, given, { naming, ...reading }));
  } else if (given === undefined) progress.skip(archive);
}

/** Notes the digests of what was built: the import is whole. */
async function conclude({ set, folder, notes }: ImportWork): Promise<void> {
  const sums: Record<string, string> = {};
  for (const name of Object.keys(notes.facts.sizes).filter((name) => name.endsWith(SUMS_ENDING))) {
    sums[name] = await sha256(join(folder, name));
  }
  await concludeNotes(folder, {
    ...notes.facts,
    sums,
    source: set.source,
    namingSha256: set.namingSha256,
  });
}

/** Runs tasks concurrently; when one fails the others are aborted, and their end is waited for. */
async function allOrNone(
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const causes: unknown[] = [];
  await Promise.all(works.map((work) =>
    work(either).catch((cause) => {
      causes.push(cause);
      stop.abort(cause);
    })
  ));
  if (causes.length > 0) throw causes[0];
}

/** Resumes the index of records that are kept; without it they are of no use, and forgotten. */
async function resumeRecords({ folder, notes }: ImportWork): Promise<IndexWriter | undefined> {
  if (!notes.has("records") || notes.has("index")) return undefined;
  const index = await resumeIndex(join(folder, INDEX_FOLDER));
  if (index?.recordCount === notes.facts.recordCount) return index;
  await notes.forget();
}

/**
 * Keeps the records, unless they have been kept before; returns the index that has taken them in, `undefined` when that
 * is finished too.
 */
async function keepRecords(
  { set, folder, naming, notes, progress, signal }: ImportWork,
  resumed: IndexWriter | undefined,
): Promise<IndexWriter | undefined> {
  const archive = set.archives.full_dataset_metadata;
  if (notes.has("records")) {
    progress.skip(archive);
    return resumed;
  }
  const indexFolder = join(folder, INDEX_FOLDER);
  await Deno.mkdir(indexFolder);
  const unusual: LedgerEntry[] = [];
  const onEntries = (entries: readonly LedgerEntry[]) => void unusual.push(...entries);
  const target = { naming, folder, indexFolder, signal, onEntries, onBytes: progress.reading(archive) };
  const index = await importRecords(archive, notes.facts.fields, target);
  const sizes = await sizesIn(folder, ["records.", "accessions."]);
  await notes.finish("records", { entries: asWarnings(unusual), recordCount: index.recordCount, sizes });
  return index;
}

/** Builds the index, unless it was built before (`undefined`). */
async function finishIndex(index: IndexWriter | undefined, { notes, progress, signal }: ImportWork): Promise<void> {
  if (index === undefined) return progress.index(1, 1);
  const { files } = await index.finish({ signal, onProgress: progress.index });
  const sizes = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${INDEX_FOLDER}/${name}`, bytes]));
  await notes.finish("index", { sizes });
  progress.index(1, 1);
}

/** Keeps the sequences, and verifies the archives that are served as they are. */
async function readOthers({ set, folder, naming, notes, progress, signal }: ImportWork): Promise<void> {
  const { recordCount } = notes.facts;
  for (const id of OTHERS) {
    const archive = set.archives[id];
    const unusual: LedgerEntry[] = [];
    const onEntries = (entries: readonly LedgerEntry[]) => void unusual.push(...entries);
    const reading = { signal, onEntries, onBytes: progress.reading(archive) };
    if (notes.has(id)) {
      progress.skip(archive);
    } else if (id === "full_dataset_sequence") {
      const entries = await importSequences(archive, { naming, folder, recordCount, ...reading });
      await notes.finish(id, {
        entries: [...asWarnings(unusual), ...entries],
        sizes: await sizesIn(folder, ["sequences."]),
      });
    } else {
      await verifyArchive(archive, naming, reading);
      if (archive.bytes >= NOTED_BYTES || unusual.length > 0) {
        await notes.finish(id, { entries: asWarnings(unusual) });
      }
    }
  }
}

/** Reads an archive that is served as it is, to its end: what is served is whole and well formed. */
async function verifyArchive(archive: SetArchive, naming: Naming, reading: ReadArchiveOptions): Promise<void> {
  let checked = false;
  for await (const { header } of readArchive(archive, reading)) {
    if (checked) continue;
    checked = true;
    if (SEQUENCE_ARCHIVES.includes(archive.id)) sequenceColumns(header, naming, archive);
    else if (METADATA_ARCHIVES.includes(archive.id)) requireColumn(header, naming, archive);
  }
}

interface ImportProgress {
  /** Makes the callback that reports an archive's bytes as they are read. */
  reading(archive: SetArchive): (bytes: number) => void;
  /** Counts an archive that was read before. */
  skip(archive: SetArchive): void;
  /** Counts steps of the building of the index. */
  index(done: number, total: number): void;
  finish(): void;
}

/** Starts progress reports; `derives` when the metadata are read once more, for the definitions. */
function startImportProgress(
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
