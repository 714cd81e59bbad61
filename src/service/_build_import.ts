/** Reads the eight archives once and builds what finds their records and what keeps them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { RegistryError } from "../errors.ts";
import type { OnProgress } from "../io/progress.ts";
import { isAccession } from "../spec/accession.ts";
import { ARCHIVE_IDS, type ArchiveId } from "../spec/datasets.ts";
import { listSome } from "../spec/ledger.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import type { Naming } from "../spec/naming.ts";
import { type ArchiveSet, DEFINITIONS_FILE, type SetArchive } from "./_archive_set.ts";
import { createTableSql, rowAppender, TABLE, wordTablesSql } from "./_columns.ts";
import { parseDefinitions, startDefinitions } from "./_definitions_file.ts";
import { createDatabase, createInterrupter } from "./_duckdb.ts";
import { type FacetCounter, startFacetCounter } from "./_facet_fields.ts";
import { lookupFields } from "./_fields.ts";
import { FIND_FILE, RECORDS_FILE, writeManifest } from "./_import_manifest.ts";
import { readArchive } from "./_read_archive.ts";
import { createRecords, type RecordsWriter } from "./_records_database.ts";

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

/** Records that are kept in memory before they are written. */
const FLUSH_RECORDS = 10_000;

/** Tells progress in compressed bytes over all archives. */
function progressOf(set: ArchiveSet, derives: boolean, { signal, onProgress }: ImportOptions) {
  const sizes = ARCHIVE_IDS.map((id) => set.archives[id].bytes);
  const twice = derives ? set.archives.full_dataset_metadata.bytes : 0;
  const total = sizes.reduce((sum, bytes) => sum + bytes, twice);
  let done = 0;
  return {
    reading: (archive: SetArchive) => ({
      signal,
      onBytes: (bytes: number) => {
        done += bytes;
        onProgress?.({ task: `importing ${archive.name}`, done, total, unit: "bytes" });
      },
    }),
    finish: () => onProgress?.({ task: "importing the archives", done, total, unit: "bytes", finished: true }),
  };
}

type Progress = ReturnType<typeof progressOf>;

/**
 * Builds both databases and the manifest in a folder of its own.
 *
 * @throws {RegistryError} If an archive is damaged, or is none; what stands in the folder is of no use then.
 */
export async function buildImport(set: ArchiveSet, folder: string, options: ImportOptions): Promise<void> {
  const { naming } = options;
  const given = set.definitionsText === undefined ? undefined : parseDefinitions(set.definitionsText);
  const progress = progressOf(set, given === undefined, options);
  const warnings: string[] = [];
  const records = await createRecords(join(folder, RECORDS_FILE));
  const { instance, connection } = await createDatabase(join(folder, FIND_FILE));
  try {
    const header = await readHeader(set.archives.full_dataset_metadata, progress);
    requireColumn(header, naming, set.archives.full_dataset_metadata);
    const fields = given === undefined
      ? await deriveDefinitions(set.archives.full_dataset_metadata, header, naming, progress)
      : matchDefinitions(given, header, naming, warnings);
    const counter = startFacetCounter(lookupFields(fields).fields, naming.accessionField);
    const recordCount = await importRecords(set, fields, { naming, progress, records, connection, counter });
    // The database has threads of its own: it orders words while this one reads the other archives.
    const indexing = indexWords(connection, recordCount, options.signal);
    try {
      await importSequences(set.archives.full_dataset_sequence, { naming, progress, records, recordCount, warnings });
      for (const id of ARCHIVE_IDS) {
        if (id !== "full_dataset_metadata" && id !== "full_dataset_sequence") {
          await proveArchive(set.archives[id], naming, progress);
        }
      }
    } catch (cause) {
      await indexing.stop();
      throw cause;
    }
    await indexing.done;
    await connection.run("CHECKPOINT");
    const { fields: facetFields, facets } = counter.choose(recordCount);
    connection.closeSync();
    instance.closeSync();
    records.close();
    await writeManifest(folder, {
      fields,
      definitionsDerived: given === undefined,
      recordCount,
      warnings,
      facetFields,
      facets,
      digests: Object.fromEntries(
        ARCHIVE_IDS.map((id) => set.archives[id]).flatMap(({ name, statedSha256, checksum, checksumSha256 }) => [
          [name, statedSha256],
          [checksum.name, checksumSha256],
        ]),
      ),
    });
    progress.finish();
  } catch (cause) {
    connection.closeSync();
    instance.closeSync();
    records.close();
    throw cause;
  }
}

