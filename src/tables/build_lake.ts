/**
 * Archives to a lake: a folder of Parquet, typed by definitions, built once for each archive.
 *
 * ```text
 * LAKE/full_dataset_metadata/manifest.json        what is in it and where it comes from
 * LAKE/full_dataset_metadata/part-00000.parquet   zstd, statistics, row groups of 50,000
 * LAKE/full_dataset_sequence/…                    identifier, length, gc, ambiguous, letters
 * ```
 *
 * An archive with a checksum file beside it must match it. Archives are inflated to their end and every row is checked before polars sees it, part by part: memory is bounded and
 * a stop comes within a part. A table's folder gets its name only when everything in it is written.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { findChecksum } from "../io/checksum_file.ts";
import { ParseError, RegistryError } from "../errors.ts";
import { readBytes } from "../io/byte_source.ts";
import { gunzip, isGzip } from "../io/gunzip.ts";
import type { OnProgress } from "../io/progress.ts";
import { equalDigests, sha256 as digestOf, startSha256 } from "../io/sha256.ts";
import { describeBytes } from "../io/describe_bytes.ts";
import { ARCHIVE_IDS, archiveFiles } from "../spec/datasets.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "../spec/naming.ts";
import { TOOLKIT } from "../spec/version.ts";
import { convertMetadata } from "./_metadata_parts.ts";
import { loadPolars } from "./_polars.ts";
import { parseRow } from "./_row_checker.ts";
import { convertSequences, isSequenceHeader } from "./_sequence_parts.ts";
import { NOT_CSV } from "./from_csv.ts";
import { type LakeManifest, readManifest, writeManifest } from "./lake_manifest.ts";
import type { DateColumns } from "./table.ts";

/** Options of {@linkcode buildLake}. */
export interface BuildLakeOptions {
  /** Definitions that give columns their types; without them, `definitions.json` beside the archives is read if there. */
  readonly definitions?: readonly FieldDefinition[];
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Whether dates get their three columns; see `TableOptions.dates`. */
  readonly dates?: DateColumns;
  /** Takes progress in bytes of the archive. */
  readonly onProgress?: OnProgress;
  /** Ends the work within one part with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

/** One table of a lake, as it was built or found. */
export interface BuiltTable {
  /** What is in it. */
  readonly manifest: LakeManifest;
  /** Its folder. */
  readonly folder: string;
  /** Paths of its Parquet files, in order. */
  readonly files: readonly string[];
  /** Whether it was there already, of the same archive, definitions and toolkit. */
  readonly reused: boolean;
}

/**
 * Builds tables of a lake from archives, those that are not there yet.
 *
 * @param archives Path of an archive (`.csv.gz` or `.csv`), of a folder that holds some of the eight, or several paths.
 * @param folder Folder of the lake; made when absent. Tables of other archives in it stay.
 * @param options Definitions, naming, progress, signal.
 * @returns The tables, in the order of the archives. Rows that could not be read and values that do not fit are counted
 * in each manifest.
 * @throws {RegistryError} With code `disk` if a file cannot be read or written; with code `not-an-archive-set` if a
 * folder holds no archive.
 * @throws {RegistryError} With code `checksum` if an archive is not what the checksum file beside it says.
 * @throws {GzipError | ParseError} If an archive is damaged or no CSV. Nothing of it is left then; tables that were
 * whole before stay.
 * @see Specification 4.1 for the archives. The lake is our own form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { buildLake } from "./build_lake.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/a.csv.gz`, gzipSync("Registry Accession,Country\nvj000000000001,Kenya\n"));
 * const [table] = await buildLake(`${folder}/a.csv.gz`, `${folder}/lake`);
 *
 * assertEquals([table.manifest.table, table.manifest.rows, table.reused], ["a", 1, false]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function buildLake(
  archives: string | readonly string[],
  folder: string,
  options: BuildLakeOptions = {},
): Promise<BuiltTable[]> {
  const { naming = SPECIFICATION_NAMING, signal } = options;
  signal?.throwIfAborted();
  const sources = await findSources(archives, naming);
  await makeFolder(folder);
  const tables: BuiltTable[] = [];
  for (const source of sources) {
    const definitions = options.definitions ?? await definitionsBeside(source.path);
    const sha256 = await statedDigest(source.path);
    const wanted = { ...source, definitions, naming, dates: options.dates ?? "text", sha256 };
    tables.push(await findBuilt(wanted, folder, signal) ?? await buildTable(wanted, folder, options));
  }
  return tables;
}

interface Source {
  readonly path: string;
  readonly table: string;
}

interface Wanted extends Source {
  readonly definitions: readonly FieldDefinition[];
  readonly naming: Naming;
  readonly dates: DateColumns;
  /** Digest that the checksum file beside the archive states. */
  readonly sha256: string | undefined;
}

