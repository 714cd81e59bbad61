/**
 * Archives to a lake: folders of Parquet, typed by definitions, built once for each archive; `lake_layout.ts` describes
 * where its files are.
 *
 * Types come from definitions; without any, from all values, in a pass over the archive before it is converted.
 *
 * An archive must match the checksum file in its folder, if there is one. Archives are decompressed to their end and
 * every row is checked before it is encoded, part by part: memory is bounded and a stop comes at once. A table's folder
 * gets its name only when everything in it is written; what a killed process left of one is removed by the next that
 * builds it.
 */
import { basename, join } from "node:path";
import { RegistryError } from "../../../errors.ts";
import { makeFolder } from "../../../io/files/make_folder.ts";
import { createStagingFolder, replaceFolder } from "../../../io/files/staging_folder.ts";
import { diskError, isDiskFault } from "../../../io/files/disk_error.ts";
import { type ObjectStoreOptions, STORE_RULE } from "../../../io/objects/store_options.ts";
import type { OnProgress } from "../../../io/tasks/progress.ts";
import { sha256 as digestOf } from "../../../io/digest/sha256.ts";
import { FIELD_DEFINITIONS, type FieldDefinition } from "../../../contract/metadata.ts";
import { type Naming, NAMING_RULE, SPECIFICATION_NAMING } from "../../../contract/naming.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import { openTable } from "../../open/open_table.ts";
import { definitionsOf, planColumns } from "./_column_plan.ts";
import { convertArchive, type PartLimits, type TableRequest } from "./_convert_archive.ts";
import { isSequenceHeader } from "./_sequence_parts.ts";
import { definitionsBeside, findSources, statedDigest, statOf } from "./_lake_sources.ts";
import {
  buildsFolder,
  buildsOf,
  type BuiltTable,
  builtTable,
  findTable,
  makeBuildName,
  pathOf,
  tableFolders,
} from "./lake_layout.ts";
import { isFileWhole, type LakeManifest, MANIFEST_NAME, writeManifest } from "./lake_manifest.ts";
import { DATE_COLUMNS, type DateColumns } from "../../types/table.ts";
import type { OptionRules } from "../../../options/option_rule.ts";
import * as rule from "../../../options/rules.ts";

export type { PartLimits } from "./_convert_archive.ts";

