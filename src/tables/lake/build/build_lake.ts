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
 * An archive must match the checksum file in its folder, if there is one. Archives are decompressed to their end and
 * every row is checked before it is encoded, part by part: memory is bounded and a stop comes at once. A table's folder
 * gets its name only when everything in it is written; what a killed process left of one is removed by the next that
 * builds it.
 *
 * @module
 */
import { basename, join } from "node:path";
import { makeFolder } from "../../../io/files/make_folder.ts";
import { createStagingFolder, sweepStaging } from "../../../io/files/staging_folder.ts";
import { diskError, isDiskFault } from "../../../io/files/disk_error.ts";
import { type ObjectStoreOptions, STORE_RULE } from "../../../io/objects/store_options.ts";
import type { OnProgress } from "../../../io/tasks/progress.ts";
import { sha256 as digestOf } from "../../../io/digest/sha256.ts";
import { FIELD_DEFINITIONS, type FieldDefinition } from "../../../contract/metadata.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../../../contract/naming.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import { openArchive } from "./_archive_chunks.ts";
import { definitionsOf, planColumns } from "./_column_plan.ts";
import { convertArchive, type PartLimits, type TableRequest } from "./_convert_archive.ts";
import { definitionsBeside, findSources, statedDigest, statOf } from "./_lake_sources.ts";
import { isFileWhole, type LakeManifest, readManifest, writeManifest } from "./lake_manifest.ts";
import { DATE_COLUMNS, type DateColumns } from "../../types/table.ts";
import type { OptionRules } from "../../../contract/options/option_rule.ts";
import * as rule from "../../../contract/options/rules.ts";

export type { PartLimits } from "./_convert_archive.ts";

