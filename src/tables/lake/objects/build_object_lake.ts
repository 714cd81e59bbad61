/**
 * Archives to a lake in an object store: each table is built in a temporary folder and uploaded, `lake.json` is written
 * last.
 *
 * Until then nothing has a final name, and readers have the lake as it was. What a killed process left is removed by a
 * later build.
 *
 * @module
 */
import { join } from "node:path";
import { createScratchFolder } from "../../../io/files/scratch_folder.ts";
import {
  below,
  formatObjectAddress,
  type ObjectAddress,
  parseObjectAddress,
} from "../../../io/objects/object_address.ts";
import { type ObjectStore, openObjectStore } from "../../../io/objects/object_store.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { uploadFile } from "../../../io/objects/upload_file.ts";
import { mapAhead } from "../../../io/tasks/map_ahead.ts";
import {
  type BuildLakeOptions,
  buildTable,
  type BuiltTable,
  isMadeOf,
  type PartLimits,
  planTables,
} from "../build/build_lake.ts";
import { formatLakeObject, LAKE_OBJECT, type ListedTable, makeBuildName, partKey } from "./object_manifest.ts";
import { objectTable } from "./object_table.ts";
import { findLakeToReplace, type FoundLake } from "./open_object_lake.ts";
import { removeObjects, sweepLake } from "./_sweep.ts";

/** Objects that are uploaded at a time. */
const AT_A_TIME = 4;
/** Times that `lake.json` is written anew because another process has written it. */
const MAX_COMMITS = 10;

/**
 * Builds tables of a lake, those that the store does not have yet of the same archives, definitions and toolkit.
 *
 * @throws {ObjectStoreError} If the store cannot be reached, refuses, or another process replaced a table meanwhile.
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
  const before = await findLakeToReplace(store, lake, signal);
  const build = makeBuildName();
  const kept: ListedTable[] = [];
  const written: ListedTable[] = [];
  const tables: ListedTable[] = [];
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
      const listed: { -readonly [Key in keyof ListedTable]: ListedTable[Key] } = {
        manifest: built.manifest,
        build,
        etags: {},
      };
      written.push(listed);
      listed.etags = await uploadTable(store, lake, { listed, folder: join(scratch.path, request.table) }, options);
      tables.push(listed);
      await Deno.remove(join(scratch.path, request.table), { recursive: true });
    }
  } catch (error) {
    await removeObjects(store, lake, written).catch(() => {});
    throw error;
  }
  const replaced = await commit(store, lake, { before, kept, written, ...signal && { signal } }).catch(
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

/** Uploads the files of a table; returns the store's tag of each by its name. */
async function uploadTable(
  store: ObjectStore,
  lake: ObjectAddress,
  { listed, folder }: { readonly listed: ListedTable; readonly folder: string },
  { signal, onProgress }: BuildLakeOptions,
): Promise<Record<string, string>> {
  const files = [...listed.manifest.files, ...listed.manifest.raw];
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const task = `uploading ${listed.manifest.table}`;
  let done = 0;
  const tags = mapAhead(ReadableStream.from(files), { ahead: AT_A_TIME - 1 }, async (file, stop) => {
    const etag = await uploadFile(store, join(folder, file.name), below(lake, partKey(listed, file)), {
      sha256: file.checks!.sha256,
      onBytes: (bytes) => onProgress?.({ task, done: done += bytes, total, unit: "bytes" }),
      signal: signal ? AbortSignal.any([signal, stop]) : stop,
    });
    return [file.name, etag] as const;
  });
  const etags = Object.fromEntries(await Array.fromAsync(tags));
  onProgress?.({ task, done: total, total, unit: "bytes", finished: true });
  return etags;
}

interface Commit {
  /** The lake as it was when this build began. */
  readonly before: FoundLake | undefined;
  /** Tables of this build that were there already. */
  readonly kept: readonly ListedTable[];
  /** Tables that it uploaded. */
  readonly written: readonly ListedTable[];
  readonly signal?: AbortSignal;
}

/** Writes `lake.json`: tables of others stay, of two builds of a table the last one wins. Returns what was replaced. */
async function commit(store: ObjectStore, lake: ObjectAddress, change: Commit): Promise<ListedTable[]> {
  const { kept, written, signal } = change;
  if (written.length === 0 && change.before !== undefined) return [];
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
        onlyIf: before?.etag ?? null,
        ...signal && { signal },
      });
      return (before?.tables ?? []).filter(isOurs);
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || error.fault !== "conflict" || attempt === MAX_COMMITS) throw error;
      before = await findLakeToReplace(store, lake, signal);
    }
  }
}

function replacedMeanwhile(lake: ObjectAddress, { manifest }: ListedTable): ObjectStoreError {
  const address = formatObjectAddress(lake);
  const message = `Cannot build the lake ${address}: another process replaced the table ${manifest.table} meanwhile`;
  return new ObjectStoreError(`${message}; run it again`, { fault: "conflict", address });
}
