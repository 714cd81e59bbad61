/**
 * Archives to a lake: a folder of Parquet, typed by definitions, built once for each archive.
 *
 * ```text
 * LAKE/full_dataset_metadata/manifest.json        what is in it and where it comes from
 * LAKE/full_dataset_metadata/part-00000.parquet   zstd, statistics, a row group each
 * LAKE/full_dataset_metadata/part-00000.raw       texts of that part that are not written as their type is
 * LAKE/full_dataset_sequence/…                    identifier, length, gc, ambiguous, characters
 * ```
 *
 * Types come from definitions; without any, from all values, in a pass over the archive before it is converted.
 *
 * An archive with a checksum file beside it must match it. Archives are inflated to their end and every row is checked
 * before it is encoded, part by part: memory is bounded and a stop comes at once. A table's folder gets its name
 * only when everything in it is written; what a killed process left of one is removed by the next that builds it.
 *
 * @module
 */
import { basename, join } from "node:path";
import { RegistryError } from "../../../errors.ts";
import type { OnProgress } from "../../../io/tasks/progress.ts";
import { equalDigests, sha256 as digestOf } from "../../../io/digest/sha256.ts";
import { FIELD_DEFINITIONS, type FieldDefinition } from "../../../contract/metadata.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../../../contract/naming.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import { openArchive } from "./_archive_chunks.ts";
import {
  type ColumnKnowledge,
  type ColumnPlan,
  planColumns,
  withInferredTypes,
  withWideIntegers,
} from "./_column_plan.ts";
import { inferTypes } from "./_infer_types.ts";
import { definitionsBeside, findSources, type Source, statedDigest, statOf } from "./_lake_sources.ts";
import { convertMetadata, type MetadataParts, type MetadataPartsOptions } from "./_metadata_parts.ts";
import { diskError, isDiskFault, makeFolder, putInPlace, sweepStale, temporaryFolder } from "./_place_table.ts";
import { convertSequences, isSequenceHeader } from "./_sequence_parts.ts";
import { isFileWhole, type LakeManifest, readManifest, writeManifest } from "./lake_manifest.ts";
import { DATE_COLUMNS, type DateColumns } from "../../types/table.ts";
import type { OptionRules } from "../../../contract/options/option_rule.ts";
import * as rule from "../../../contract/options/rules.ts";
import { checkOptions } from "../../../contract/options/check_options.ts";

