/**
 * Archives to a lake in an object store: each table is built in a temporary folder and uploaded; when all are there,
 * their parts become objects, and `lake.json` is written last.
 *
 * Until then readers have the lake as it was. Of a process that is killed while it builds or uploads, no part is seen;
 * a later build removes what it left.
 */
import { createScratchFolder } from "../../../io/files/scratch_folder.ts";
import {
  below,
  formatObjectAddress,
  type ObjectAddress,
  parseObjectAddress,
} from "../../../io/objects/object_address.ts";
import { type ObjectStore, openObjectStore } from "../../../io/objects/object_store.ts";
import { probeConditions } from "../../../io/objects/probe_conditions.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { type PendingUpload, uploadFile } from "../../../io/objects/upload_file.ts";
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import { type BuildLakeOptions, buildTable, isMadeOf, type PartLimits, planTables } from "../build/build_lake.ts";
import { type BuiltTable, makeBuildName, pathOf } from "../build/lake_layout.ts";
import { formatLakeObject, LAKE_OBJECT, type ListedTable, partKey, probeKey } from "../build/object_manifest.ts";
import { objectTable } from "./object_table.ts";
import { findLake, type FoundLake } from "./open_object_lake.ts";
import { removeObjects, sweepLake } from "./_sweep.ts";

/** Objects that are uploaded at a time. */
const AT_A_TIME = 4;
/** Uploads that become objects at a time. */
const COMPLETED_AT_A_TIME = 16;
/** Times that `lake.json` is written anew because another process has written it. */
const MAX_COMMITS = 10;

/**
 * Builds tables of a lake, those that the store does not have yet of the same archives, definitions and toolkit.
 *
 * @throws {ObjectStoreError} If the store cannot be reached, refuses, or another process replaced a table meanwhile.
 * @throws {ParseError} If `lake.json` is damaged, or of a newer version: tables of others that it lists would be lost.
 * @throws {RegistryError | ParseError} As `buildLake` of a folder.
 */
export async function buildObjectLake(
  limits: PartLimits,
  archives: string | readonly string[],
  target: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  const { signal } = options;
  const lake = parseObjectAddress(target);
  const requests = await planTables(limits, archives, options);
  const store = await openObjectStore(target, options.store);
  const before = await findLake(store, lake, signal);
  const build = makeBuildName();
  const kept: ListedTable[] = [];
  const written: ListedTable[] = [];
  const tables: ListedTable[] = [];
  const uploads: TableUpload[] = [];
  using scratch = await createScratchFolder("lake");
  try {
    for (const request of requests) {
      const there = before?.tables.find(({ manifest }) => manifest.table === request.table);
      if (
        there !== undefined && await isMadeOf(there.manifest, request, signal) &&
        await isThere(store, lake, there, signal)
      ) {
        kept.push(there);
        tables.push(there);
        continue;
      }
      const built = await buildTable(request, scratch.path, options);
      const listed: TableUpload["listed"] = { manifest: built.manifest, build, etags: {} };
      written.push(listed);
      tables.push(listed);
      const upload: TableUpload = { listed, pending: new Map() };
      uploads.push(upload);
      await uploadTable(store, lake, { ...upload, built }, options);
      for (const folder of [built.folder, built.about]) await Deno.remove(folder, { recursive: true });
    }
    // Files appear now, those of all tables at nearly the same time.
    for (const upload of uploads) await completeTable(upload, signal);
  } catch (error) {
    for (const { pending } of uploads) for (const one of pending.values()) await one.abort();
    await removeObjects(store, lake, written).catch(() => {});
    throw error;
  }
  const replaced = await commit(store, lake, { before, kept, written, options }).catch(
    async (error) => {
      // Where the answer is lost, the lake may be there.
      const isRefused = error instanceof ObjectStoreError && !["unreachable", "busy"].includes(error.fault);
      if (isRefused) await removeObjects(store, lake, written).catch(() => {});
      throw error;
    },
  );
  // The lake is there: what fails from here on leaves objects behind, and nothing else.
  await removeObjects(store, lake, replaced).catch(() => {});
  await sweepLake(store, lake).catch(() => {});
  return tables.map((listed) => {
    const { objects: _, ...table } = objectTable(store, lake, listed);
    return { ...table, reused: kept.includes(listed) };
  });
}

async function isThere(
  store: ObjectStore,
  lake: ObjectAddress,
  there: ListedTable,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await objectTable(store, lake, there).objects.check(signal);
    return true;
  } catch (error) {
    if (error instanceof ObjectStoreError && ["no-object", "changed"].includes(error.fault)) return false;
    throw error;
  }
}