async function findSources(archives: string | readonly string[], naming: Naming): Promise<Source[]> {
  const sources: Source[] = [];
  for (const path of typeof archives === "string" ? [archives] : archives) {
    if ((await statOf(path)).isDirectory) sources.push(...await archivesIn(path, naming));
    else sources.push({ path, table: tableName(path, naming) });
  }
  const twice = sources.find(({ table }, index) => sources.findIndex((other) => other.table === table) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot build a lake: two archives would become the table ${twice.table}`);
  }
  return sources;
}

async function archivesIn(folder: string, naming: Naming): Promise<Source[]> {
  const sources: Source[] = [];
  for (const table of ARCHIVE_IDS) {
    const path = join(folder, archiveFiles(table, naming).archive);
    if (await exists(path)) sources.push({ path, table });
  }
  if (sources.length > 0) return sources;
  throw new RegistryError(
    "not-an-archive-set",
    `Cannot build a lake of ${folder}: none of the eight archives is in it, expected such as ${
      archiveFiles("full_dataset_metadata", naming).archive
    }; name a folder that seqreg mirror, sample or pack wrote`,
  );
}

/** An archive's identifier, or the stem of any other file made harmless. */
function tableName(path: string, naming: Naming): string {
  const name = basename(path);
  const id = ARCHIVE_IDS.find((id) => archiveFiles(id, naming).archive === name);
  const stem = name.replace(/\.gz$/i, "").replace(/\.csv$/i, "").replace(/[^A-Za-z0-9_-]/g, "_");
  return id ?? (stem === "" ? "table" : stem);
}

async function statOf(path: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.stat(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new RegistryError("disk", `Cannot read ${path}: there is no such file or folder; check its name`, { cause });
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RegistryError("disk", `Cannot make the folder ${folder}: ${why}; choose another`, { cause });
  }
}

/** Definitions that `sample`, `pack` and `mirror` write beside the archives. */
async function definitionsBeside(path: string): Promise<FieldDefinition[]> {
  const file = join(dirname(path), "definitions.json");
  let text: string;
  try {
    text = await Deno.readTextFile(file);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return [];
    throw cause;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every(isDefinition)) return value;
  } catch (cause) {
    throw new ParseError(`Cannot read ${file}: it is no JSON`, {}, { cause });
  }
  throw new ParseError(`Cannot read ${file}: expected a JSON array of definitions with name, type and unit`);
}

function isDefinition(value: unknown): value is FieldDefinition {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" &&
    "unit" in value && typeof value.unit === "string" && "type" in value &&
    ["string", "integer", "float", "boolean", "date", "list"].some((type) => type === value.type);
}

/** The digest that the checksum file beside an archive states, if there is one. */
async function statedDigest(path: string): Promise<string | undefined> {
  const stem = path.replace(/\.csv\.gz$/i, "");
  if (stem === path) return undefined;
  const text = await Deno.readTextFile(`${stem}.sha256`).catch((cause) => {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw cause;
  });
  return text === undefined ? undefined : findChecksum(text, basename(path)).sha256;
}

function checkDigest(actual: string, expected: string | undefined, path: string): void {
  if (expected === undefined || equalDigests(actual, expected)) return;
  throw new RegistryError(
    "checksum",
    `Cannot build a lake of ${path}: its SHA-256 is ${actual}, its checksum file says ${expected}; ` +
      "nothing was kept; fetch the archive and its checksum file again",
  );
}

/** The table as it is there already, if the same archive, definitions and toolkit made it. */
async function findBuilt(wanted: Wanted, lake: string, signal?: AbortSignal): Promise<BuiltTable | undefined> {
  const folder = join(lake, wanted.table);
  const manifest = await readManifest(folder).catch(() => undefined);
  if (manifest === undefined || manifest.toolkit !== TOOLKIT || manifest.dates !== wanted.dates) return undefined;
  if (wanted.sha256 !== undefined && wanted.sha256 !== manifest.source.sha256) return undefined;
  if (manifest.source.bytes !== (await statOf(wanted.path)).size) return undefined;
  const used = new Map(wanted.definitions.map((definition) => [definition.name, definition]));
  const fields = new Set(manifest.columns.map(({ field }) => field));
  const expected = manifest.kind === "sequence" ? [] : [...fields].map((field) => used.get(field));
  if (!sameDefinitions(manifest.definitions, expected.filter((definition) => definition !== undefined))) {
    return undefined;
  }
  for (const { name, bytes } of [...manifest.files, ...manifest.raw]) {
    const info = await Deno.stat(join(folder, name)).catch(() => undefined);
    if (info?.size !== bytes) return undefined;
  }
  if (await digestOf(wanted.path, { ...signal && { signal } }) !== manifest.source.sha256) return undefined;
  return builtTable(manifest, folder, true);
}

function sameDefinitions(a: readonly FieldDefinition[], b: readonly FieldDefinition[]): boolean {
  const key = ({ name, type, unit }: FieldDefinition) => JSON.stringify([name, type, unit]);
  return JSON.stringify(a.map(key).sort()) === JSON.stringify(b.map(key).sort());
}

function builtTable(manifest: LakeManifest, folder: string, reused: boolean): BuiltTable {
  return { manifest, folder, files: manifest.files.map(({ name }) => join(folder, name)), reused };
}

async function buildTable(wanted: Wanted, lake: string, options: BuildLakeOptions): Promise<BuiltTable> {
  const { path, table, definitions, naming, dates } = wanted;
  const { signal, onProgress } = options;
  const name = basename(path);
  const total = (await statOf(path)).size;
  const temporary = join(lake, `.${table}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`);
  await makeFolder(temporary);
  try {
    const pl = await loadPolars();
    const hash = startSha256();
    const task = `building ${table}`;
    let done = 0;
    const compressed = async function* () {
      for await (const chunk of readBytes(path, { ...signal && { signal } })) {
        hash.update(chunk);
        done += chunk.length;
        onProgress?.({ task, done, total, unit: "bytes" });
        yield chunk;
      }
    };
    const { header, chunks } = await peekHeader(inflate(compressed(), name), name);
    const shared = { pl, folder: temporary, name, ...signal && { signal } };
    const parts = isSequenceHeader(header, naming.accessionField)
      ? { kind: "sequence" as const, used: [], misfits: {}, raw: [], ...await convertSequences(chunks, shared) }
      : {
        kind: "metadata" as const,
        ...await convertMetadata(chunks, { ...shared, definitions, dates, idField: naming.accessionField }),
      };
    const sha256 = hash.digest();
    checkDigest(sha256, wanted.sha256, path);
    const manifest: LakeManifest = {
      lake: 2,
      table,
      kind: parts.kind,
      toolkit: TOOLKIT,
      built: new Date().toISOString(),
      source: { archive: name, sha256, bytes: done },
      idField: parts.idField,
      rows: parts.rows,
      unique: parts.unique,
      files: parts.files,
      raw: parts.raw,
      columns: parts.columns,
      definitions: parts.used,
      dates,
      misfits: parts.misfits,
      unparsed: parts.unparsed,
      problems: parts.problems,
    };
    signal?.throwIfAborted();
    await writeManifest(temporary, manifest);
    await putInPlace(temporary, join(lake, table));
    onProgress?.({ task, done, total, unit: "bytes", finished: true });
    return builtTable(manifest, join(lake, table), false);
  } catch (error) {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
    throw error instanceof Deno.errors.PermissionDenied || isDiskFull(error) ? diskError(lake, error) : error;
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /No space left|os error 28/.test(error.message);
}

function diskError(lake: string, cause: unknown): RegistryError {
  const why = isDiskFull(cause) ? "the disk is full; free some space" : "permission denied; choose another folder";
  return new RegistryError("disk", `Cannot write to ${lake}: ${why}`, { cause });
}

/** Times that a table is put in place when other processes put theirs there at the same moment. */
const PLACE_TRIES = 20;

/** An older table makes way; a reader that has its files open keeps them. Of several writers the last one stays. */
async function putInPlace(temporary: string, folder: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    const old = `${temporary}.old`;
    const hadOne = await Deno.rename(folder, old).then(() => true, () => false);
    try {
      await Deno.rename(temporary, folder);
      if (hadOne) await Deno.remove(old, { recursive: true });
      return;
    } catch (error) {
      // Another process was quicker: its table, or the one before, is put back unless a third is there by now.
      if (hadOne) {
        await Deno.rename(old, folder).catch(() => Deno.remove(old, { recursive: true })).catch(() => {});
      }
      if (attempt === PLACE_TRIES) throw error;
    }
  }
}

async function* inflate(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  const whole = (async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  })();
  if (!first.done && isGzip(first.value)) yield* gunzip(whole, name);
  else yield* whole;
}

/** Longest header that is looked for. */
const MAX_HEADER_BYTES = 1 << 20;

/** Reads the names of the columns and gives all chunks all the same. */
async function peekHeader(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): Promise<{ header: readonly string[]; chunks: AsyncIterable<Uint8Array> }> {
  let head = new Uint8Array(0);
  while (head.indexOf(10) === -1 && head.length < MAX_HEADER_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    const longer = new Uint8Array(head.length + value.length);
    longer.set(head);
    longer.set(value, head.length);
    head = longer;
  }
  const looks = describeBytes(head.subarray(0, 512));
  if (NOT_CSV.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; check which file it is`, {
      line: 1,
    });
  }
  const feed = head.indexOf(10);
  const line = new TextDecoder().decode(head.subarray(0, feed === -1 ? head.length : feed));
  const whole = (async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  })();
  // A quoted name that holds a line feed is cut here: only the names of a sequence archive matter, which do not.
  const isCut = (line.match(/"/g)?.length ?? 0) % 2 === 1;
  return { header: isCut ? [] : parseRow(line), chunks: whole };
}

/** Lists the tables of a lake: every folder in it with a manifest. */
export async function lakeTables(folder: string): Promise<BuiltTable[]> {
  const tables: BuiltTable[] = [];
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory && !entry.name.startsWith(".")) names.push(entry.name);
  }
  for (const name of names.sort()) {
    const manifest = await readManifest(join(folder, name));
    if (manifest !== undefined) tables.push(builtTable(manifest, join(folder, name), true));
  }
  return tables;
}
