/** Archives to a lake, in a folder or in an object store. */
import { rereadablePaths } from "../../../io/bytes/rereadable.ts";
import { checkArgument, checkOptions } from "../../../options/check_options.ts";
import { isObjectAddress } from "../../../io/objects/object_address.ts";
import { BUILD_LAKE_OPTIONS, buildLakeBy, type BuildLakeOptions, type PartLimits } from "../build/build_lake.ts";
import { type BuiltTable, LAKE_RULE } from "../build/lake_layout.ts";
import * as rule from "../../../options/rules.ts";

const ARCHIVES = rule.required(rule.either(rule.textLike("a path", /./s), rule.listOf(rule.text, "paths")));

/**
 * Builds tables of a lake from archives, those that are not there yet.
 *
 * @param archives Path of an archive (`.csv.gz` or `.csv`), of a folder that holds some of the eight, or several paths.
 * @param target Folder of the lake, made when absent, or `s3://BUCKET/PREFIX`. Tables of other archives in it stay.
 * @param options Definitions, naming, object store, progress, signal.
 * @returns The tables, in the order of the archives. Rows that could not be read and values that do not fit are counted
 * in each manifest.
 * @throws {RegistryError} With code `disk` if a file cannot be read or written; with code `not-an-archive-set` if a
 * folder holds no archive.
 * @throws {ObjectStoreError} If the store cannot be reached or refuses; the lake in it is as it was then.
 * @throws {RegistryError} With code `checksum` if an archive does not match its checksum file.
 * @throws {GzipError | ParseError} If an archive is damaged or no CSV. Nothing of it is left then; tables that were
 * whole before stay.
 * @see Specification 4.1 for the archives. The lake is our own form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { buildLake } from "./build_any_lake.ts";
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
  target: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  return buildAnyLakeBy({}, archives, target, options);
}

/** {@linkcode buildLake} with other limits. */
export async function buildAnyLakeBy(
  limits: PartLimits,
  archives: string | readonly string[],
  target: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  checkArgument("buildLake()", "archives", archives, ARCHIVES);
  checkArgument("buildLake()", "target", target, LAKE_RULE);
  checkOptions("buildLake()", options, BUILD_LAKE_OPTIONS);
  const given = typeof archives === "string" ? [archives] : archives;
  using files = await rereadablePaths(given, options);
  if (!isObjectAddress(target)) return await buildLakeBy(limits, files.paths, target, options);
  const { buildObjectLake } = await import("./build_object_lake.ts");
  return await buildObjectLake(limits, files.paths, target, options);
}
