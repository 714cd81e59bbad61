/** Writes the sixteen files of an archive set, and its definitions, from records that stream by. */
import { join } from "node:path";
import { writeAtomic } from "@seqreg/core/io/files/atomic_file";
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { archiveFiles, type ArchiveId, datasetFileNames } from "@seqreg/core/contract/datasets";
import type { FieldDefinition } from "@seqreg/core/contract";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { ClusterBuilder, clusterName, type Clusters } from "./clusters.ts";
import { type Compression, GzipFile, together } from "./_gzip_file.ts";
import { checkTarget, fillFolder, type TargetRules } from "./_staging.ts";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { checkOptions } from "@seqreg/core/options/check_options";

export type { Clusters, Compression };

/** Name of the file with the definitions of the archives. Not a dataset. */
export const DEFINITIONS_FILE = "definitions.json";

/** Name of the file with a sample's manifest. Not a dataset. */
export const MANIFEST_FILE = "manifest.json";

/** A record's sequence. */
export interface ArchiveSequence {
  /** The record's accession. */
  readonly accession: string;
  /** Bases as they shall stand in the archive; used up before the next record is asked for. */
  readonly sequence: Uint8Array;
}

/** What an archive set is made of. */
export interface ArchiveSource {
  /**
   * Definitions of the public fields in the order of the columns, the accession first. An empty `example` is filled
   * with the first value of the data.
   */
  readonly fields: readonly FieldDefinition[];
  /** Number of records, where known; for progress. */
  readonly recordCount?: number;
  /** Rows of the map of taxon names, each `[name, rank, mapped name, relation]`. */
  readonly taxonMap?: Iterable<readonly [string, string, string, string]>;
  /** Yields the records' sequences, once. */
  sequences(): AsyncIterable<ArchiveSequence> | Iterable<ArchiveSequence>;
  /** Yields the records' values in the order of the fields; called after all sequences, in their order. */
  rows(clusters: Clusters): Iterable<readonly string[]>;
  /** Returns the content of `manifest.json`, if there is to be one; called last. */
  manifest?(clusters: Clusters): unknown;
}

/** Options of {@linkcode writeArchives}. */
export interface WriteArchivesOptions {
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** `small` by default; `portable` gives the same bytes on every machine. */
  readonly compression?: Compression;
  /** Ends the work; nothing is left behind then. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the work. */
  readonly onProgress?: OnProgress;
}

const WRITE_ARCHIVES_OPTIONS = {
  naming: NAMING_RULE,
  compression: rule.oneOf(["small", "portable"]),
  signal: rule.signal,
  onProgress: rule.callback(),
} satisfies OptionRules<WriteArchivesOptions>;

/** Records between checks of the signal, and between reports of progress. */
const STEP = 256;

/**
 * Writes an archive set into a folder: eight archives, their checksum files, `definitions.json`, and `manifest.json`
 * for a sample.
 *
 * A new folder is created atomically by one rename. An existing folder must be empty or contain an archive set, whose
 * files are replaced; other folders are rejected. A crash while files are moved could leave old and new ones mixed; the
 * checksum files, which are moved last, then reject the archives that do not match.
 *
 * The sequence archives have the columns accession and `Sequence`. `unique_seqs` is the first record of each distinct
 * sequence, compared without case. Identical sequences are all the clustering there is, so `votu_clusters`, the
 * representatives, are the same records, and the comparison metrics have one row for each record and its
 * representative.
 *
 * Memory: some hundred bytes a record for the clusters; sequences and rows stream.
 *
 * @param folder Where to write; parent folders are made.
 * @param source The records, and what their fields mean.
 * @param options Naming, compression, signal, progress.
 * @returns The sixteen file names, in the order of the specification.
 * @throws {TypeError} If the folder's name is empty.
 * @throws {RegistryError} With code `disk` if the folder holds other things or cannot be written.
 * @see Specification 4.1. The columns of the archives are not shown there: these are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeArchives } from "./write_archives.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const names = await writeArchives(folder, {
 *   fields: [{
 *     name: "Registry Accession",
 *     alias: "registry_accession",
 *     type: "string",
 *     description: "The record's accession",
 *     unit: "",
 *     example: "",
 *   }],
 *   sequences: () => [{ accession: "vj000000000001", sequence: new TextEncoder().encode("ACGT") }],
 *   rows: () => [["vj000000000001"]],
 * });
 *
 * assertEquals(names.length, 16);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function writeArchives(
  folder: string,
  source: ArchiveSource,
  options: WriteArchivesOptions = {},
): Promise<string[]> {
  checkOptions("writeArchives()", options, WRITE_ARCHIVES_OPTIONS);
  const { naming = SPECIFICATION_NAMING, signal } = options;
  signal?.throwIfAborted();
  const names = datasetFileNames(naming);
  await fillFolder(
    folder,
    targetRules(naming, signal),
    (staging) => new ArchiveWriter(staging, source, naming, options).write(),
  );
  return names;
}

/** Refuses early, before long work, a folder that {@linkcode writeArchives} would refuse. */
export async function refuseForeignFolder(folder: string, naming: Naming): Promise<void> {
  await checkTarget(folder, targetRules(naming));
}

function targetRules(naming: Naming, signal?: AbortSignal): TargetRules {
  return { archiveNames: datasetFileNames(naming), besides: [DEFINITIONS_FILE, MANIFEST_FILE], signal };
}

/** One run of {@linkcode writeArchives}. */
class ArchiveWriter {
  readonly #folder: string;
  readonly #source: ArchiveSource;
  readonly #naming: Naming;
  readonly #options: WriteArchivesOptions;
  readonly #clusters = new ClusterBuilder();
  readonly #examples: string[];

