/**
 * Two large tables of text made small: the rows that are the same in both, byte by byte, are left out.
 *
 * Each version is read in a thread of its own; the hashes of its rows go to the disk, 40 bytes a row, and are joined by
 * the hashes of their keys. The rows that are left are picked in a second reading. Hashes have 128 bits, and are made
 * with numbers that are drawn for each comparison.
 */
import { join } from "node:path";
import { SPECIFICATION_NAMING } from "@seqreg/core/contract/naming";
import type { Naming } from "@seqreg/core/contract";
import { loadPolars } from "@seqreg/core/engine/frames";
import { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { openTable } from "@seqreg/core/tables/open/open_table";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { planTables } from "@seqreg/core/tables/lake/build/build_lake";
import { publicNames } from "@seqreg/core/tables/types/public_names";
import type { SideTable } from "../../open_side.ts";
import type { HashedRows } from "./_hash_rows.ts";
import { RowSet } from "../hashes/hash_record.ts";
import { drawSecrets, ROW_RECORD } from "./_row_hasher.ts";
import { SieveThread } from "./_sieve_thread.ts";

/** Bytes of both files from which threads are worth their start. */
const LEAST_BYTES = 4_000_000;

/** Rows that are left whatever they are: the types of columns are inferred from them. */
const SAMPLED_ROWS = 2_000;

/** How tables are made small. */
export interface SieveOptions {
  /** Folder for what is written on the way. */
  readonly folder: string;
  /** Chooses the column of the keys among those of both versions; `undefined` where rows may not be left out. */
  readonly chooseKey: (names: readonly string[]) => string | undefined;
  readonly naming?: Naming;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  /** Bytes of both files from which they are made small; tests choose fewer. */
  readonly leastBytes?: number;
}

/** A version whose equal rows were left out. */
export interface SievedVersion {
  /** CSV of the rows that are left. */
  readonly path: string;
  /** What is said of the version as a whole. */
  readonly about: Pick<SideTable, "name" | "bytes" | "unparsed" | "problems" | "sha256">;
}

/** Two versions whose equal rows were left out. */
export interface SievedTables {
  readonly versions: readonly [SievedVersion, SievedVersion];
  /** Records that were left out, of either version. */
  readonly same: number;
  /** Name of the column by which records were matched. */
  readonly key: string;
}

/** Makes two tables small; `undefined` where they are not two large tables of text with the same columns and a key. */
export async function sieveTables(
  paths: readonly [string, string],
  options: SieveOptions,
): Promise<SievedTables | undefined> {
  const { naming = SPECIFICATION_NAMING, leastBytes = LEAST_BYTES, signal } = options;
  const sizes = [await sizeOf(paths[0]), await sizeOf(paths[1])];
  if (sizes.includes(undefined) || sizes[0]! + sizes[1]! < leastBytes) return undefined;
  const files = [0, 1].map((version) => join(options.folder, `hashes-${version}`));
  const total = sizes[0]! + sizes[1]!;
  const done = [0, 0];
  let task = "";
  const thread = (version: number) =>
    new SieveThread({
      onBytes: (bytes) => {
        done[version] = bytes;
        options.onProgress?.({ task, done: done[0] + done[1], total, unit: "bytes" });
      },
      signal,
    });
  using before = thread(0);
  using after = thread(1);
  const key = await findKey(paths, { ...options, naming });
  if (key === undefined) return undefined;
  const requests = await planTables({}, paths[0], { text: true, naming });
  requests.push(...await planTables({}, paths[1], { text: true, naming }));
  task = `comparing ${requests[1].table}`;
  const threads = [before, after];
  const secrets = drawSecrets();
  const hashed = await Promise.all(
    threads.map((thread, version) =>
      thread.hash({ path: paths[version], hashes: files[version], column: key.column, secrets })
    ),
  );
  const [old, now] = hashed;
  // What is damaged, or is not what its checksum file says, is refused by the reader of archives.
  const isStated = ({ sha256 }: HashedRows, version: number) =>
    (requests[version].sha256 ?? sha256).toLowerCase() === sha256;
  if (old === undefined || now === undefined || !isStated(old, 0) || !isStated(now, 1)) return undefined;
  options.onProgress?.({ task, done: total, total, unit: "bytes", finished: true });
  const hashes = {
    files: [files[0], files[1]],
    rows: [old.rows, now.rows],
    layout: ROW_RECORD,
    sample: SAMPLED_ROWS,
  } as const;
  const open = [0, 1].map((version) => join(options.folder, `open-${version}`)) as [string, string];
  // One core has nothing to do meanwhile; what cannot be loaded fails where it is needed.
  ScratchSql.prepare().then(loadPolars).catch(() => {});
  const aligned = await before.align({ ...hashes, open, mayRepeat: [true, true] });
  if (aligned === undefined) return undefined;
  const kept = aligned.kept.map((bits) => new RowSet(bits));
  let { same } = aligned;
  const joins = await Promise.all(
    threads.map((each, thread) =>
      each.join({ ...hashes, files: open, openRows: aligned.openRows[0], thread, threads: threads.length })
    ),
  );
  for (const joined of joins) {
    if (joined === undefined) return undefined;
    kept.forEach((set, version) => set.addAll(joined.kept[version]));
    same += joined.same;
  }
  const versions = [old, now].map(({ sha256, unparsed, problems }, version): SievedVersion => ({
    path: join(options.folder, `${version === 0 ? "old" : "new"}-rows.csv`),
    about: { name: requests[version].table, bytes: sizes[version]!, sha256, unparsed, problems },
  }));
  const picked = await Promise.all(threads.map((thread, version) =>
    thread.pick({
      path: paths[version],
      hashes: files[version],
      bits: kept[version].bits,
      into: versions[version].path,
      ...hashed[version]!.rowBytes !== undefined && { rowBytes: hashed[version]!.rowBytes },
    })
  ));
  if (picked.includes(false)) return undefined;
  for (const file of [...files, ...open]) await Deno.remove(file);
  return { versions: [versions[0], versions[1]], same, key: key.name };
}

async function sizeOf(path: string): Promise<number | undefined> {
  const { isFile, size } = await Deno.stat(path);
  return isFile ? size : undefined;
}

/** The column of the keys, where both versions have the same columns. */
async function findKey(
  paths: readonly [string, string],
  { chooseKey, naming, signal }: Pick<SieveOptions, "chooseKey" | "signal"> & { readonly naming: Naming },
): Promise<{ readonly name: string; readonly column: number } | undefined> {
  const headers: (readonly string[])[] = [];
  for (const path of paths) {
    try {
      await using table = await openTable(path, { signal });
      if (!table.isPlain) return undefined;
      headers.push(table.columns);
    } catch {
      // The reader of tables says what is wrong with it.
      signal?.throwIfAborted();
      return undefined;
    }
  }
  const [before, after] = headers;
  if (before.length < 2 || JSON.stringify(before) !== JSON.stringify(after)) return undefined;
  const names = publicNames(before, [], naming);
  // Sequences are not rows of a CSV of usual length: they are compared by their digests.
  if (names.length === 2 && /^sequence$/i.test(names[1])) return undefined;
  const name = chooseKey(names);
  return name === undefined ? undefined : { name, column: names.indexOf(name) };
}