/** The making of the tables of words. */
interface Indexing {
  /** Settles when they are made, or cannot be. */
  readonly done: Promise<void>;
  /** Gives up; settles, without an error, when nothing runs any more. */
  stop(): Promise<void>;
}

function indexWords(connection: DuckDBConnection, records: number, signal: AbortSignal | undefined): Indexing {
  const interrupter = createInterrupter(connection);
  const done = (async () => {
    signal?.addEventListener("abort", interrupter.interrupt);
    try {
      for (const sql of wordTablesSql(records)) {
        signal?.throwIfAborted();
        await connection.run(sql);
      }
    } catch (cause) {
      signal?.throwIfAborted();
      throw cause;
    } finally {
      signal?.removeEventListener("abort", interrupter.interrupt);
      interrupter[Symbol.dispose]();
    }
  })();
  const ended = done.catch(() => {});
  return {
    done,
    stop() {
      interrupter.interrupt();
      return ended;
    },
  };
}

/** Reads the names of an archive's columns and no more. */
async function readHeader(archive: SetArchive, { reading }: Progress): Promise<readonly string[]> {
  for await (const { header } of readArchive(archive, { signal: reading(archive).signal })) return header;
  return [];
}

function requireColumn(header: readonly string[], naming: Naming, archive: SetArchive): number {
  const column = header.indexOf(naming.accessionField);
  if (column !== -1) return column;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot import ${archive.name}: its header has no column "${naming.accessionField}", it has ` +
      `${listSome(header, 20)}; if the deployment spells it otherwise, give its naming`,
  );
}

async function deriveDefinitions(
  archive: SetArchive,
  header: readonly string[],
  naming: Naming,
  { reading }: Progress,
): Promise<FieldDefinition[]> {
  const deriver = startDefinitions(header, naming);
  for await (const { rows } of readArchive(archive, reading(archive))) for (const { cells } of rows) deriver.add(cells);
  return deriver.derive();
}

/** Brings definitions into the order of the columns; a column without one is of texts. */
function matchDefinitions(
  given: readonly FieldDefinition[],
  header: readonly string[],
  naming: Naming,
  warnings: string[],
): FieldDefinition[] {
  const extra = given.filter(({ name }) => !header.includes(name)).map(({ name }) => name);
  if (extra.length > 0) {
    warnings.push(`${DEFINITIONS_FILE} defines fields that the archives do not have: ${listSome(extra, 20)}`);
  }
  const missing = header.filter((name) => !given.some((definition) => definition.name === name));
  if (missing.length > 0) warnings.push(`${DEFINITIONS_FILE} does not define ${listSome(missing, 20)}: read as texts`);
  const bare = startDefinitions(header, naming).derive();
  const aliases = new Set(given.map(({ alias }) => alias));
  return bare.map((definition) => {
    const found = given.find(({ name }) => name === definition.name);
    if (found !== undefined) return found;
    let alias = definition.alias;
    for (let number = 2; aliases.has(alias); number++) alias = `${definition.alias}_${number}`;
    aliases.add(alias);
    return { ...definition, alias };
  });
}

/** What the two main archives are imported with. */
interface Work {
  readonly naming: Naming;
  readonly progress: Progress;
  readonly records: RecordsWriter;
}

async function importRecords(
  set: ArchiveSet,
  definitions: readonly FieldDefinition[],
  { naming, progress, records, connection, counter }: Work & {
    readonly connection: DuckDBConnection;
    readonly counter: FacetCounter;
  },
): Promise<number> {
  const archive = set.archives.full_dataset_metadata;
  const { fields } = lookupFields(definitions);
  await connection.run(createTableSql(fields, counter));
  const appender = await connection.createAppender(TABLE);
  const append = rowAppender(appender, fields, counter);
  let count = 0;
  try {
    for await (const { header, rows } of readArchive(archive, progress.reading(archive))) {
      const column = header.indexOf(naming.accessionField);
      for (const { cells, line } of rows) {
        const accession = cells[column];
        if (!isAccession(accession)) throw malformedAccession(archive, accession, line);
        records.addRecord(count, accession, cells);
        append(count, cells);
        count++;
        // Left to itself, the appender keeps 200,000 records in memory before it writes any.
        if (count % FLUSH_RECORDS === 0) appender.flushSync();
      }
    }
  } finally {
    // An appender that outlives its connection crashes the process when it is collected.
    appender.closeSync();
  }
  const twice = records.indexAccessions();
  if (twice !== undefined) {
    throw new RegistryError(
      "damaged",
      `Cannot import ${archive.name}: the accession ${twice.accession} stands in records ${twice.rows[0] + 1} and ` +
        `${twice.rows[1] + 1}, expected each once; ask whoever made the archives`,
    );
  }
  return count;
}

async function importSequences(
  archive: SetArchive,
  { naming, progress, records, recordCount, warnings }: Work & {
    readonly recordCount: number;
    readonly warnings: string[];
  },
): Promise<void> {
  const strangers: string[] = [];
  let strange = 0;
  for await (const { header, rows } of readArchive(archive, progress.reading(archive))) {
    const column = sequenceColumns(header, naming, archive);
    for (const { cells, line } of rows) {
      const accession = cells[column];
      if (!isAccession(accession)) throw malformedAccession(archive, accession, line);
      const row = records.findRow(accession);
      if (row === undefined) {
        strange++;
        if (strangers.length < 20) strangers.push(accession);
      } else if (!records.addSequence(row, cells[1 - column])) {
        throw new RegistryError(
          "damaged",
          `Cannot import ${archive.name}: a second sequence for ${accession} at line ${line}, expected one; ` +
            `ask whoever made the archives`,
        );
      }
    }
  }
  if (strange > 0) {
    warnings.push(`${archive.name} has ${strange} sequences of accessions without metadata: ${strangers.join(", ")}`);
  }
  const without = records.countWithoutSequence();
  if (without > 0) warnings.push(`${without} of ${recordCount} records have no sequence in ${archive.name}`);
}

/** Reads an archive that is served as it is, to its end: what is served is whole and well formed. */
async function proveArchive(archive: SetArchive, naming: Naming, { reading }: Progress): Promise<void> {
  let checked = false;
  for await (const { header } of readArchive(archive, reading(archive))) {
    if (checked) continue;
    checked = true;
    if (SEQUENCE_ARCHIVES.includes(archive.id)) sequenceColumns(header, naming, archive);
    else if (METADATA_ARCHIVES.includes(archive.id)) requireColumn(header, naming, archive);
  }
}

/** Checks that there are two columns, and tells which holds the accession. */
function sequenceColumns(header: readonly string[], naming: Naming, archive: SetArchive): number {
  const column = requireColumn(header, naming, archive);
  if (header.length === 2) return column;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot import ${archive.name}: expected the two columns "${naming.accessionField}" and "Sequence", got ` +
      listSome(header, 20),
  );
}

function malformedAccession(archive: SetArchive, accession: string, line: number): RegistryError {
  return new RegistryError(
    "damaged",
    `Cannot import ${archive.name}: ${JSON.stringify(accession.slice(0, 100))} at line ${line} is no accession, ` +
      `expected vj and 12 digits; ask whoever made the archives`,
  );
}