  constructor(folder: string, source: ArchiveSource, naming: Naming, options: WriteArchivesOptions) {
    this.#folder = folder;
    this.#source = source;
    this.#naming = naming;
    this.#options = options;
    this.#examples = source.fields.map(({ example }) => example);
  }

  async write(): Promise<void> {
    const { signal } = this.#options;
    await this.#writeSequences();
    await this.#writeRows();
    await this.#writeTaxonMap();
    const definitions = this.#source.fields.map((field, index) => ({ ...field, example: this.#examples[index] }));
    await writeAtomic(join(this.#folder, DEFINITIONS_FILE), jsonText(definitions), { signal });
    const manifest = this.#source.manifest?.(this.#clusters);
    if (manifest !== undefined) await writeAtomic(join(this.#folder, MANIFEST_FILE), jsonText(manifest), { signal });
  }

  async #writeSequences(): Promise<void> {
    await using full = await this.#create("full_dataset_sequence");
    await using unique = await this.#create("unique_seqs_sequence", "votu_clusters_sequence");
    const header = csvRow([this.#naming.accessionField, "Sequence"]) + "\n";
    await full.file.text(header);
    await unique.file.text(header);
    let count = 0;
    for await (const { accession, sequence } of this.#source.sequences()) {
      this.#tick("writing sequences", count++);
      const isFirst = this.#clusters.add(sequence);
      const cell = sequenceCell(sequence);
      for (const { file } of isFirst ? [full, unique] : [full]) {
        await file.text(`${accession},`);
        await file.bytes(cell);
        await file.bytes(LINE_FEED);
      }
    }
    await together([full.finish(), unique.finish()]);
  }

  async #writeRows(): Promise<void> {
    await using full = await this.#create("full_dataset_metadata");
    await using unique = await this.#create("unique_seqs_metadata", "votu_clusters_metadata");
    await using metrics = await this.#create("votu_cluster_comparison_metrics");
    const header = csvRow(this.#source.fields.map(({ name }) => name)) + "\n";
    await full.file.text(header);
    await unique.file.text(header);
    await metrics.file.text(csvRow(METRICS_COLUMNS) + "\n");
    const representatives: string[] = [];
    let record = 0;
    for (const row of this.#source.rows(this.#clusters)) {
      this.#tick("writing metadata", record);
      this.#keepExamples(row);
      const line = csvRow(row) + "\n";
      const cluster = this.#clusters.clusterOf(record);
      await full.file.text(line);
      if (this.#clusters.representativeOf(cluster) === record) {
        representatives[cluster] = row[0];
        await unique.file.text(line);
      }
      await metrics.file.text(
        csvRow([clusterName(cluster), representatives[cluster], row[0], IDENTITY, IDENTITY]) + "\n",
      );
      record++;
    }
    if (record !== this.#clusters.recordCount) {
      throw new TypeError(`Cannot write archives: ${record} rows of metadata, ${this.#clusters.recordCount} sequences`);
    }
    this.#options.onProgress?.({
      task: "writing metadata",
      done: record,
      total: record,
      unit: "records",
      finished: true,
    });
    await together([full.finish(), unique.finish(), metrics.finish()]);
  }

  async #writeTaxonMap(): Promise<void> {
    await using map = await this.#create("reftax1_to_reftax2_map");
    await map.file.text(csvRow(TAXON_MAP_COLUMNS) + "\n");
    for (const row of this.#source.taxonMap ?? []) await map.file.text(csvRow(row) + "\n");
    await map.finish();
  }

  async #create(...ids: ArchiveId[]): Promise<AsyncDisposable & { file: GzipFile; finish(): Promise<void> }> {
    const files = ids.map((id) => archiveFiles(id, this.#naming));
    const paths = files.map(({ archive }) => join(this.#folder, archive));
    const file = await GzipFile.create(paths, this.#options.compression ?? "small");
    return {
      file,
      finish: async () => {
        const digest = await file.finish();
        await together(
          files.map(({ archive, checksum }) => writeAtomic(join(this.#folder, checksum), `${digest}  ${archive}\n`)),
        );
      },
      [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
    };
  }

  #keepExamples(row: readonly string[]): void {
    for (let index = 0; index < row.length; index++) {
      if (this.#examples[index] === "") this.#examples[index] = row[index];
    }
  }

  #tick(task: string, done: number): void {
    if (done % STEP !== 0) return;
    this.#options.signal?.throwIfAborted();
    this.#options.onProgress?.({ task, done, total: this.#source.recordCount, unit: "records" });
  }
}

/** Columns of the comparison metrics. Percent: members are identical to their representative. */
const METRICS_COLUMNS = ["Cluster", "Representative", "Member", "Identity", "Coverage"] as const;
const IDENTITY = "100.0";

const TAXON_MAP_COLUMNS = ["Taxon", "Rank", "Mapped Taxon", "Relation"] as const;

const LINE_FEED = new Uint8Array([10]);
const QUOTE = 34;
/** A quote, a comma, a line feed and a carriage return. */
const QUOTED = [QUOTE, 44, 10, 13];

/** Bytes that CSV needs quoted are rare, and legal, in a sequence. */
function sequenceCell(sequence: Uint8Array): Uint8Array {
  if (QUOTED.every((byte) => sequence.indexOf(byte) === -1)) return sequence;
  const cell = [QUOTE];
  for (const base of sequence) base === QUOTE ? cell.push(QUOTE, QUOTE) : cell.push(base);
  cell.push(QUOTE);
  return new Uint8Array(cell);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
