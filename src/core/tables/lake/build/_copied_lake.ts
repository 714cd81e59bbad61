/** A lake of an object store that was copied into a folder, by `aws s3 sync` or otherwise. */
import { join } from "node:path";
import { LAKE_OBJECT, parseLakeObject } from "./object_manifest.ts";
import { LAKE_FILES, type LakeManifest } from "./lake_manifest.ts";

/** A table of such a lake. */
export interface CopiedTable {
  readonly manifest: LakeManifest;
  /** Path of the `lake.json`. */
  readonly list: string;
  /** Folder of its Parquet files. */
  readonly folder: string;
  /** Folder of the texts that are not written as their type is. */
  readonly about: string;
}

/**
 * Lists the tables of a copied lake; none where there is no `lake.json`. Those of form 2 have files of other names in a
 * store, and are left out.
 *
 * @throws {ParseError} If the list is not as it was written.
 */
export async function copiedTables(lake: string): Promise<CopiedTable[]> {
  const list = join(lake, LAKE_OBJECT);
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(list);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return [];
    throw cause;
  }
  const next = "copy the lake again, from the object store that has it";
  const listed = parseLakeObject(bytes, list, next).filter(({ manifest }) => manifest.lake === 3);
  return listed.map(({ manifest, build }) => ({
    manifest,
    list,
    folder: join(lake, manifest.table, build),
    about: join(lake, LAKE_FILES, manifest.table, build),
  }));
}