/** Options of {@linkcode buildLake}. */
export interface BuildLakeOptions {
  /**
   * Definitions that give columns their types; by default, those of `definitions.json` beside the archives. The type of
   * a column without one is inferred from all values by lossless rules, and the manifest says so.
   */
  readonly definitions?: readonly FieldDefinition[];
  /** Whether every column stays text, whatever is known of it; no by default. */
  readonly text?: boolean;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Whether dates get their three columns; see `TableOptions.dates`. */
  readonly dates?: DateColumns;
  /** Takes progress in bytes of the archive. */
  readonly onProgress?: OnProgress;
  /** Ends the work at once with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

const BUILD_LAKE_OPTIONS = {
  definitions: FIELD_DEFINITIONS,
  text: rule.flag,
  naming: NAMING_RULE,
  dates: DATE_COLUMNS,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<BuildLakeOptions>;

/** One table of a lake, as it was built or found. */
export interface BuiltTable {
  /** What is in it. */
  readonly manifest: LakeManifest;
  /** Its folder. */
  readonly folder: string;
  /** Paths of its Parquet files, in order. */
  readonly files: readonly string[];
  /** Whether it was there already, of the same archive, definitions and toolkit. */
  readonly reused: boolean;
}

/**
 * Builds tables of a lake from archives, those that are not there yet.
 *
 * @param archives Path of an archive (`.csv.gz` or `.csv`), of a folder that holds some of the eight, or several paths.
 * @param folder Folder of the lake; made when absent. Tables of other archives in it stay.
 * @param options Definitions, naming, progress, signal.
 * @returns The tables, in the order of the archives. Rows that could not be read and values that do not fit are counted
 * in each manifest.
 * @throws {RegistryError} With code `disk` if a file cannot be read or written; with code `not-an-archive-set` if a
 * folder holds no archive.
 * @throws {RegistryError} With code `checksum` if an archive is not what the checksum file beside it says.
 * @throws {GzipError | ParseError} If an archive is damaged or no CSV. Nothing of it is left then; tables that were
 * whole before stay.
 * @see Specification 4.1 for the archives. The lake is our own form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { buildLake } from "./build_lake.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,Country\nvj000000000001,Kenya\n"));
 * const [table] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
 *
 * assertEquals([table.manifest.table, table.manifest.rows, table.reused], ["a", 1, false]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function buildLake(
  archives: string | readonly string[],
  folder: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  return buildLakeBy({}, archives, folder, options);
}

/** How it is done; tests choose other means than the usual ones. */
export interface LakeMeans {
  /** Most bytes of a part of metadata; see {@linkcode convertMetadata}. */
  readonly maxPartBytes?: number;
}

/** {@linkcode buildLake} by other means. */
export async function buildLakeBy(
  means: LakeMeans,
  archives: string | readonly string[],
  folder: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  checkOptions("buildLake()", options, BUILD_LAKE_OPTIONS);
  const { naming = SPECIFICATION_NAMING, signal } = options;
  signal?.throwIfAborted();
  const sources = await findSources(archives, naming);
  await makeFolder(folder);
  const tables: BuiltTable[] = [];
  for (const source of sources) {
    const isText = options.text === true;
    const definitions = isText ? [] : options.definitions ?? await definitionsBeside(source.path);
    const sha256 = await statedDigest(source.path);
    const wanted = { ...source, definitions, isText, naming, dates: options.dates ?? "text", sha256, ...means };
    tables.push(await findBuilt(wanted, folder, signal) ?? await buildTable(wanted, folder, options));
  }
  return tables;
}

interface Wanted extends Source, LakeMeans, ColumnKnowledge {
  readonly dates: DateColumns;
  /** Digest that the checksum file beside the archive states. */
  readonly sha256: string | undefined;
}

function checkDigest(actual: string, expected: string | undefined, path: string): void {
  if (expected === undefined || equalDigests(actual, expected)) return;
  throw new RegistryError(
    "checksum",
    `Cannot build a lake of ${path}: its SHA-256 is ${actual}, its checksum file says ${expected}; ` +
      "nothing was kept; fetch the archive and its checksum file again",
  );
}

/** The table as it is there already, if the same archive, definitions and toolkit made it. */
async function findBuilt(wanted: Wanted, lake: string, signal?: AbortSignal): Promise<BuiltTable | undefined> {
  const folder = join(lake, wanted.table);
  const manifest = await readManifest(folder).catch(() => undefined);
  if (
    manifest === undefined || manifest.toolkit !== TOOLKIT || manifest.missingValues === undefined ||
    manifest.dates !== wanted.dates
  ) return undefined;
  if (wanted.sha256 !== undefined && wanted.sha256 !== manifest.source.sha256) return undefined;
  if (manifest.source.bytes !== (await statOf(wanted.path)).size) return undefined;
  if (!hasTypes(manifest, wanted)) return undefined;
  for (const file of [...manifest.files, ...manifest.raw]) {
    const isWhole = await isFileWhole(join(folder, file.name), file, signal).catch(() => {
      signal?.throwIfAborted();
      return false;
    });
    if (isWhole === false) return undefined;
  }
  if (await digestOf(wanted.path, { ...signal && { signal } }) !== manifest.source.sha256) return undefined;
  return builtTable(manifest, folder, true);
}

/** Whether a table has the names and types that it would get now. */
function hasTypes(manifest: LakeManifest, wanted: Wanted): boolean {
  if (manifest.kind === "sequence") return true;
  const plan = planColumns(manifest.header ?? [], wanted);
  const fields = new Set(manifest.columns.map(({ field }) => field));
  if (fields.size !== plan.names.length || plan.names.some((name) => !fields.has(name))) return false;
  if ((manifest.inferred === true) !== plan.inferred.length > 0) return false;
  const used = definitionsOf(plan);
  const key = ({ name, type, unit }: FieldDefinition) => JSON.stringify([name, type, unit]);
  return JSON.stringify(manifest.definitions.map(key).sort()) === JSON.stringify(used.map(key).sort());
}

/** Definitions of the columns, in their order. */
function definitionsOf({ names, definitions }: ColumnPlan): readonly FieldDefinition[] {
  return names.map((name) => definitions.get(name)).filter((definition) => definition !== undefined);
}

function builtTable(manifest: LakeManifest, folder: string, reused: boolean): BuiltTable {
  return { manifest, folder, files: manifest.files.map(({ name }) => join(folder, name)), reused };
}

async function buildTable(wanted: Wanted, lake: string, options: BuildLakeOptions): Promise<BuiltTable> {
  const { path, table, naming, dates } = wanted;
  const { signal, onProgress } = options;
  const bytes = (await statOf(path)).size;
  await sweepStale(lake, table);
  const temporary = temporaryFolder(lake, table);
  await makeFolder(temporary);
  const open = (task: string) =>
    openArchive(path, {
      onBytes: (done) => onProgress?.({ task, done, total: bytes, unit: "bytes" }),
      ...signal && { signal },
    });
  try {
    const task = `building ${table}`;
    let archive = await open(task);
    const declared = planColumns(archive.header, wanted);
    let plan = declared;
    const isSequence = isSequenceHeader(plan.names, naming.accessionField);
    const shared = { folder: temporary, name: basename(path), names: plan.names, ...signal && { signal } };
    if (!isSequence && plan.inferred.length > 0) {
      const texts = archive.header.filter((_, index) => !declared.inferred.includes(plan.names[index]));
      const types = await inferTypes(archive.chunks, { name: shared.name, texts, ...signal && { signal } });
      checkDigest(archive.digest(), wanted.sha256, path);
      plan = withInferredTypes(plan, types);
      archive = await open(task);
    }
    const convert = async () => await convertMetadata(archive.chunks, metadataOptions(plan, wanted, shared));
    let parts: MetadataParts | undefined = isSequence ? undefined : await convert();
    if (parts !== undefined && parts.wide.length > 0) {
      plan = withWideIntegers(plan, parts.wide);
      await Deno.remove(temporary, { recursive: true });
      await makeFolder(temporary);
      archive = await open(task);
      parts = await convert();
    }
    const converted = parts ?? {
      ...await convertSequences(archive.chunks, shared),
      misfits: {},
      missingValues: {},
      raw: [],
    };
    const sha256 = archive.digest();
    checkDigest(sha256, wanted.sha256, path);
    const manifest: Omit<LakeManifest, "checksum"> = {
      lake: 2,
      table,
      kind: isSequence ? "sequence" : "metadata",
      toolkit: TOOLKIT,
      built: new Date().toISOString(),
      source: { archive: shared.name, sha256, bytes },
      header: archive.header,
      idField: converted.idField,
      rows: converted.rows,
      unique: converted.unique,
      files: converted.files,
      raw: converted.raw,
      columns: converted.columns,
      definitions: isSequence ? [] : definitionsOf(declared),
      inferred: !isSequence && plan.inferred.length > 0,
      dates,
      misfits: converted.misfits,
      missingValues: converted.missingValues,
      unparsed: converted.unparsed,
      problems: converted.problems,
      warnings: [...archive.warnings, ...isSequence ? [] : plan.warnings],
    };
    signal?.throwIfAborted();
    const written = await writeManifest(temporary, manifest);
    await putInPlace(temporary, join(lake, table));
    onProgress?.({ task, done: bytes, total: bytes, unit: "bytes", finished: true });
    return builtTable(written, join(lake, table), false);
  } catch (error) {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
    throw isDiskFault(error) ? diskError(lake, error) : error;
  }
}

function metadataOptions(
  plan: ColumnPlan,
  { naming, dates, maxPartBytes }: Wanted,
  shared: Pick<MetadataPartsOptions, "folder" | "name" | "names" | "signal">,
): MetadataPartsOptions {
  return {
    ...shared,
    definitions: plan.definitions,
    dates,
    idField: naming.accessionField,
    ...maxPartBytes !== undefined && { maxPartBytes },
  };
}

/** Lists the tables of a lake: every folder in it with a manifest. */
export async function lakeTables(folder: string): Promise<BuiltTable[]> {
  const tables: BuiltTable[] = [];
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory && !entry.name.startsWith(".")) names.push(entry.name);
  }
  for (const name of names.sort()) {
    const manifest = await readManifest(join(folder, name));
    if (manifest !== undefined) tables.push(builtTable(manifest, join(folder, name), true));
  }
  return tables;
}
