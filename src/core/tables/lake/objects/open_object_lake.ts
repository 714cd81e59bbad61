/** A lake in an object store is found by its `lake.json`. */
import { ParseError } from "../../../errors.ts";
import { below, formatObjectAddress, type ObjectAddress } from "../../../io/objects/object_address.ts";
import type { ObjectStore } from "../../../io/objects/object_store.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { LAKE_OBJECT, type ListedTable, MAX_LAKE_OBJECT_BYTES, parseLakeObject } from "../build/object_manifest.ts";
import { type ObjectTable, objectTable } from "./object_table.ts";

/** What `lake.json` held, and its tag. */
export interface FoundLake {
  /** The tables, in the order of their names. */
  readonly tables: readonly ListedTable[];
  /** The store's tag of `lake.json`. */
  readonly etag: string;
}

/** Reads `lake.json`; `undefined` if it is missing. @throws {ParseError} If it is not as it was written. */
export async function findLake(
  store: ObjectStore,
  lake: ObjectAddress,
  signal?: AbortSignal,
): Promise<FoundLake | undefined> {
  const found = await readLakeObject(store, lake, signal);
  return found && { tables: parse(found.bytes, lake), etag: found.etag };
}

/** Reads `lake.json` to write it anew: what is damaged lists no table. */
export async function findLakeToReplace(
  store: ObjectStore,
  lake: ObjectAddress,
  signal?: AbortSignal,
): Promise<FoundLake | undefined> {
  const found = await readLakeObject(store, lake, signal);
  if (found === undefined) return undefined;
  try {
    return { tables: parse(found.bytes, lake), etag: found.etag };
  } catch (error) {
    if (error instanceof ParseError) return { tables: [], etag: found.etag };
    throw error;
  }
}

function readLakeObject(store: ObjectStore, lake: ObjectAddress, signal?: AbortSignal) {
  return store.readWhole(below(lake, LAKE_OBJECT), { maxBytes: MAX_LAKE_OBJECT_BYTES, signal });
}

function parse(bytes: Uint8Array, lake: ObjectAddress): ListedTable[] {
  return parseLakeObject(bytes, formatObjectAddress(below(lake, LAKE_OBJECT)));
}

/**
 * Finds the tables of a lake.
 *
 * @throws {ObjectStoreError} With fault `no-object` if the address has no lake.
 * @throws {ParseError} If `lake.json` is damaged.
 */
export async function objectTables(
  store: ObjectStore,
  lake: ObjectAddress,
  signal?: AbortSignal,
): Promise<ObjectTable[]> {
  const found = await findLake(store, lake, signal);
  const text = formatObjectAddress(lake);
  if (found === undefined || found.tables.length === 0) {
    const message =
      `Cannot open the lake ${text}: there is no ${LAKE_OBJECT}; build it: seqreg lake ARCHIVE -o ${text}`;
    throw new ObjectStoreError(message, { fault: "no-object", address: text });
  }
  return found.tables.map((listed) => objectTable(store, lake, listed));
}
