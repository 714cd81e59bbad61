/** Whether a lake is still as it was built, byte by byte. */
import { join, relative } from "node:path";
import { ParseError, RegistryError } from "../../../errors.ts";
import { isFolder } from "../../../io/files/is_there.ts";
import { isObjectAddress } from "../../../io/objects/object_address.ts";
import { type ObjectStoreOptions, STORE_RULE } from "../../../io/objects/store_options.ts";
import type { OnProgress } from "../../../io/tasks/progress.ts";
import { type BuiltTable, findTable, LAKE_RULE, pathOf, tableNames } from "../build/lake_layout.ts";
import { isFileWhole, MANIFEST_NAME } from "../build/lake_manifest.ts";
import { LAKE_OBJECT } from "../build/object_manifest.ts";
import { judge, type LakeVerdict, OLD, strangerVerdict } from "./_lake_verdict.ts";
import { verifyObjects } from "./_verify_objects.ts";
import { filesOf, remedy } from "./check_lake.ts";
import type { OptionRules } from "../../../options/option_rule.ts";
import * as rule from "../../../options/rules.ts";
import { checkArgument, checkOptions } from "../../../options/check_options.ts";

export type { LakeVerdict };

/** Options of {@linkcode verifyLake}. */
export interface VerifyLakeOptions {
  /** Region, endpoint and key of the object store, where the lake is in one; the environment's by default. */
  readonly store?: ObjectStoreOptions;
  /** Receives the progress of the hashing. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const VERIFY_LAKE_OPTIONS = {
  store: STORE_RULE,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<VerifyLakeOptions>;

/**
 * Hashes every file of a lake and compares it with its table's manifest, and the manifest with its own checksum.
 *
 * @param folder Folder of the lake, or its address `s3://BUCKET/PREFIX`.
 * @param options Object store, progress and signal.
 * @returns A verdict for each manifest and each Parquet file, table by table. A file without a checksum, of a lake that
 * an older toolkit built, is not verified: `ok` is false; so is one that is no part of the table in whose folder, or
 * below whose prefix, it is.
 * @throws {RegistryError} With code `disk` if the folder does not exist or has no table.
 * @throws {ObjectStoreError} If the store cannot be reached, refuses, or has no lake at the address.
 * @see Not shown in the specification: a lake is our own form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { buildLake } from "../objects/build_any_lake.ts";
 * import { verifyLake } from "./verify_lake.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,Country\nvj000000000001,Kenya\n"));
 * await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
 *
 * const verdicts = await verifyLake(`${folder}/lake`);
 * assertEquals(verdicts.map(({ name, ok }) => [name.replace(/.*\//, "").slice(0, 10), ok]), [["manifest.j", true],
 *   ["part-00000", true]]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function verifyLake(folder: string, options: VerifyLakeOptions = {}): Promise<LakeVerdict[]> {
  checkArgument("verifyLake()", "folder", folder, LAKE_RULE);
  checkOptions("verifyLake()", options, VERIFY_LAKE_OPTIONS);
  if (isObjectAddress(folder)) return await verifyObjects(folder, options);
  const { signal, onProgress } = options;
  let tables: string[];
  try {
    tables = await tableFolders(folder);
  } catch (cause) {
    if (cause instanceof ParseError) return [{ name: LAKE_OBJECT, ok: false, unread: false, reason: cause.message }];
    throw cause;
  }
  const verdicts: LakeVerdict[] = [];
  for (const [index, table] of tables.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ task: `verifying ${table}`, done: index, total: tables.length, unit: "files" });
    for (const verdict of await verifyTable(folder, table, signal)) {
      // The tables of a copied lake have one list.
      if (!verdicts.some(({ name }) => name === verdict.name)) verdicts.push(verdict);
    }
  }
  onProgress?.({
    task: "verifying the lake",
    done: tables.length,
    total: tables.length,
    unit: "files",
    finished: true,
  });
  if (verdicts.length > 0) return verdicts;
  throw new RegistryError("disk", `Cannot verify the lake ${folder}: no table is in it; build it first`);
}

/** A verdict for the manifest of a table and for each of its files; none if it has no manifest. */
async function verifyTable(lake: string, name: string, signal?: AbortSignal): Promise<LakeVerdict[]> {
  let table: BuiltTable | undefined;
  try {
    table = await findTable(lake, name);
    if (table === undefined) return [];
  } catch (cause) {
    const isUnread = cause instanceof RegistryError && cause.code === "disk";
    if (!isUnread && !(cause instanceof ParseError)) throw cause;
    return [{ name: isUnread ? name : `${name}/${MANIFEST_NAME}`, ok: false, unread: isUnread, reason: cause.message }];
  }
  const { manifest, about } = table;
  const nameOf = (path: string) => relative(lake, path).replaceAll("\\", "/");
  const manifestName = nameOf(table.list ?? join(about, MANIFEST_NAME));
  const isOld = manifest.checksum === undefined;
  const verdicts = [{ name: manifestName, ok: !isOld, unread: false, reason: isOld ? `${manifestName} ${OLD}` : "" }];
  for (const file of filesOf(manifest)) {
    signal?.throwIfAborted();
    const path = pathOf(table, file);
    const damage = `its bytes are not those that were written; ${remedy(table)}`;
    verdicts.push(await judge(nameOf(path), { isWhole: () => isFileWhole(path, file, signal), damage, signal }));
  }
  return [...verdicts, ...(await strangersIn(lake, table)).map((path) => strangerVerdict(nameOf(path), "folder"))];
}

/** Parquet files in a table's folder, and in folders of it, that do not belong to it. */
async function strangersIn(lake: string, { manifest, folder, about, files }: BuiltTable): Promise<string[]> {
  const around = join(lake, manifest.table);
  if (folder === about || !await isFolder(around)) return [];
  const own = new Set(files);
  const strangers = (await filesIn(around)).filter((path) => /\.parquet$/i.test(path) && !own.has(path)).sort();
  // Another process may have built the table meanwhile.
  const isCurrent = strangers.length > 0 && (await findTable(lake, manifest.table))?.about === about;
  return isCurrent ? strangers : [];
}

/** Paths of all files in a folder and in those of it; links are not followed. */
async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    paths.push(...isDirectory ? await filesIn(join(folder, name)) : [join(folder, name)]);
  }
  return paths;
}

async function tableFolders(folder: string): Promise<string[]> {
  try {
    return await tableNames(folder);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !(cause instanceof Deno.errors.NotADirectory)) throw cause;
    const why = cause instanceof Deno.errors.NotFound ? "the folder does not exist" : "it is a file, not a folder";
    throw new RegistryError("disk", `Cannot verify the lake ${folder}: ${why}; build it first, with seqreg lake`, {
      cause,
    });
  }
}
