/** What a lake says of each of its tables: `manifest.json`. */
import { TOOLKIT } from "../../../contract/version.ts";
import { isRecord } from "../../../options/is_record.ts";
import { ParseError } from "../../../errors.ts";
import { sha256, sha256Of } from "../../../io/digest/sha256.ts";
import { writeAtomic } from "../../../io/files/atomic_file.ts";
import type { FileChecks } from "../../../parquet/write/file_checks.ts";
import type { Problem } from "../../../contract/ledger.ts";
import type { FieldDefinition } from "../../../contract/metadata.ts";
import type { DateColumns, TableColumn } from "../../types/table.ts";
import { areSavedEntries, type SavedEntry } from "../../../contract/ledger_entries.ts";

/** One column of a table of a lake. */
export type LakeColumn = TableColumn;

/** One Parquet file of a table; the files in order are the table. */
export interface LakeFile {
  /** File name; the folder is the table's, or that of its manifest for texts that are not written as their type is. */
  readonly name: string;
  /** Rows in it. */
  readonly rows: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** Checksums of its bytes; absent in a lake of an older toolkit. */
  readonly checks?: FileChecks;
}

/** Where a table comes from. */
export interface LakeSource {
  /** File name of the archive. */
  readonly archive: string;
  /** SHA-256 of the archive's bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Size of the archive in bytes. */
  readonly bytes: number;
  /** The sheet that was asked for, of a workbook. */
  readonly sheet?: string | number;
  /** The encoding that was asked for, of a text. */
  readonly encoding?: string;
}

/** One table of a lake. */
export interface LakeManifest {
  /** Version of this form. In 3, the table's folder holds its Parquet files alone; in 2, this manifest too. */
  readonly lake: 2 | 3;
  /** Name of the table: an archive's identifier, or the file's stem. */
  readonly table: string;
  /** `metadata` is typed by definitions; `sequence` has an identifier, characters and counts of them. */
  readonly kind: "metadata" | "sequence";
  /** Name and version of the toolkit that built it. */
  readonly toolkit: string;
  /** When it was built, ISO 8601 in UTC. */
  readonly built: string;
  /** The archive. */
  readonly source: LakeSource;
  /** Names of the archive's columns as it has them: one that is called by an alias has another name in the lake. */
  readonly header?: readonly string[];
  /** Column that holds the records' identifiers, if there is one. */
  readonly idField: string | null;
  /** Number of rows. */
  readonly rows: number;
  /** Distinct identifiers among them; a row without one counts as one. */
  readonly unique: number;
  /** The Parquet files, in order. */
  readonly files: readonly LakeFile[];
  /**
   * Files, in Parquet too, of the texts that are not written as their column's type is: `row` (from 1), `field`,
   * `value` as it came, and whether it `fits` (then the column holds it, or null for a text that says that the value is
   * missing) or not (then the column holds null; a date stays text).
   */
  readonly raw: readonly LakeFile[];
  /** The columns. */
  readonly columns: readonly LakeColumn[];
  /** Definitions that gave the types. */
  readonly definitions: readonly FieldDefinition[];
  /** Whether types were inferred from all values, since some or all columns have no definition. */
  readonly inferred?: boolean;
  /** How dates were written. */
  readonly dates: DateColumns;
  /** Values that do not fit, by field. */
  readonly misfits: Readonly<Record<string, number>>;
  /** Up to three distinct texts of them, by field; absent of an older lake. */
  readonly misfitTexts?: Readonly<Record<string, readonly string[]>>;
  /**
   * Counts of each word of `MISSING_WORDS` in typed fields: field → word → count. Absent in lakes of older versions,
   * which counted such words as values that do not fit.
   */
  readonly missingValues?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Rows of the archive that could not be read. */
  readonly unparsed: number;
  /** Those rows, the first 1,000 of them. */
  readonly problems: readonly Problem[];
  /** What is unusual about the archive or its types, in words. */
  readonly warnings?: readonly string[];
  /** The same as data, as `savedEntries` reads it; absent in a lake of an older toolkit. */
  readonly entries?: readonly SavedEntry[];
  /** SHA-256 of this manifest without this line; absent in a lake of an older toolkit. */
  readonly checksum?: string;
}

/** Folder of a lake for what belongs to no table's rows. No table has this name. */
export const LAKE_FILES = "_lake";

export const MANIFEST_NAME = "manifest.json";

/** Writes a manifest into a folder; returns it with its checksum. */
export async function writeManifest(
  folder: string,
  manifest: Omit<LakeManifest, "checksum">,
): Promise<LakeManifest> {
  const summed = { ...manifest, checksum: sha256Of(JSON.stringify(manifest)) };
  await writeAtomic(`${folder}/${MANIFEST_NAME}`, JSON.stringify(summed, null, 1) + "\n");
  return summed;
}

