/**
 * Holds the files of a lake against the checksums in its manifests.
 *
 * @module
 */
import { join } from "node:path";
import { messageOf, RegistryError } from "../../../errors.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { isStructureWhole } from "../../../parquet/read/check_file.ts";
import type { BuiltTable } from "../build/build_lake.ts";
import { isObjectTable, type TableObjects } from "../objects/object_table.ts";
import { isFileWhole, type LakeFile, type LakeManifest } from "../build/lake_manifest.ts";

/** Files of a table: its parts, then the texts that are not written as their type is. */
export function filesOf({ files, raw }: LakeManifest): readonly LakeFile[] {
  return [...files, ...raw];
}

/** Whether a table has checksums; one that an older toolkit built has none. */
export function hasChecksums(manifest: LakeManifest): boolean {
  return filesOf(manifest).every(({ checks }) => checks !== undefined);
}

/**
 * Compares page headers and footers of a table with what was written: a native reader may end the process at a flipped
 * bit there. Page data is compared by its reader.
 *
 * @throws {RegistryError} With code `damaged`, or `disk` if a file is absent; names the file and the remedy.
 */
export function checkStructure({ folder, manifest }: BuiltTable): void {
  for (const { name, bytes, checks } of filesOf(manifest)) {
    const path = join(folder, name);
    let isWhole: boolean;
    try {
      isWhole = checks === undefined ? Deno.statSync(path).size === bytes : isStructureWhole(path, bytes, checks);
    } catch (cause) {
      const why = messageOf(cause);
      throw new RegistryError("disk", `Cannot read ${path}: ${why}; ${remedy(folder, manifest)}`, { cause });
    }
    if (!isWhole) throw damaged(path, { folder, manifest });
  }
}

/**
 * Runs a reading of tables; where it fails and a file of theirs is damaged, that is the error. Objects that are lost,
 * or others than those that were opened, are an error also where the reading noticed nothing.
 *
 * @throws {RegistryError} With code `damaged`, or `object-store` if an object is lost: names the file and the remedy.
 */
export async function readingTables<T>(tables: Iterable<BuiltTable>, read: () => Promise<T>): Promise<T> {
  const objects = objectsOf(tables);
  try {
    const result = await read();
    await checkObjects(objects);
    return result;
  } catch (cause) {
    if (cause instanceof RegistryError || cause instanceof DOMException) throw cause;
    await checkObjects(objects);
    if (objects.length > 0) throw concealing(cause, objects);
    for (const table of tables) {
      for (const file of filesOf(table.manifest)) {
        const path = join(table.folder, file.name);
        const isWhole = await isFileWhole(path, file).catch(() => false);
        if (isWhole === false) throw damaged(path, table, cause);
      }
    }
    throw cause;
  }
}

/**
 * Runs a reading of tables by an engine outside of this process. Objects that are lost, or others than those that were
 * opened, are the error: where the engine failed, and where it noticed nothing, since it compares files once.
 *
 * @throws {ObjectStoreError} If an object is lost or changed: names it and the remedy.
 */
export async function readingElsewhere<T>(tables: Iterable<BuiltTable>, read: () => Promise<T>): Promise<T> {
  const objects = objectsOf(tables);
  let result: T;
  try {
    result = await read();
  } catch (cause) {
    if (cause instanceof RegistryError) {
      await checkObjects(objects).catch((fault) => {
        // A store that does not answer now is not why the engine failed.
        if (fault instanceof ObjectStoreError && /^(no-object|changed)$/.test(fault.fault)) throw fault;
      });
    }
    throw objects.length > 0 ? concealing(cause, objects) : cause;
  }
  await checkObjects(objects);
  return result;
}

function objectsOf(tables: Iterable<BuiltTable>): TableObjects[] {
  return [...tables].filter(isObjectTable).map((table) => table.objects);
}

async function checkObjects(objects: readonly TableObjects[]): Promise<void> {
  await Promise.all(objects.map((one) => one.check()));
}

/** Errors of a native reader or an engine may quote an answer of the store. */
function concealing(cause: unknown, [{ store }]: readonly TableObjects[]): unknown {
  if (!(cause instanceof Error) || store.access.conceal(cause.message) === cause.message) return cause;
  // A stack begins with the message.
  for (const name of ["message", "stack"] as const) {
    const value = store.access.conceal(cause[name] ?? "");
    Object.defineProperty(cause, name, { configurable: true, writable: true, value });
  }
  return cause;
}

function damaged(path: string, { folder, manifest }: Pick<BuiltTable, "folder" | "manifest">, cause?: unknown) {
  const message = `Cannot read ${path}: it is damaged, its bytes are not those that were written; `;
  return new RegistryError("damaged", message + remedy(folder, manifest), { cause });
}

function remedy(folder: string, { source }: LakeManifest): string {
  return `build the lake again: seqreg lake ${source.archive} -o ${join(folder, "..")}`;
}
