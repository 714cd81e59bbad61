/**
 * Where the files of a lake are.
 *
 * ```text
 * LAKE/TABLE/part-00000-0123456789abcdef.parquet        the table and nothing else, for readers of folders
 * LAKE/_lake/TABLE/BUILD/manifest.json                  what is in it and where it comes from
 * LAKE/_lake/TABLE/BUILD/part-00000-….raw               texts that are not written as their type is, in Parquet
 * ```
 *
 * Names of parts hold the beginning of their SHA-256, so that no two states of a table share a name: a lake that is
 * built again while it is open is noticed, and of several manifests the one whose parts are there is the table's. In
 * lakes of form 2, `LAKE/TABLE` holds all of it under names that every build uses again. A lake of an object store that
 * was copied into a folder has the names that it had there, and `LAKE/lake.json` instead of manifests.
 */
import { join } from "node:path";
import { RegistryError } from "../../../errors.ts";
import { isFolder, isThere } from "../../../io/files/is_there.ts";
import type { OptionRule } from "../../../options/option_rule.ts";
import * as rule from "../../../options/rules.ts";
import { copiedTables } from "./_copied_lake.ts";
import { LAKE_FILES, type LakeFile, type LakeManifest, MANIFEST_NAME, readManifest } from "./lake_manifest.ts";

export const LAKE_RULE: OptionRule<string> = rule.required(
  rule.textLike("a path or an address s3://BUCKET/PREFIX", /./s),
);

/** One table of a lake, as it was built or found. */
export interface BuiltTable {
  /** What is in it. */
  readonly manifest: LakeManifest;
  /** Folder of its Parquet files, which holds nothing else in lakes of form 3. */
  readonly folder: string;
  /** Paths of its Parquet files, in order. */
  readonly files: readonly string[];
  /** Folder of its manifest and of the texts that are not written as their type is. */
  readonly about: string;
  /** Whether it was there already, of the same archive, definitions and toolkit. */
  readonly reused: boolean;
  /** Path of the `lake.json` that has its manifest, where the lake is a copy of one in an object store. */
  readonly list?: string;
}