/** A table on its way to the store. */
interface TableUpload {
  /** Its line of `lake.json`, which gets the store's tags. */
  readonly listed: { -readonly [Key in keyof ListedTable]: ListedTable[Key] };
  /** Files that the store has and that are no objects yet, by their names. */
  readonly pending: Map<string, PendingUpload>;
}

/** Uploads the files of a table, which become objects when they are completed. */
async function uploadTable(
  store: ObjectStore,
  lake: ObjectAddress,
  { listed, pending, built }: TableUpload & { readonly built: BuiltTable },
  { signal, onProgress }: BuildLakeOptions,
): Promise<void> {
  const files = [...listed.manifest.files, ...listed.manifest.raw];
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const task = `uploading ${listed.manifest.table}`;
  let done = 0;
  const uploaded = mapAhead(ReadableStream.from(files), { ahead: AT_A_TIME - 1 }, async (file, stop) => {
    const [path, address] = [pathOf(built, file), below(lake, partKey(listed, file))];
    const options = {
      sha256: file.checks!.sha256,
      onBytes: (bytes: number) => onProgress?.({ task, done: done += bytes, total, unit: "bytes" }),
      signal: signal ? AbortSignal.any([signal, stop]) : stop,
    };
    pending.set(file.name, await uploadFile(store, path, address, options));
  });
  for await (const _ of uploaded);
  onProgress?.({ task, done: total, total, unit: "bytes", finished: true });
}

/** Makes objects of the files of a table. */
async function completeTable({ listed, pending }: TableUpload, signal?: AbortSignal): Promise<void> {
  const ahead = COMPLETED_AT_A_TIME - 1;
  const completed = mapAhead(ReadableStream.from(pending), { ahead }, async ([name, upload], stop) => {
    return [name, await upload.complete(signal ? AbortSignal.any([signal, stop]) : stop)] as const;
  });
  listed.etags = Object.fromEntries(await Array.fromAsync(completed));
}

interface Commit {
  /** The lake as it was when this build began. */
  readonly before: FoundLake | undefined;
  /** Tables of this build that were there already. */
  readonly kept: readonly ListedTable[];
  readonly written: readonly ListedTable[];
  readonly options: BuildLakeOptions;
}

/** Writes `lake.json`: tables of others stay, of two builds of a table the last one wins. Returns what was replaced. */
async function commit(store: ObjectStore, lake: ObjectAddress, change: Commit): Promise<ListedTable[]> {
  const { kept, written, options: { signal, onWarning } } = change;
  if (written.length === 0 && change.before !== undefined) return [];
  const hasConditions = await probeConditions(store, below(lake, probeKey()), signal);
  if (!hasConditions) {
    onWarning?.(
      `the store of ${formatObjectAddress(lake)} does not keep conditions on writing: do not build two tables of a ` +
        "lake in it at the same time",
    );
  }
  let before = change.before;
  for (let attempt = 1;; attempt++) {
    const isOurs = ({ manifest }: ListedTable) => written.some((one) => one.manifest.table === manifest.table);
    const others = (before?.tables ?? []).filter((table) => !isOurs(table));
    const gone = kept.find((one) =>
      !others.some(({ manifest, build }) => manifest.table === one.manifest.table && build === one.build)
    );
    if (gone !== undefined) throw replacedMeanwhile(lake, gone);
    const tables = [...others, ...written].sort((a, b) => a.manifest.table < b.manifest.table ? -1 : 1);
    try {
      await store.put(below(lake, LAKE_OBJECT), formatLakeObject(tables), {
        ...hasConditions && { onlyIf: before?.etag ?? null },
        signal,
      });
      const replaced = (before?.tables ?? []).filter(isOurs);
      if (hasConditions) return replaced;
      // Another build may have written its list over this one.
      before = await findLake(store, lake, signal);
      if (written.every(({ build, manifest }) => hasTable(before, manifest.table, build))) return replaced;
      if (attempt === MAX_COMMITS) throw replacedMeanwhile(lake, written[0]);
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || error.fault !== "conflict" || attempt === MAX_COMMITS) throw error;
      before = await findLake(store, lake, signal);
    }
  }
}

function hasTable(lake: FoundLake | undefined, name: string, build: string): boolean {
  return lake?.tables.some((table) => table.manifest.table === name && table.build === build) === true;
}

function replacedMeanwhile(lake: ObjectAddress, { manifest }: ListedTable): ObjectStoreError {
  const address = formatObjectAddress(lake);
  const message = `Cannot build the lake ${address}: another process replaced the table ${manifest.table} meanwhile`;
  return new ObjectStoreError(`${message}; run it again`, { fault: "conflict", address });
}
