/** The tables of a lake, as its manifests list them, with files that are as they were written. */
import { RegistryError } from "../../../errors.ts";
import { isObjectAddress, parseObjectAddress } from "../../../io/objects/object_address.ts";
import { openObjectStore } from "../../../io/objects/object_store.ts";
import type { ObjectStoreOptions } from "../../../io/objects/store_options.ts";
import { type BuiltTable, lakeTables } from "../build/lake_layout.ts";
import { objectTables } from "../objects/open_object_lake.ts";
import { checkStructure } from "./check_lake.ts";

/**
 * Finds the tables of a lake in a folder or an object store, in the order of their names.
 *
 * @throws {RegistryError} With code `disk` if the folder does not exist, has no table, or a file is absent; with code
 * `damaged` if page headers or a footer are not those that were written.
 * @throws {ObjectStoreError} If the store cannot be reached, refuses, has no lake at the address, or an object is lost
 * or is not the one that was uploaded.
 * @throws {ParseError} If a manifest is damaged.
 */
export async function findLakeTables(lake: string, store?: ObjectStoreOptions): Promise<BuiltTable[]> {
  return isObjectAddress(lake) ? await findObjects(lake, store) : await findTables(lake);
}

/** Times that a lake is looked at again while another process builds a table of it. */
const MAX_LOOKS = 5;

async function findTables(folder: string): Promise<BuiltTable[]> {
  for (let look = 1;; look++) {
    const tables = await listTables(folder);
    try {
      tables.forEach((table) => checkStructure(table));
    } catch (cause) {
      if (look < MAX_LOOKS && !areEqual(tables, await listTables(folder))) continue;
      throw cause;
    }
    if (tables.length > 0) return tables;
    throw new RegistryError("disk", `Cannot open the lake ${folder}: no table is in it; build it first`);
  }
}

async function listTables(folder: string): Promise<BuiltTable[]> {
  try {
    return await lakeTables(folder);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !(cause instanceof Deno.errors.NotADirectory)) throw cause;
    const why = cause instanceof Deno.errors.NotFound ? "the folder does not exist" : "it is a file, not a folder";
    const next = "build it first, with seqreg lake";
    throw new RegistryError("disk", `Cannot open the lake ${folder}: ${why}; ${next}`, { cause });
  }
}

function areEqual(tables: readonly BuiltTable[], others: readonly BuiltTable[]): boolean {
  const builds = (list: readonly BuiltTable[]) => list.map(({ about, manifest }) => about + manifest.built).join("\n");
  return builds(tables) === builds(others);
}

/** Finds the tables of a lake in a store, whose objects are all there and as they were. */
async function findObjects(lake: string, options: ObjectStoreOptions | undefined): Promise<BuiltTable[]> {
  const address = parseObjectAddress(lake);
  const tables = await objectTables(await openObjectStore(lake, options), address);
  await Promise.all(tables.map(({ objects }) => objects.check()));
  return tables;
}