/** Makes the name of a build: its time, and chance. */
export function makeBuildName(): string {
  return `${new Date().toISOString().replace(/[-:]|\.[0-9]+/g, "")}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Name of a table's file number `index`, counted from 0, of the given SHA-256. */
export function partName(index: number, ending: "parquet" | "raw", sha256: string): string {
  return `part-${String(index).padStart(5, "0")}-${sha256.slice(0, 16)}.${ending}`;
}

export interface TableFolders {
  /** Folder of its Parquet files. */
  readonly folder: string;
  readonly about: string;
}

export function tableFolders(lake: string, table: string, build: string): TableFolders {
  return { folder: join(lake, table), about: join(buildsFolder(lake, table), build) };
}

export function builtTable(manifest: LakeManifest, folders: TableFolders, reused: boolean): BuiltTable {
  const { folder, about } = folders;
  return { manifest, folder, about, files: manifest.files.map(({ name }) => join(folder, name)), reused };
}

export function pathOf({ folder, about }: TableFolders, { name }: Pick<LakeFile, "name">): string {
  return join(name.endsWith(".raw") ? about : folder, name);
}

/** The builds of a table that have a manifest's folder, the newest first. */
export async function buildsOf(lake: string, table: string): Promise<string[]> {
  return (await foldersIn(buildsFolder(lake, table))).reverse();
}

export function buildsFolder(lake: string, table: string): string {
  return join(lake, LAKE_FILES, table);
}

/** Times that a table is looked for again while another process replaces it. */
const MAX_LOOKS = 5;

/**
 * Finds a table of a lake; `undefined` if it has no manifest.
 *
 * @throws {ParseError} If its manifest is damaged.
 * @throws {RegistryError} With code `disk` if it has a manifest, and its folder is absent, or parts and no manifest.
 */
export async function findTable(lake: string, table: string): Promise<BuiltTable | undefined> {
  for (let look = 1;; look++) {
    const builds = await buildsOf(lake, table);
    const found: BuiltTable[] = [];
    for (const build of builds) {
      const folders = tableFolders(lake, table, build);
      const manifest = await readManifest(folders.about);
      if (manifest !== undefined) found.push(builtTable(manifest, folders, true));
    }
    // Another process may have removed what was listed.
    if (found.length === 0 && builds.length > 0 && look < MAX_LOOKS) continue;
    if (found.length === 0) {
      return await findOldTable(lake, table) ?? await findCopy(lake, table) ?? await refuseParts(lake, table);
    }
    if (!await isFolder(join(lake, table))) {
      if (look < MAX_LOOKS) continue;
      throw absentTable(lake, found[0]);
    }
    if (found.length === 1) return found[0];
    for (const one of found) if (await hasFiles(one)) return one;
    return found[0];
  }
}

/** Lists the tables of a lake, in the order of their names. @throws As {@linkcode findTable} does. */
export async function lakeTables(lake: string): Promise<BuiltTable[]> {
  const tables: BuiltTable[] = [];
  for (const name of await tableNames(lake)) {
    const table = await findTable(lake, name);
    if (table !== undefined) tables.push(table);
  }
  return tables;
}

/** Refuses a folder of a lake that has parts of a table, whose manifest is absent. */
async function refuseParts(lake: string, table: string): Promise<undefined> {
  const folder = join(lake, table);
  if (!await isFolder(folder) || !await isFolder(join(lake, LAKE_FILES))) return;
  for await (const { name } of Deno.readDir(folder)) {
    if (!/^part-[0-9]{5}-[0-9a-f]{16}\.parquet$/.test(name)) continue;
    throw new RegistryError(
      "disk",
      `Cannot read ${folder}: the folder has parts of a table, and ${join(lake, LAKE_FILES, table)} no manifest of ` +
        "them; restore that folder, build the lake again, or move the parts elsewhere",
    );
  }
}

/**
 * Names of what may be a table of a lake, sorted. Symbolic links are followed.
 *
 * @throws {RegistryError} With code `disk` if a link leads nowhere.
 * @throws {ParseError} If the list of a copied lake is not as it was written.
 */
export async function tableNames(lake: string): Promise<string[]> {
  const names = new Set(await foldersIn(join(lake, LAKE_FILES)));
  for await (const entry of Deno.readDir(lake)) {
    if (entry.name.startsWith(".") || entry.name === LAKE_FILES) continue;
    if (entry.isDirectory || entry.isSymlink && await leadsToFolder(join(lake, entry.name))) names.add(entry.name);
  }
  for (const { manifest } of await copiedTables(lake)) names.add(manifest.table);
  return [...names].sort();
}

/** A table of a lake of form 2, whose folder holds everything. */
async function findOldTable(lake: string, table: string): Promise<BuiltTable | undefined> {
  const folder = join(lake, table);
  const manifest = await readManifest(folder);
  return manifest && builtTable(manifest, { folder, about: folder }, true);
}

/** A table of a lake that was copied out of an object store. */
async function findCopy(lake: string, table: string): Promise<BuiltTable | undefined> {
  const copy = (await copiedTables(lake)).find(({ manifest }) => manifest.table === table);
  return copy && { ...builtTable(copy.manifest, copy, true), list: copy.list };
}

async function hasFiles({ files }: BuiltTable): Promise<boolean> {
  for (const file of files) if (!await isThere(file)) return false;
  return true;
}

/** Names of the folders in a folder, sorted; none if it is absent. */
async function foldersIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory || entry.isSymlink && await isFolder(join(folder, entry.name))) names.push(entry.name);
    }
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return [];
    throw cause;
  }
  return names.sort();
}

async function leadsToFolder(link: string): Promise<boolean> {
  try {
    return (await Deno.stat(link)).isDirectory;
  } catch (cause) {
    const target = await Deno.readLink(link).catch(() => "");
    throw new RegistryError(
      "disk",
      `Cannot read ${link}: the symbolic link leads to ${JSON.stringify(target)}, which does not exist; ` +
        "restore what it leads to, or remove the link",
      { cause },
    );
  }
}

function absentTable(lake: string, { manifest, folder, about }: BuiltTable): RegistryError {
  return new RegistryError(
    "disk",
    `Cannot read ${folder}: the folder does not exist, although ${join(about, MANIFEST_NAME)} describes the table ` +
      `${manifest.table} in it; restore the folder, or build the lake again: ` +
      `seqreg lake ${manifest.source.archive} -o ${lake}`,
  );
}
