/**
 * Lakes of verified archives in the cache: converted to Parquet once per archive digest.
 *
 * ```text
 * CACHE/lake/full_dataset_metadata-DIGEST/…   the lake of one archive, as `buildLake` writes it
 * CACHE/lake/set-KEY/…                        a lake of several: hard links to the same files
 * ```
 *
 * The digest was proved when the archive was verified, so a lake that is there is opened without reading the archive.
 */
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../io/files/make_folder.ts";
import { createStagingFolder } from "../../io/files/staging_folder.ts";
import { RegistryError } from "../../errors.ts";
import { useFolder } from "../../io/files/folder_use.ts";
import { FIELD_DEFINITIONS, type FieldDefinition } from "../../contract/metadata.ts";
import { acquireLock } from "../../io/files/lock.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import { sha256Of } from "../../io/digest/sha256.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { TOOLKIT } from "../../contract/version.ts";
import { buildsFolder, type BuiltTable, lakeTables, pathOf } from "../../tables/lake/build/lake_layout.ts";
import { MANIFEST_NAME } from "../../tables/lake/build/lake_manifest.ts";
import { buildLake } from "../../tables/lake/objects/build_any_lake.ts";
import { checkStructure } from "../../tables/lake/open/check_lake.ts";
import type { Engine } from "../../engine/engine.ts";
import { ENGINE_RULE, type Lake, openLake } from "../../tables/lake/open/open_lake.ts";
import { DATE_COLUMNS, type DateColumns } from "../../tables/types/table.ts";
import { type DefinedArchive, findArchiveDefinitions, lakeFolder } from "./archive_definitions.ts";
import type { DefinitionCache } from "./definition_cache.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** Options of `DatasetResult.lake`. */
export interface ArchiveLakeOptions {
  /** Whether dates come as text, or with columns to compute with; `text` by default. Each way is a lake of its own. */
  readonly dates?: DateColumns;
  /**
   * Definitions that determine the column types; by default the registry's, else the saved ones. Without any, types are
   * inferred from names and all values. Each variant is a separate lake.
   */
  readonly definitions?: readonly FieldDefinition[];
  /** Whether every column stays text; no by default. A lake of its own too. */
  readonly text?: boolean;
  /** What runs the queries of the lake; this process by default. It has to read the files of the cache folder. */
  readonly engine?: Engine;
  /** Receives the progress of the conversion, in bytes of the archive. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; nothing is left behind then. */
  readonly signal?: AbortSignal;
}

