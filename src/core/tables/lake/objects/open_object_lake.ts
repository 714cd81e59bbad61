/** A lake in an object store is found by its `lake.json`. */
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
  const list = below(lake, LAKE_OBJECT);
  const found = await store.readWhole(list, { maxBytes: MAX_LAKE_OBJECT_BYTES, signal });
  return found && { tables: parseLakeObject(found.bytes, formatObjectAddress(list)), etag: found.etag };
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
