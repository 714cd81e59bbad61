/**
 * The embedded registry's store over a folder of archives.
 *
 * The archives are proved and imported once, into the toolkit's cache; opening them again reads only sixteen names,
 * sizes and times and the checksum files. DuckDB finds, counts, sorts and takes facets; SQLite keeps the records and
 * sequences by row.
 *
 * @module
 */
import { join } from "node:path";
import { RegistryError } from "../errors.ts";
import { cacheFolder } from "../io/cache_folder.ts";
import { ARCHIVE_IDS } from "../spec/datasets.ts";
import { type Naming, SPECIFICATION_NAMING } from "../spec/naming.ts";
import { type ArchiveSet, inspectArchiveSet, type SetFile } from "./_archive_set.ts";
import { openDatabase } from "./_duckdb.ts";
import { lookupFields } from "./_fields.ts";
import { createFinder } from "./_find.ts";
import { importArchives } from "./_import.ts";
import { FIND_FILE, type ImportManifest, readManifest, RECORDS_FILE } from "./_import_manifest.ts";
import { openRecords } from "./_records_database.ts";
import { createStore } from "./_store.ts";
import type { OpenStoreOptions, RegistryStore, StoredArchive } from "./store.ts";

export type { OpenStoreOptions } from "./store.ts";

/**
 * Opens a folder of the sixteen files as a registry's store; imports it first when it is new or has changed.
 *
 * An import is kept below `cacheFolder/service`, named by the checksum files, the sizes and times of the archives and
 * `definitions.json`. Every archive is inflated to its end, digested and compared with its checksum file then, and every
 * row is as wide as its header. An accession that stands twice in the metadata or the sequences is refused, since
 * nobody could say which record it names; sequences without metadata and records without a sequence are warnings.
 *
 * Needs `--allow-read` and `--allow-write` for the folder and the cache, `--allow-ffi` and `--allow-env` for DuckDB.
 *
 * @param folder Folder of the sixteen files, with `definitions.json` or without.
 * @param options Naming, cache folder, signal and progress.
 * @throws {RegistryError} With code `not-an-archive-set` if the folder is none, `checksum` or `damaged` if an archive
 * is not what its checksum file states or cannot be read, `disk` if the import cannot be written.
 * @see Specification 4.1 for the files; how a registry keeps its records is not shown: chosen so that both finding and
 * reading stay fast on one machine.
 *
 * @example A folder that holds no archives
 * ```ts
 * import { assertRejects } from "@std/assert";
 * import { openStore } from "./open_store.ts";
 *
 * const folder = await Deno.makeTempDir();
 *
 * await assertRejects(() => openStore(folder), Error, "16 of the sixteen files are missing");
 * await Deno.remove(folder);
 * ```
 */
export async function openStore(folder: string, options: OpenStoreOptions = {}): Promise<RegistryStore> {
  const { naming = SPECIFICATION_NAMING, signal, onProgress } = options;
  signal?.throwIfAborted();
  const set = await inspectArchiveSet(folder, naming);
  const place = join(options.cacheFolder ?? cacheFolder(), "service", set.key);
  let manifest = await readManifest(place);
  if (manifest === undefined) {
    await importArchives(set, place, { naming, signal, onProgress });
    manifest = await readManifest(place);
  }
  if (manifest === undefined) {
    throw new RegistryError("disk", `Cannot open the import in ${place}: it is gone or damaged already; try again`);
  }
  return await openImport(set, place, { manifest, naming });
}

async function openImport(
  set: ArchiveSet,
  place: string,
  { manifest, naming }: { readonly manifest: ImportManifest; readonly naming: Naming },
): Promise<RegistryStore> {
  const { fields, recordCount, facetFields, facets } = manifest;
  const lookup = lookupFields(fields);
  const records = await openRecords(join(place, RECORDS_FILE));
  try {
    const database = await openDatabase(join(place, FIND_FILE));
    const finder = createFinder(database, {
      facetFields,
      accessions: { field: fields.findIndex(({ name }) => name === naming.accessionField), rowsOf: records.rowsOf },
      all: { total: recordCount, facets },
    });
    return createStore({ manifest, lookup, files: filesOf(set, manifest), records, finder, database });
  } catch (cause) {
    records[Symbol.dispose]();
    throw cause;
  }
}

function filesOf(set: ArchiveSet, { digests }: ImportManifest): Map<string, StoredArchive> {
  const files = new Map<string, StoredArchive>();
  const add = ({ name, path, bytes }: SetFile) => files.set(name, { name, path, bytes, sha256: digests[name] });
  for (const id of ARCHIVE_IDS) {
    add(set.archives[id]);
    add(set.archives[id].checksum);
  }
  return files;
}
