/** Removes what no lake needs any more: replaced tables, and what killed processes left. */
import { below, type ObjectAddress } from "../../../io/objects/object_address.ts";
import type { ObjectStore } from "../../../io/objects/object_store.ts";
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import { buildTimeOfKey, isOwnKey, isUnderWay, type ListedTable, partKey } from "../build/object_manifest.ts";
import { findLake } from "./open_object_lake.ts";

const DAY_MS = 24 * 3_600_000;
/** A build that takes longer has its uploads removed before it ends; it then fails and says so. */
const STALE_UPLOAD_MS = 7 * DAY_MS;
const AT_A_TIME = 8;

export async function removeObjects(
  store: ObjectStore,
  lake: ObjectAddress,
  tables: readonly ListedTable[],
): Promise<void> {
  const keys = tables.flatMap((table) =>
    [...table.manifest.files, ...table.manifest.raw].map((file) => partKey(table, file))
  );
  const removed = mapAhead(ReadableStream.from(keys), { ahead: AT_A_TIME }, (key) => store.remove(below(lake, key)));
  for await (const _ of removed);
}

/** Removes objects and unfinished uploads of builds that ended in a kill. */
export async function sweepLake(store: ObjectStore, lake: ObjectAddress, nowMs: number = Date.now()): Promise<void> {
  const prefix = lake.key === "" ? "" : `${lake.key}/`;
  for (const { key, id, startedMs } of await store.listUploads({ ...lake, key: prefix })) {
    const own = key.slice(prefix.length);
    // Some stores date every upload alike, such as moto: 2010.
    const begunMs = Math.max(startedMs, buildTimeOfKey(own) ?? 0);
    if (isOwnKey(own) && nowMs - begunMs > STALE_UPLOAD_MS) await store.abortUpload({ ...lake, key }, id);
  }
  const stale: string[] = [];
  for await (const { key, modifiedMs } of store.list({ ...lake, key: prefix })) {
    const own = key.slice(prefix.length);
    if (isOwnKey(own) && !isUnderWay(own, modifiedMs, nowMs)) stale.push(key);
  }
  if (stale.length === 0) return;
  const tables = (await findLake(store, lake))?.tables ?? [];
  const listed = new Set(
    tables.flatMap((table) =>
      [...table.manifest.files, ...table.manifest.raw].map((file) => prefix + partKey(table, file))
    ),
  );
  for (const key of stale) if (!listed.has(key)) await store.remove({ ...lake, key });
}