/** Options of `buildLake`. */
export interface BuildLakeOptions {
  /**
   * Definitions that determine the column types; by default, those of the archives' `definitions.json`. The type of a
   * column without one is inferred from all values by lossless rules, and the manifest records it.
   */
  readonly definitions?: readonly FieldDefinition[];
  /** Whether every column stays text, regardless of definitions; no by default. */
  readonly text?: boolean;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Whether dates get their three columns; see `TableOptions.dates`. */
  readonly dates?: DateColumns;
  /** Region, endpoint and key of the object store, where the lake is in one; the environment's by default. */
  readonly store?: ObjectStoreOptions;
  /** Takes progress in bytes of the archive. */
  readonly onProgress?: OnProgress;
  /** Ends the work at once with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/** Rules of {@linkcode BuildLakeOptions}. */
export const BUILD_LAKE_OPTIONS = {
  definitions: FIELD_DEFINITIONS,
  text: rule.flag,
  naming: NAMING_RULE,
  dates: DATE_COLUMNS,
  store: STORE_RULE,
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

/** Builds tables of a lake in a folder, those that are not there yet. */
export async function buildLakeBy(
  limits: PartLimits,
  archives: string | readonly string[],
  folder: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  const { signal } = options;
  const requests = await planTables(limits, archives, options);
  await makeFolder(folder);
  const tables: BuiltTable[] = [];
  for (const request of requests) {
    tables.push(await findBuilt(request, folder, signal) ?? await buildTable(request, folder, options));
  }
  return tables;
}

/** Finds the tables that archives become, and what their types come from. */
export async function planTables(
  limits: PartLimits,
  archives: string | readonly string[],
  { naming = SPECIFICATION_NAMING, dates = "text", signal, ...options }: BuildLakeOptions,
): Promise<TableRequest[]> {
  signal?.throwIfAborted();
  const sources = await findSources(archives, naming);
  const isText = options.text === true;
  const requests: TableRequest[] = [];
  for (const source of sources) {
    const definitions = isText ? [] : options.definitions ?? await definitionsBeside(source.path);
    const sha256 = await statedDigest(source.path);
    requests.push({ ...source, definitions, isText, naming, dates, sha256, ...limits });
  }
  return requests;
}

/** The table as it is there already, if the same archive, definitions and toolkit made it. */
async function findBuilt(request: TableRequest, lake: string, signal?: AbortSignal): Promise<BuiltTable | undefined> {
  const folder = join(lake, request.table);
  const manifest = await readManifest(folder).catch(() => undefined);
  if (manifest === undefined || !await hasRequest(manifest, request)) return undefined;
  for (const file of [...manifest.files, ...manifest.raw]) {
    const isWhole = await isFileWhole(join(folder, file.name), file, signal).catch(() => {
      signal?.throwIfAborted();
      return false;
    });
    if (isWhole === false) return undefined;
  }
  return await hasArchive(manifest, request, signal) ? builtTable(manifest, folder, true) : undefined;
}

/** Whether a table is what its archive would become now; reads the archive. */
export async function isMadeOf(manifest: LakeManifest, request: TableRequest, signal?: AbortSignal): Promise<boolean> {
  return await hasRequest(manifest, request) && await hasArchive(manifest, request, signal);
}

/** Whether toolkit, definitions and the archive's size are those that a table was made by. */
async function hasRequest(manifest: LakeManifest, request: TableRequest): Promise<boolean> {
  return manifest.toolkit === TOOLKIT && manifest.missingValues !== undefined && manifest.dates === request.dates &&
    (request.sha256 === undefined || request.sha256 === manifest.source.sha256) &&
    manifest.source.bytes === (await statOf(request.path)).size && hasTypes(manifest, request);
}

async function hasArchive(manifest: LakeManifest, { path }: TableRequest, signal?: AbortSignal): Promise<boolean> {
  return await digestOf(path, { ...signal && { signal } }) === manifest.source.sha256;
}

/** Whether a table has the names and types that it would get now. */
function hasTypes(manifest: LakeManifest, request: TableRequest): boolean {
  if (manifest.kind === "sequence") return true;
  const plan = planColumns(manifest.header ?? [], request);
  const fields = new Set(manifest.columns.map(({ field }) => field));
  if (fields.size !== plan.names.length || plan.names.some((name) => !fields.has(name))) return false;
  if ((manifest.inferred === true) !== plan.inferred.length > 0) return false;
  const used = definitionsOf(plan);
  const key = ({ name, type, unit }: FieldDefinition) => JSON.stringify([name, type, unit]);
  return JSON.stringify(manifest.definitions.map(key).sort()) === JSON.stringify(used.map(key).sort());
}

function builtTable(manifest: LakeManifest, folder: string, reused: boolean): BuiltTable {
  return { manifest, folder, files: manifest.files.map(({ name }) => join(folder, name)), reused };
}

/** Builds a table in a folder of its own, which takes the place of an older one when it is whole. */
export async function buildTable(request: TableRequest, lake: string, options: BuildLakeOptions): Promise<BuiltTable> {
  const { signal, onProgress } = options;
  const { table } = request;
  const bytes = (await statOf(request.path)).size;
  const task = `building ${table}`;
  const folder = join(lake, table);
  const open = () =>
    openArchive(request.path, {
      onBytes: (done) => onProgress?.({ task, done, total: bytes, unit: "bytes" }),
      ...signal && { signal },
    });
  try {
    await sweepStaging(folder);
    await using staging = await createStagingFolder(folder);
    const { archive, sha256, ...converted } = await convertArchive(request, { folder: staging.path, open, signal });
    signal?.throwIfAborted();
    const manifest = await writeManifest(staging.path, {
      lake: 2,
      table,
      toolkit: TOOLKIT,
      built: new Date().toISOString(),
      source: { archive: basename(request.path), sha256, bytes },
      header: archive.header,
      dates: request.dates,
      ...converted,
    });
    await staging.replace();
    onProgress?.({ task, done: bytes, total: bytes, unit: "bytes", finished: true });
    return builtTable(manifest, folder, false);
  } catch (error) {
    throw isDiskFault(error) ? diskError(error, { action: `write to ${lake}` }) : error;
  }
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
