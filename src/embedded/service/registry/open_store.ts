/**
 * The embedded registry's store over a folder of archives.
 *
 * The archives are proved and imported once, into the toolkit's cache; opening them again reads only sixteen names,
 * sizes and times and the checksum files. A columnar index (`index/`) finds, counts, sorts and takes facets; the
 * records and sequences lie in files by row (`records/`).
 */
import { join } from "node:path";
import { RegistryError } from "@seqreg/core/errors";
import { cacheFolder } from "@seqreg/core/io/files/cache_folder";
import { type Naming, SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import { type ArchiveSet, inspectArchiveSet } from "../import/archive_set.ts";
import { copyArchives } from "../import/archive_copies.ts";
import { type HeldArchives, holdArchives } from "../import/held_archives.ts";
import { DamagedFileError } from "../files/damaged_file.ts";
import { lookForDescriptors } from "../files/free_descriptors.ts";
import { openIndex } from "../index/mod.ts";
import { lookupFields } from "@seqreg/core/query";
import { importArchives } from "../import/import.ts";
import {
  forgetImport,
  hasDamagedManifest,
  type ImportManifest,
  INDEX_FOLDER,
  MANIFEST_FILE,
  readManifest,
} from "../import/import_manifest.ts";
import { COPIES_ROOM, type ImportUse, pruneCopies, pruneImports, useImport } from "../import/import_use.ts";
import { openRecords } from "../records/records.ts";
import { healStore } from "./_healing_store.ts";
import { createStore } from "./_store.ts";
import { OPEN_STORE_OPTIONS, type OpenStoreOptions, type RegistryStore } from "../store/store.ts";
import { checkOptions } from "@seqreg/core/options/check_options";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

export type { OpenStoreOptions } from "../store/store.ts";

/**
 * Opens a folder of the sixteen files as a registry's store; imports it first when it is new or has changed.
 *
 * An import is kept below `cacheFolder/service`, named by the checksum files, the sizes and times of the archives and
 * `definitions.json`. An interrupted import is resumed the next time. Every archive is decompressed to its end, hashed
 * and compared with its checksum file, and every row has the width of its header. A duplicate accession in the metadata
 * or the sequences is an error, since it is ambiguous; sequences without metadata and records without a sequence are
 * warnings. Every block of an import's files has a checksum: damage is detected when it is read, and the archives are
 * imported again, with a warning.
 *
 * Needs `--allow-read` and `--allow-write` for the folder and the cache, `--allow-env` to find the cache.
 *
 * @param folder Folder of the sixteen files, with `definitions.json` or without.
 * @param options Naming, cache folder, signal and progress.
 * @throws {RegistryError} With code `not-an-archive-set` if the folder is not an archive set, `checksum` or `damaged`
 * if an archive does not match its checksum file or cannot be read, `disk` if the import cannot be written.
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
  checkOptions("openStore()", options, OPEN_STORE_OPTIONS);
  options.signal?.throwIfAborted();
  return await openArchiveSet(await inspectArchiveSet(folder, options.naming ?? SPECIFICATION_NAMING), options);
}

export interface OpenArchiveSetOptions extends OpenStoreOptions {
  /** Whether the archives are digested though their sizes and times are those of an import. */
  readonly verify?: boolean;
}

/**
 * Opens archives that were looked at; imports them first when they are new, and again when their import is damaged, now
 * or while it is read. They are held until the store is closed.
 */
export async function openArchiveSet(set: ArchiveSet, options: OpenArchiveSetOptions): Promise<RegistryStore> {
  lookForDescriptors();
  using holding = new DisposableStack();
  if (!options.copies) return await openHeld(set, await holdArchives(set), holding, options);
  const { signal, onProgress, onWarning: onWaiting = console.warn } = options;
  const folder = join(options.cacheFolder ?? cacheFolder(), COPIES_ROOM, set.key);
  const copies = await copyArchives(set, folder, { signal, onProgress, onWaiting });
  try {
    holding.use(copies);
    const held = await holdArchives(set, copies.archives);
    return await openHeld({ ...set, archives: copies.archives }, held, holding, options);
  } catch (cause) {
    holding.dispose();
    if (cause instanceof RegistryError) await copies.discard();
    throw cause;
  }
}