/** Options of `buildLake`. */
export interface BuildLakeOptions {
  /**
   * Definitions that determine the column types; by default, those of the archives' `definitions.json`. The type of a
   * column without one is inferred from its name and all values by lossless rules, and the manifest records it.
   */
  readonly definitions?: readonly FieldDefinition[];
  /** Whether every column stays text, regardless of definitions; no by default. */
  readonly text?: boolean;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Whether dates get their three columns; see `TableOptions.dates`. */
  readonly dates?: DateColumns;
  /** The sheet of a workbook: its name, or its number from 1; by default the first visible one that holds data. */
  readonly sheet?: string | number;
  /** Encoding of a table of text, by a name of the Encoding standard such as `windows-1252` (default: UTF-8). */
  readonly encoding?: string;
  /** Region, endpoint and key of the object store, where the lake is in one; the environment's by default. */
  readonly store?: ObjectStoreOptions;
  /** Takes what is unusual about the lake's folder or address, in words; its tables' manifests have the rest. */
  readonly onWarning?: (text: string) => void;
  /** Takes progress in bytes of the archive. */
  readonly onProgress?: OnProgress;
  /** Ends the work at once with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

export const BUILD_LAKE_OPTIONS = {
  definitions: FIELD_DEFINITIONS,
  text: rule.flag,
  naming: NAMING_RULE,
  dates: DATE_COLUMNS,
  sheet: rule.either(rule.text, rule.wholeNumber({ from: 1 })),
  encoding: rule.text,
  store: STORE_RULE,
  onWarning: rule.callback(),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<BuildLakeOptions>;

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
  const { sheet, encoding } = options;
  const form = { ...sheet !== undefined && { sheet }, ...encoding !== undefined && { encoding } };
  const requests: TableRequest[] = [];
  for (const source of sources) {
    const given = isText ? [] : options.definitions;
    const known = given === undefined ? await definitionsBeside(source.path) : { definitions: given, remarks: [] };
    const sha256 = await statedDigest(source.path);
    requests.push({ ...source, ...known, form, isText, naming, dates, sha256, ...limits });
  }
  return requests;
}

/** The table as it is there already, if the same archive, definitions and toolkit made it. */
async function findBuilt(request: TableRequest, lake: string, signal?: AbortSignal): Promise<BuiltTable | undefined> {
  const table = await findTable(lake, request.table).catch(() => undefined);
  if (table === undefined || !await hasRequest(table.manifest, request)) return undefined;
  for (const file of [...table.manifest.files, ...table.manifest.raw]) {
    const isWhole = await isFileWhole(pathOf(table, file), file, signal).catch(() => {
      signal?.throwIfAborted();
      return false;
    });
    if (isWhole === false) return undefined;
  }
  return await hasArchive(table.manifest, request, signal) ? table : undefined;
}

/** Whether a table is what its archive would become now; reads the archive. */
export async function isMadeOf(manifest: LakeManifest, request: TableRequest, signal?: AbortSignal): Promise<boolean> {
  return await hasRequest(manifest, request) && await hasArchive(manifest, request, signal);
}

/** Whether toolkit, definitions and the archive's size are those that a table was made by. */
async function hasRequest(manifest: LakeManifest, request: TableRequest): Promise<boolean> {
  return manifest.lake === 3 && manifest.toolkit === TOOLKIT && manifest.missingValues !== undefined &&
    manifest.dates === request.dates &&
    (request.sha256 === undefined || request.sha256 === manifest.source.sha256) &&
    manifest.source.bytes === (await statOf(request.path)).size &&
    manifest.source.sheet === request.form.sheet && manifest.source.encoding === request.form.encoding &&
    hasTypes(manifest, request);
}

async function hasArchive(manifest: LakeManifest, { path }: TableRequest, signal?: AbortSignal): Promise<boolean> {
  return await digestOf(path, { signal }) === manifest.source.sha256;
}

/** Whether a table has the kind, names and types that it would get now. */
function hasTypes(manifest: LakeManifest, request: TableRequest): boolean {
  const plan = planColumns(manifest.header ?? [], request);
  const { accessionField } = request.naming;
  if ((manifest.kind === "sequence") !== isSequenceHeader(plan.names, accessionField)) return false;
  if (manifest.idField !== (plan.names.includes(accessionField) ? accessionField : null)) return false;
  if (manifest.kind === "sequence") return true;
  const fields = new Set(manifest.columns.map(({ field }) => field));
  if (fields.size !== plan.names.length || plan.names.some((name) => !fields.has(name))) return false;
  if ((manifest.inferred === true) !== plan.inferred.length > 0) return false;
  const used = definitionsOf(plan);
  const key = ({ name, type, unit }: FieldDefinition) => JSON.stringify([name, type, unit]);
  return JSON.stringify(manifest.definitions.map(key).sort()) === JSON.stringify(used.map(key).sort());
}

/** Builds a table in a folder of its own, which replaces an older one when it is complete. */
export async function buildTable(request: TableRequest, lake: string, options: BuildLakeOptions): Promise<BuiltTable> {
  const { signal, onProgress } = options;
  const { table } = request;
  const bytes = (await statOf(request.path)).size;
  const task = `building ${table}`;
  const folders = tableFolders(lake, table, makeBuildName());
  const names = await namesIn(folders.folder);
  const former = await buildsOf(lake, table);
  await refuseCopy(lake, table);
  await refuseForeign(folders.folder, names, former.length > 0);
  try {
    await using source = await openTable(request.path, {
      name: basename(request.path),
      ...request.form,
      onBytes: (done) => onProgress?.({ task, done, total: bytes, unit: "bytes" }),
      signal,
    });
    await using staging = await createStagingFolder(folders.folder);
    const written = { folder: join(staging.path, "parts"), about: join(staging.path, "about") };
    await makeFolder(written.folder);
    await makeFolder(written.about);
    const { sha256, ...converted } = await convertArchive(request, { ...written, source, signal });
    signal?.throwIfAborted();
    const manifest = await writeManifest(written.about, {
      lake: 3,
      table,
      toolkit: TOOLKIT,
      built: new Date().toISOString(),
      source: { archive: basename(request.path), sha256, bytes, ...request.form },
      header: source.columns,
      dates: request.dates,
      ...converted,
    });
    await makeFolder(buildsFolder(lake, table));
    // A reader that looks between the two takes the manifest whose parts are there.
    await Deno.rename(written.about, folders.about);
    await replaceFolder(written.folder, folders.folder).catch(async (cause) => {
      await removeBuild(folders.about);
      throw cause;
    });
    for (const build of former) await removeBuild(tableFolders(lake, table, build).about);
    onProgress?.({ task, done: bytes, total: bytes, unit: "bytes", finished: true });
    return builtTable(manifest, folders, false);
  } catch (error) {
    throw isDiskFault(error) ? diskError(error, { action: `write to ${lake}` }) : error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return [];
    throw isDiskFault(cause) ? diskError(cause, { action: `write to ${folder}` }) : cause;
  }
}

/** Rejects a table that was copied out of an object store: its folder would hold two builds. */
async function refuseCopy(lake: string, table: string): Promise<void> {
  const found = await findTable(lake, table).catch(() => undefined);
  if (found?.list === undefined) return;
  throw new RegistryError(
    "disk",
    `Cannot write the table ${
      join(lake, table)
    }: ${lake} is a copy of a lake in an object store; build that lake and ` +
      "copy it again, or name another lake",
  );
}

/** Files that macOS and Windows leave in folders that were looked at, and on disks of other systems. */
const VIEWED = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini)$/i;

/**
 * Rejects a folder with a table's name that holds anything but an earlier build of it: parts that a manifest
 * describes, or whose names have their digest.
 */
async function refuseForeign(folder: string, names: readonly string[], hasManifest: boolean): Promise<void> {
  const isKnown = hasManifest || names.includes(MANIFEST_NAME);
  for (const name of names) {
    const [part, digest] = /^part-[0-9]{5}(?:-([0-9a-f]{16}))?\.(?:parquet|raw)$/.exec(name) ?? [];
    if (isKnown && (part !== undefined || name === MANIFEST_NAME || VIEWED.test(name))) continue;
    if (digest !== undefined && (await digestOf(join(folder, name))).startsWith(digest)) continue;
    throw new RegistryError(
      "disk",
      `Cannot write the table ${folder}: the folder holds ${name}, which is no part of a lake; move it elsewhere, or name another lake`,
    );
  }
}

/** Removes the manifest of a build, and its texts. What is left of it costs space and nothing else. */
async function removeBuild(about: string): Promise<void> {
  await Deno.remove(about, { recursive: true }).catch(() => {});
}