export const ARCHIVE_LAKE_OPTIONS = {
  dates: DATE_COLUMNS,
  definitions: FIELD_DEFINITIONS,
  text: rule.flag,
  engine: ENGINE_RULE,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<ArchiveLakeOptions>;

/** What is known of the registry. */
export interface LakeSurroundings {
  readonly definitions: DefinitionCache;
  readonly naming: Naming;
  readonly cache: string;
}

/** Opens the lake of one archive; builds it when it is not there. */
export async function openArchiveLake(
  archive: DefinedArchive,
  known: LakeSurroundings,
  options: ArchiveLakeOptions = {},
): Promise<Lake> {
  const { lake } = await ensureTable(archive, known, options);
  return await openUsed(lake, options.engine);
}

/**
 * Opens one lake of several archives; builds what is not there. Tables are converted once, however they are combined.
 */
export async function openLakeOfArchives(
  archives: readonly DefinedArchive[],
  known: LakeSurroundings,
  options: ArchiveLakeOptions = {},
): Promise<Lake> {
  const tables: BuiltTable[] = [];
  for (const archive of archives) tables.push((await ensureTable(archive, known, options)).table);
  const key = digestOf(tables.map(({ manifest }) => JSON.stringify(manifest)).sort());
  const folder = join(known.cache, "lake", `set-${key}`);
  if (!await isWhole(folder, tables)) await linkTables(tables, folder, options.signal);
  return await openUsed(folder, options.engine);
}

interface TableOfLake {
  readonly lake: string;
  readonly table: BuiltTable;
}

async function ensureTable(
  archive: DefinedArchive,
  known: LakeSurroundings,
  options: ArchiveLakeOptions,
): Promise<TableOfLake> {
  const { dates = "text", text = false, onProgress, signal } = options;
  const own = `${lakeFolder(known.cache, archive)}${namingSuffix(known.naming)}${typesSuffix(options)}`;
  const lake = dates === "text" ? own : `${own}-dates`;
  const isAsked = !text && options.definitions === undefined;
  const isDone = (table: BuiltTable | undefined) => table !== undefined && !(isAsked && mayLackTypes(table));
  const found = await findTable(archive, lake);
  if (found !== undefined && isDone(found)) return { lake, table: found };
  await makeFolder(dirname(lake), CACHE_ADVICE);
  await using _lock = await lockLake(lake, signal);
  const built = await findTable(archive, lake);
  if (built !== undefined && isDone(built)) return { lake, table: built };
  const definitions = options.definitions ??
    (text ? [] : (await findArchiveDefinitions(archive, known, signal)).definitions);
  // A lake whose types were inferred is better than none, and its next opening asks again.
  if (built !== undefined && definitions.length === 0) return { lake, table: built };
  const [table] = await buildLake(archive.path, lake, {
    definitions,
    text,
    naming: known.naming,
    dates,
    onProgress,
    signal,
  });
  return { lake, table };
}

/** Distinguishes lakes whose identifiers stand in another column than the specification's. */
function namingSuffix({ accessionField: field, accessionAlias: alias }: Naming): string {
  const { accessionField, accessionAlias } = SPECIFICATION_NAMING;
  return field === accessionField && alias === accessionAlias ? "" : `-${digestOf([field, alias])}`;
}

/** Distinguishes lakes whose types come from elsewhere than the registry. */
function typesSuffix({ text = false, definitions }: ArchiveLakeOptions): string {
  if (text) return "-text";
  return definitions === undefined ? "" : `-${digestOf([JSON.stringify(definitions)])}`;
}

/** Opens a lake and locks it against pruning until it is closed. The lock file's time is that of its last use. */
async function openUsed(folder: string, engine?: Engine): Promise<Lake> {
  const use = await useFolder(folder);
  if (use === undefined) {
    throw new RegistryError("disk", `Cannot open the lake ${folder}: it is just being pruned; open it again`);
  }
  const onClose = () => use[Symbol.dispose]();
  return await openLake(folder, { onClose, engine }).catch((error) => {
    onClose();
    throw error;
  });
}

const CACHE_ADVICE = "choose a cache you can write to";

/** The table as it was built before, if all of its files are there. The cache's archive is the one with that digest. */
async function findTable({ id, sha256 }: DefinedArchive, lake: string): Promise<BuiltTable | undefined> {
  // A damaged manifest is built anew.
  const tables = await lakeTables(lake).catch(() => []);
  const found = tables.find(({ manifest }) =>
    manifest.lake === 3 && manifest.table === id && manifest.source.sha256 === sha256 && manifest.toolkit === TOOLKIT
  );
  return found !== undefined && hasFiles(found) ? found : undefined;
}

/** Whether its files are there, with the page headers and footers that were written; else it is built anew. */
function hasFiles(table: BuiltTable): boolean {
  try {
    checkStructure(table);
    return true;
  } catch (cause) {
    if (cause instanceof RegistryError) return false;
    throw cause;
  }
}

/** Metadata that was built while the registry gave no definitions. */
function mayLackTypes({ manifest }: BuiltTable): boolean {
  return manifest.kind === "metadata" && manifest.definitions.length === 0;
}

async function isWhole(folder: string, tables: readonly BuiltTable[]): Promise<boolean> {
  const there = await lakeTables(folder).catch(() => []);
  if (there.length !== tables.length) return false;
  return there.every(hasFiles);
}

/** Hard-links the files of several lakes into one folder, atomically; one process at a time. */
async function linkTables(tables: readonly BuiltTable[], folder: string, signal?: AbortSignal): Promise<void> {
  await makeFolder(dirname(folder), CACHE_ADVICE);
  await using _lock = await lockLake(folder, signal);
  if (await isWhole(folder, tables)) return;
  await using staging = await createStagingFolder(folder);
  for (const table of tables) {
    const { manifest, about } = table;
    const own = {
      folder: join(staging.path, manifest.table),
      about: join(buildsFolder(staging.path, manifest.table), basename(about)),
    };
    await makeFolder(own.folder, CACHE_ADVICE);
    await makeFolder(own.about, CACHE_ADVICE);
    for (const file of [...manifest.files, ...manifest.raw]) await linkOrCopy(pathOf(table, file), pathOf(own, file));
    await linkOrCopy(join(about, MANIFEST_NAME), join(own.about, MANIFEST_NAME));
  }
  // What is there is damaged, or lacks a table.
  await staging.replace();
}

/** Waits until no other process builds a lake. */
async function lockLake(lake: string, signal?: AbortSignal): Promise<AsyncDisposable> {
  return await acquireLock(join(dirname(lake), `.${basename(lake)}.lock`), { signal });
}

/** A second name costs no space; filesystems without them get a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await Deno.link(from, to).catch(() => Deno.copyFile(from, to));
}

function digestOf(texts: readonly string[]): string {
  return sha256Of(texts.map((text) => `${text}\n`).join("")).slice(0, 32);
}
