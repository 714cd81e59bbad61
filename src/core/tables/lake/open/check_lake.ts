/** Holds the files of a lake against the checksums in its manifests. */
import { dirname, join } from "node:path";
import { messageOf, RegistryError } from "../../../errors.ts";
import { ObjectStoreError } from "../../../io/objects/object_store_error.ts";
import { isStructureWhole } from "../../../parquet/read/check_file.ts";
import { type BuiltTable, findTable, pathOf } from "../build/lake_layout.ts";
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
 * @param reason Why they are compared: the cause of the error.
 * @throws {RegistryError} With code `damaged`, or `disk` if a file is absent; names the file and the remedy.
 */
export function checkStructure(table: BuiltTable, reason?: unknown): void {
  for (const file of filesOf(table.manifest)) {
    const { bytes, checks } = file;
    const path = pathOf(table, file);
    let isWhole: boolean;
    try {
      isWhole = checks === undefined ? Deno.statSync(path).size === bytes : isStructureWhole(path, bytes, checks);
    } catch (cause) {
      const why = messageOf(cause);
      throw new RegistryError("disk", `Cannot read ${path}: ${why}; ${remedy(table)}`, { cause });
    }
    if (!isWhole) throw damaged(path, table, reason);
  }
}

/**
 * Runs a read of tables. If it fails and a file is damaged, throws the damage instead. Lost objects, objects that were
 * replaced since they were opened, and tables that were built again are an error even if the read noticed nothing.
 *
 * @throws {RegistryError} With code `damaged`, `disk` if a table was built again, or `object-store` if an object is
 * lost: names the file and the remedy.
 */
export async function readingTables<T>(
  tables: Iterable<BuiltTable>,
  read: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const objects = objectsOf(tables);
  try {
    const result = await read();
    await checkObjects(objects);
    for (const table of tables) if (hasReusedNames(table)) await checkBuild(table);
    return result;
  } catch (cause) {
    if (cause instanceof RegistryError || cause instanceof DOMException || signal?.aborted) throw cause;
    await checkObjects(objects);
    if (objects.length > 0) throw concealing(cause, objects);
    for (const table of tables) {
      await checkBuild(table, cause);
      if (isRefusal(cause)) checkStructure(table, cause);
      else await checkBytes(table, cause, signal);
    }
    throw cause;
  }
}

/** Whether a statement was refused before a row was read: only a footer could be why, and hashing takes long. */
function isRefusal(cause: unknown): boolean {
  if (!(cause instanceof TypeError) && !(cause instanceof RangeError)) return false;
  return cause.cause === undefined || /^(?:Parser|Binder|Catalog) Error/.test(messageOf(cause.cause));
}

/** Compares every byte of a table with what was written. */
async function checkBytes(table: BuiltTable, cause: unknown, signal: AbortSignal | undefined): Promise<void> {
  for (const file of filesOf(table.manifest)) {
    const path = pathOf(table, file);
    const isWhole = await isFileWhole(path, file, signal).catch(() => {
      signal?.throwIfAborted();
      return false;
    });
    if (isWhole === false) throw damaged(path, table, cause);
  }
}

/**
 * Runs a read of tables by an engine outside of this process. Lost objects, and objects that were replaced since they
 * were opened, are the error, whether the engine failed or noticed nothing, since it compares files once.
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

/** Whether a build of a table uses the file names of the build before it. */
function hasReusedNames(table: BuiltTable): boolean {
  return table.manifest.lake === 2 && !isObjectTable(table);
}

/** Compares the manifest of a table with the one that was opened. */
async function checkBuild(table: BuiltTable, cause?: unknown): Promise<void> {
  const lake = dirname(table.folder);
  const { table: name, checksum, built } = table.manifest;
  const now = await findTable(lake, name).catch(() => undefined);
  if (now === undefined || now.manifest.checksum === checksum && now.manifest.built === built) return;
  throw new RegistryError(
    "disk",
    `Cannot read the table ${name} of ${lake}: it was built again after the lake was opened; open the lake again`,
    { cause },
  );
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

function damaged(path: string, table: BuiltTable, cause?: unknown): RegistryError {
  const message = `Cannot read ${path}: it is damaged, its bytes are not those that were written; `;
  return new RegistryError("damaged", message + remedy(table), { cause });
}

/** What to do about a file of a table that is damaged or lost. */
export function remedy({ folder, manifest, list }: BuiltTable): string {
  if (list !== undefined) {
    return `copy the lake into ${dirname(list)} again, from the object store that has it`;
  }
  return `build the lake again: seqreg lake ${manifest.source.archive} -o ${join(folder, "..")}`;
}