/**
 * Reads the manifest in a folder; `undefined` if it is missing.
 *
 * @throws {ParseError} If it is damaged.
 */
export async function readManifest(folder: string): Promise<LakeManifest | undefined> {
  const path = `${folder}/${MANIFEST_NAME}`;
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory) return undefined;
    throw cause;
  }
  const next = "build the lake again: seqreg lake ARCHIVE -o LAKE";
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ParseError(`Cannot read ${path}: invalid JSON; ${next}`, {}, { cause });
  }
  return checkManifest(value, path);
}

/**
 * Returns what is the manifest of a lake's table, as it was written.
 *
 * @throws {ParseError} If it is something else, of a newer version, or its checksum is not its own.
 */
export function checkManifest(value: unknown, path: string): LakeManifest {
  const next = "build the lake again: seqreg lake ARCHIVE -o LAKE";
  refuseNewer(value, path, { lake: 3 }, next);
  if (!isManifest(value)) throw new ParseError(`Cannot read ${path}: not the manifest of a lake; ${next}`);
  const { checksum, ...rest } = value;
  if (checksum !== undefined && checksum !== sha256Of(JSON.stringify(rest))) {
    throw new ParseError(`Cannot read ${path}: it is not as it was written (its SHA-256 differs); ${next}`);
  }
  // A flipped bit in its name must not make the checksum absent.
  if (checksum === undefined && value.files.some(({ checks }) => checks !== undefined)) {
    throw new ParseError(`Cannot read ${path}: its checksum is missing; ${next}`);
  }
  return value;
}

/**
 * Refuses a manifest, or a list of them, of a later version of its form.
 *
 * @param known The latest versions that are read, by their member.
 * @param next What to do if it is damaged.
 */
export function refuseNewer(
  value: unknown,
  path: string,
  known: Readonly<Record<string, number>>,
  next: string,
): void {
  if (!isRecord(value) || !Object.entries(known).some(([name, version]) => Number(value[name]) > version)) return;
  const writer = typeof value.toolkit === "string" ? value.toolkit : "another toolkit";
  throw new ParseError(
    `Cannot read ${path}: ${writer} wrote it in a newer form, which ${TOOLKIT} cannot read; update seqreg, or, ` +
      `if it is damaged, ${next}`,
  );
}

/** Whether every byte of a file is as it was written; `undefined` where no checksum says so. */
export async function isFileWhole(
  path: string,
  { bytes, checks }: LakeFile,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const info = await Deno.stat(path);
  if (info.size !== bytes) return false;
  if (checks === undefined) return undefined;
  return await sha256(path, { signal }) === checks.sha256;
}

function isManifest(value: unknown): value is LakeManifest {
  return isRecord(value) && (value.lake === 2 || value.lake === 3) && typeof value.table === "string" &&
    (value.kind === "metadata" || value.kind === "sequence") && typeof value.toolkit === "string" &&
    typeof value.rows === "number" && typeof value.unique === "number" &&
    (value.idField === null || typeof value.idField === "string") &&
    isRecord(value.source) && typeof value.source.sha256 === "string" &&
    isListOf(value.files, (file) => isFileName(file.name, "parquet") && isFile(file)) &&
    isListOf(value.raw, (file) => isFileName(file.name, "raw") && isFile(file)) &&
    isListOf(
      value.columns,
      ({ name, field, dtype }) => [name, field, dtype].every((text) => typeof text === "string"),
    ) &&
    isListOf(value.definitions, ({ name, type }) => typeof name === "string" && typeof type === "string") &&
    isListOf(value.problems, ({ reason }) => typeof reason === "string") && isRecord(value.misfits) &&
    isTexts(value.warnings ?? []) && areSavedEntries(value.entries ?? []) && isTexts(value.header ?? []) &&
    (value.misfitTexts === undefined ||
      isRecord(value.misfitTexts) && Object.values(value.misfitTexts).every(isTexts)) &&
    (value.missingValues === undefined ||
      isRecord(value.missingValues) && Object.values(value.missingValues).every(isCounts));
}

function isFile({ rows, checks }: Readonly<Record<string, unknown>>): boolean {
  return typeof rows === "number" &&
    (checks === undefined ||
      isRecord(checks) && [checks.sha256, checks.crc32, checks.pages].every((text) => typeof text === "string"));
}

function isCounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((count) => typeof count === "number");
}

function isListOf(value: unknown, test: (entry: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => isRecord(entry) && test(entry));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** A manifest names files in two folders, nowhere else. */
function isFileName(name: unknown, ending: "parquet" | "raw"): boolean {
  return typeof name === "string" && name.endsWith(`.${ending}`) &&
    /^part-[0-9]{5,}(?:-[0-9a-f]{16})?\.[a-z]+$/.test(name);
}
