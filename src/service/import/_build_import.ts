/** Reads the eight archives once and builds what finds their records and what keeps them. */
import { join } from "node:path";
import { RegistryError } from "../../errors.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import { ARCHIVE_IDS, type ArchiveId } from "../../contract/datasets.ts";
import { listSome } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { Naming } from "../../contract/naming.ts";
import { type ArchiveSet, DEFINITIONS_FILE, type SetArchive } from "./archive_set.ts";
import { type IndexWriter, resumeIndex } from "../index/mod.ts";
import { parseDefinitions, startDefinitions } from "./_definitions_file.ts";
import { sha256 } from "../../io/digest/sha256.ts";
import { SUMS_ENDING } from "../files/block_sums.ts";
import { sizesIn } from "../files/file_sizes.ts";
import { INDEX_FOLDER } from "./import_manifest.ts";
import { concludeNotes, type ImportNotes, openNotes } from "./_import_notes.ts";
import { type ImportProgress, startImportProgress } from "./_import_progress.ts";
import { importRecords, importSequences, requireColumn, sequenceColumns } from "./_import_records.ts";
import { readArchive, type ReadArchiveOptions } from "./_read_archive.ts";
import { MAX_FIELDS } from "../store/limits.ts";

/** Options of {@linkcode buildImport}. */
export interface ImportOptions {
  /** The deployment's own spellings. */
  readonly naming: Naming;
  /** Ends the import with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told how far it has come. */
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

/** Size from which it is worth a note that an archive is proved. */
const NOTED_BYTES = 1 << 20;

/** What the stages of an import share. */
interface Work {
  readonly set: ArchiveSet;
  readonly folder: string;
  readonly naming: Naming;
  readonly notes: ImportNotes;
  readonly progress: ImportProgress;
  readonly signal: AbortSignal | undefined;
}

/**
 * Builds an import in a folder of its own; goes on with what an earlier one of the same archives has finished there.
 *
 * @throws {RegistryError} If an archive is damaged, or is none; what stands in the folder is of no use then.
 */
export async function buildImport(set: ArchiveSet, folder: string, options: ImportOptions): Promise<void> {
  const { naming, signal } = options;
  const given = set.definitionsText === undefined ? undefined : parseDefinitions(set.definitionsText);
  const notes = await openNotes(folder, set);
  const progress = startImportProgress(set, given === undefined, options.onProgress);
  const work = { set, folder, naming, notes, progress, signal };
  const resumed = await resumeRecords(folder, notes);
  if (notes.has("fields")) {
    if (given === undefined) progress.skip(set.archives.full_dataset_metadata);
  } else await noteFields(given, work);
  if (notes.has("records")) progress.skip(set.archives.full_dataset_metadata);
  const index = notes.has("records") ? resumed : await takeRecords(work);
  // Building the index and reading the sequences are two works that need little of each other.
  await allOrNone([
    (signal) => finishIndex(index, { ...work, signal }),
    (signal) => readOthers({ ...work, signal }),
  ], signal);
  const sums: Record<string, string> = {};
  for (const name of Object.keys(notes.facts.sizes).filter((name) => name.endsWith(SUMS_ENDING))) {
    sums[name] = await sha256(join(folder, name));
  }
  await concludeNotes(folder, {
    ...notes.facts,
    sums,
    source: set.source,
    namingSha256: set.namingSha256,
    digests: Object.fromEntries(
      ARCHIVE_IDS.map((id) => set.archives[id]).flatMap(({ name, statedSha256, checksum, checksumSha256 }) => [
        [name, statedSha256],
        [checksum.name, checksumSha256],
      ]),
    ),
  });
  progress.finish();
}

/** Runs works side by side; when one fails the others are ended, and their end is waited for. */
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

/** Finds out what the fields are: from the folder's definitions, or by reading all metadata once. */
async function noteFields(given: readonly FieldDefinition[] | undefined, work: Work): Promise<void> {
  const { set, naming, notes, progress, signal } = work;
  const archive = set.archives.full_dataset_metadata;
  const header = await readHeader(archive, signal);
  requireColumn(header, naming, archive);
  if (header.length > MAX_FIELDS) {
    throw new RegistryError(
      "not-an-archive-set",
      `Cannot import ${archive.name}: it has ${header.length} columns, expected at most ${MAX_FIELDS}; is it the metadata?`,
    );
  }
  const warnings: string[] = [];
  const fields = given === undefined
    ? await deriveDefinitions(archive, header, naming, { signal, onBytes: progress.reading(archive) })
    : matchDefinitions(given, header, naming, warnings);
  await notes.finish("fields", { fields, definitionsDerived: given === undefined, warnings });
}

/** Goes on with the index of records that are kept; without it they are of no use, and forgotten. */
async function resumeRecords(folder: string, notes: ImportNotes): Promise<IndexWriter | undefined> {
  if (!notes.has("records") || notes.has("index")) return undefined;
  const index = await resumeIndex(join(folder, INDEX_FOLDER));
  if (index?.recordCount === notes.facts.recordCount) return index;
  await index?.[Symbol.asyncDispose]();
  await notes.forget();
}

/** Keeps the records, and gives the index that has taken them in. */
async function takeRecords({ set, folder, naming, notes, progress, signal }: Work): Promise<IndexWriter> {
  const archive = set.archives.full_dataset_metadata;
  const indexFolder = join(folder, INDEX_FOLDER);
  await Deno.mkdir(indexFolder);
  const target = { naming, folder, indexFolder, signal, onBytes: progress.reading(archive) };
  const index = await importRecords(archive, notes.facts.fields, target);
  try {
    const sizes = await sizesIn(folder, ["records.", "accessions."]);
    await notes.finish("records", { recordCount: index.recordCount, sizes });
    return index;
  } catch (cause) {
    await index[Symbol.asyncDispose]();
    throw cause;
  }
}

/** Builds the index; `undefined` is one that was built before. */
async function finishIndex(index: IndexWriter | undefined, { notes, progress, signal }: Work): Promise<void> {
  if (index === undefined) return progress.index(1, 1);
  await using writer = index;
  const { files } = await writer.finish({ signal, onProgress: progress.index });
  const sizes = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${INDEX_FOLDER}/${name}`, bytes]));
  await notes.finish("index", { sizes });
  progress.index(1, 1);
}

/** Keeps the sequences, and proves the archives that are served as they are. */
async function readOthers({ set, folder, naming, notes, progress, signal }: Work): Promise<void> {
  const { recordCount } = notes.facts;
  for (const id of OTHERS) {
    const archive = set.archives[id];
    const reading = { signal, onBytes: progress.reading(archive) };
    if (notes.has(id)) {
      progress.skip(archive);
    } else if (id === "full_dataset_sequence") {
      const warnings = await importSequences(archive, { naming, folder, recordCount, ...reading });
      await notes.finish(id, { warnings, sizes: await sizesIn(folder, ["sequences."]) });
    } else {
      await proveArchive(archive, naming, reading);
      if (archive.bytes >= NOTED_BYTES) await notes.finish(id, {});
    }
  }
}

/** Reads the names of an archive's columns and no more. */
async function readHeader(archive: SetArchive, signal: AbortSignal | undefined): Promise<readonly string[]> {
  for await (const { header } of readArchive(archive, { signal })) return header;
  return [];
}

async function deriveDefinitions(
  archive: SetArchive,
  header: readonly string[],
  naming: Naming,
  reading: ReadArchiveOptions,
): Promise<FieldDefinition[]> {
  const deriver = startDefinitions(header, naming);
  for await (const { rows } of readArchive(archive, reading)) {
    for (const { cells } of rows()) deriver.add(cells);
  }
  return deriver.derive();
}

/** Brings definitions into the order of the columns; a column without one is of texts. */
function matchDefinitions(
  given: readonly FieldDefinition[],
  header: readonly string[],
  naming: Naming,
  warnings: string[],
): FieldDefinition[] {
  // A column is called by the field's public name, or by its alias.
  const definitionOf = (column: string) =>
    given.find(({ name }) => name === column) ?? given.find(({ alias }) => alias === column);
  const extra = given.filter(({ name, alias }) => !header.includes(name) && !header.includes(alias))
    .map(({ name }) => name);
  if (extra.length > 0) {
    warnings.push(`${DEFINITIONS_FILE} defines fields that the archives do not have: ${listSome(extra, 20)}`);
  }
  const missing = header.filter((name) => definitionOf(name) === undefined);
  if (missing.length > 0) warnings.push(`${DEFINITIONS_FILE} does not define ${listSome(missing, 20)}: read as texts`);
  const bare = startDefinitions(header, naming).derive();
  const aliases = new Set(given.map(({ alias }) => alias));
  return bare.map((definition) => {
    const found = definitionOf(definition.name);
    if (found !== undefined) return found;
    let alias = definition.alias;
    for (let number = 2; aliases.has(alias); number++) alias = `${definition.alias}_${number}`;
    aliases.add(alias);
    return { ...definition, alias };
  });
}

/** Reads an archive that is served as it is, to its end: what is served is whole and well formed. */
async function proveArchive(archive: SetArchive, naming: Naming, reading: ReadArchiveOptions): Promise<void> {
  let checked = false;
  for await (const { header } of readArchive(archive, reading)) {
    if (checked) continue;
    checked = true;
    if (SEQUENCE_ARCHIVES.includes(archive.id)) sequenceColumns(header, naming, archive);
    else if (METADATA_ARCHIVES.includes(archive.id)) requireColumn(header, naming, archive);
  }
}
