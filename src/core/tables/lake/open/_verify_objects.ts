/** Whether the objects of a lake are still as they were uploaded, byte by byte. */
import { ParseError } from "../../../errors.ts";
import {
  below,
  formatObjectAddress,
  type ObjectAddress,
  parseObjectAddress,
} from "../../../io/objects/object_address.ts";
import { openObjectStore } from "../../../io/objects/object_store.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import type { ObjectStoreOptions } from "../../../io/objects/store_options.ts";
import type { OnProgress } from "../../../io/tasks/progress.ts";
import { isUnderWay, LAKE_OBJECT } from "../build/object_manifest.ts";
import type { ObjectTable } from "../objects/object_table.ts";
import { objectTables } from "../objects/open_object_lake.ts";
import { judge, type LakeVerdict, strangerVerdict } from "./_lake_verdict.ts";

/** Reads every object of a lake and compares its SHA-256 with the manifest. */
export async function verifyObjects(
  lake: string,
  options: { readonly store?: ObjectStoreOptions; readonly onProgress?: OnProgress; readonly signal?: AbortSignal },
): Promise<LakeVerdict[]> {
  const { onProgress, signal } = options;
  const address = parseObjectAddress(lake);
  const store = await openObjectStore(lake, options.store);
  let tables: readonly ObjectTable[];
  try {
    tables = await objectTables(store, address, signal);
  } catch (cause) {
    if (cause instanceof ParseError) return [{ name: LAKE_OBJECT, ok: false, unread: false, reason: cause.message }];
    throw cause;
  }
  const verdicts: LakeVerdict[] = [{ name: LAKE_OBJECT, ok: true, unread: false, reason: "" }];
  const total = tables.reduce((sum, { objects }) => sum + objects.all.length, 0);
  for (const { manifest, objects } of tables) {
    for (const one of objects.all) {
      signal?.throwIfAborted();
      onProgress?.({ task: `verifying ${manifest.table}`, done: verdicts.length - 1, total, unit: "files" });
      const name = `${manifest.table}/${one.file.name}`;
      const again = `build the lake again: seqreg lake ${manifest.source.archive} -o ${formatObjectAddress(address)}`;
      const damage = `its bytes are not those that were uploaded; ${again}`;
      verdicts.push(await judge(name, { isWhole: () => objects.isWhole(one, undefined, signal), damage, signal }));
    }
  }
  for (const table of tables) {
    const strangers = await strangersOf(table, address, signal);
    verdicts.push(...strangers.map((name) => strangerVerdict(name, "prefix")));
  }
  onProgress?.({ task: "verifying the lake", done: total, total, unit: "files", finished: true });
  return verdicts;
}

/** Parquet objects below a table's prefix that do not belong to it; none where listing is not allowed. */
async function strangersOf(
  { manifest, objects }: ObjectTable,
  lake: ObjectAddress,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const own = new Set(objects.all.map(({ address }) => address.key));
  const start = below(lake, "").key.length;
  const strangers: string[] = [];
  try {
    for await (const { key, modifiedMs } of objects.store.list(below(lake, `${manifest.table}/`), signal)) {
      const name = key.slice(start);
      if (/\.parquet$/i.test(key) && !own.has(key) && !isUnderWay(name, modifiedMs)) strangers.push(name);
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreError) || error.fault !== "denied") throw error;
  }
  return strangers.sort();
}