async function openHeld(
  set: ArchiveSet,
  held: HeldArchives,
  holding: DisposableStack,
  options: OpenArchiveSetOptions,
): Promise<RegistryStore> {
  holding.use(held);
  if (options.verify) await held.verify();
  const { onWarning = console.warn } = options;
  const cache = options.cacheFolder ?? cacheFolder();
  const folder = join(cache, "service", set.key);
  const warn = (damage: string): LedgerEntry => {
    const text = `the import of ${set.source} was damaged and is made again from the archives: ${damage}`;
    onWarning(text);
    return noteEntry("import-damaged", text);
  };
  const openAgain = async ({ path }: DamagedFileError, signal?: AbortSignal): Promise<RegistryStore> => {
    const entry = warn(`${path} is not as it was written`);
    await forgetImport(folder);
    return await openOnce(set, held, folder, { ...options, signal }, [entry]);
  };
  const entries = await hasDamagedManifest(folder)
    ? [warn(`${join(folder, MANIFEST_FILE)} or a file's size differs`)]
    : [];
  const first = await openOnce(set, held, folder, options, entries).catch((cause) => {
    if (cause instanceof DamagedFileError) return openAgain(cause, options.signal);
    throw cause;
  });
  // Damage was reported when it was found.
  for (const { code, text } of first.entries) if (code !== "import-damaged") onWarning(text);
  await pruneCopies(join(cache, COPIES_ROOM, set.key), set);
  return healStore(first, (damage) => openAgain(damage), holding.move());
}

async function openOnce(
  set: ArchiveSet,
  held: HeldArchives,
  folder: string,
  options: OpenStoreOptions,
  entries: readonly LedgerEntry[],
): Promise<RegistryStore> {
  const { naming = SPECIFICATION_NAMING, signal, onProgress, onWarning: onWaiting = console.warn } = options;
  const cache = options.cacheFolder ?? cacheFolder();
  const use = () => useImport(folder, set.source, cache);
  let found = await useWhole(folder, use);
  if (found === undefined) {
    await importArchives(set, folder, { naming, signal, onProgress, onWaiting });
    await held.checkImported();
    found = await useWhole(folder, use);
    await pruneImports(folder, set);
  }
  if (found === undefined) {
    throw new RegistryError("disk", `Cannot open the import in ${folder}: it is gone or damaged already; try again`);
  }
  try {
    const manifest = { ...found.manifest, entries: [...found.manifest.entries, ...entries] };
    return openImport(held, folder, { use: found.use, manifest, naming });
  } catch (cause) {
    found.use[Symbol.dispose]();
    throw cause;
  }
}

/** Marks an import as used, so that it is not pruned, if it is still complete then. */
async function useWhole(
  folder: string,
  begin: () => Promise<ImportUse | undefined>,
): Promise<{ readonly use: ImportUse; readonly manifest: ImportManifest } | undefined> {
  const use = await begin();
  const manifest = use && await readManifest(folder);
  if (use !== undefined && manifest !== undefined) return { use, manifest };
  use?.[Symbol.dispose]();
}

function openImport(
  { files }: HeldArchives,
  folder: string,
  { manifest, naming, use }: {
    readonly manifest: ImportManifest;
    readonly naming: Naming;
    readonly use: ImportUse;
  },
): RegistryStore {
  const { fields, recordCount } = manifest;
  const lookup = lookupFields(fields);
  const accessionField = fields.findIndex(({ name }) => name === naming.accessionField);
  const records = openRecords(folder, { recordCount, width: fields.length, accessionField });
  try {
    const finder = openIndex(join(folder, INDEX_FOLDER), {
      fields: lookup.fields,
      rowsOf: records.rowsOf,
      valuesOf: records.values,
    });
    return createStore({ manifest, lookup, files, records, finder, use });
  } catch (cause) {
    records[Symbol.dispose]();
    throw cause;
  }
}
