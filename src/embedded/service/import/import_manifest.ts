/** What an import says of itself: written last, so that an import with it is whole. */
import { join } from "node:path";
import { isRecord } from "@seqreg/core/options/is_record";
import { RegistryError } from "@seqreg/core/errors";
import { sha256Of } from "@seqreg/core/io/digest";
import type { FieldDefinition } from "@seqreg/core/contract";
import type { FolderOrigin } from "./archive_set.ts";
import { parseDefinitions } from "./_definitions_file.ts";
import { areWhole } from "../files/file_sizes.ts";
import { areSavedEntries, type LedgerEntry, savedEntries } from "@seqreg/core/contract/ledger_entries";

/** Name of the manifest in the folder of an import. */
export const MANIFEST_FILE = "import.json";
export const INDEX_FOLDER = "index";

/** What is known of an import, whole or not. */
export interface ImportFacts {
  /** Fields, in the order of the archives' columns. */
  readonly fields: readonly FieldDefinition[];
  /** Whether they were derived from the data. */
  readonly definitionsDerived: boolean;
  readonly recordCount: number;
  /** What is unusual about the archives: warnings. */
  readonly entries: readonly LedgerEntry[];
  /** The same in words, all that an import of an older toolkit has. */
  readonly warnings: readonly string[];
  /** Sizes of its files in bytes, by path in its folder. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** What a whole import says of itself. */
export interface ImportManifest extends ImportFacts {
  /** The folder of the archives, as it was named. */
  readonly source: string;
  /** SHA-256 of each file of block checksums, by path in the import's folder. */
  readonly sums: Readonly<Record<string, string>>;
}

/** Writes the text of a manifest or of notes, with its own checksum. */
export function manifestText(manifest: object): string {
  return JSON.stringify({ ...manifest, checksum: checksumOf(manifest) });
}

/** Reads the manifest of an import; `undefined` when the import is absent, or not whole and as it was written. */
export async function readManifest(folder: string): Promise<ImportManifest | undefined> {
  const value = await readSummedJson(join(folder, MANIFEST_FILE));
  const facts = readFacts(value);
  if (facts === undefined || value === undefined) return undefined;
  const { source, sums } = value;
  if (typeof source !== "string" || !isRecordOf(sums, "string")) return undefined;
  return await areWhole(folder, facts.sizes) ? { ...facts, source, sums } : undefined;
}

/** Reads what {@linkcode manifestText} wrote; `undefined` when it is absent, or not as it was written. */
export async function readSummedJson(path: string): Promise<Record<string, unknown> | undefined> {
  const written = await readJsonIfThere(path);
  if (!isRecord(written)) return undefined;
  const { checksum, ...value } = written;
  return checksum === checksumOf(value) ? value : undefined;
}

/** Whether an import has a manifest, though it is not whole and as it was written. */
export async function hasDamagedManifest(folder: string): Promise<boolean> {
  const isThere = await Deno.stat(join(folder, MANIFEST_FILE)).then(() => true, () => false);
  return isThere && await readManifest(folder) === undefined;
}

/** Invalidates an import, so that the archives are imported again; current readers continue. */
export async function forgetImport(folder: string): Promise<void> {
  await Deno.remove(join(folder, MANIFEST_FILE)).catch((cause) => {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  });
}

function checksumOf(value: object): string {
  return sha256Of(JSON.stringify(value));
}

/** Whether a manifest or notes are of these archives, in any version. */
export async function isImportOf(path: string, { source, namingSha256 }: FolderOrigin): Promise<boolean> {
  const value = await readJsonIfThere(path);
  // An import that names no naming is older than those that do.
  return isRecord(value) && value.source === source && (value.namingSha256 ?? namingSha256) === namingSha256;
}

/** Reads a JSON file; `undefined` if it is missing or invalid. */
export async function readJsonIfThere(path: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (cause) {
    const absent = cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory;
    if (absent || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Reads what is known of an import; `undefined` when it is something else. */
export function readFacts(value: unknown): ImportFacts | undefined {
  if (!isRecord(value)) return undefined;
  const { definitionsDerived, recordCount, warnings, entries: saved, sizes } = value;
  if (typeof definitionsDerived !== "boolean" || typeof recordCount !== "number") return undefined;
  if (!isTexts(warnings) || !isRecordOf(sizes, "number")) return undefined;
  if (saved !== undefined && !areSavedEntries(saved)) return undefined;
  const entries = savedEntries({ warnings, ...saved && { entries: saved } });
  try {
    const fields = parseDefinitions(JSON.stringify(value.fields ?? null));
    return { fields, definitionsDerived, recordCount, entries, warnings, sizes };
  } catch (cause) {
    if (cause instanceof RegistryError) return undefined;
    throw cause;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function isRecordOf(value: unknown, type: "string"): value is Record<string, string>;
function isRecordOf(value: unknown, type: "number"): value is Record<string, number>;
function isRecordOf(value: unknown, type: "string" | "number"): boolean {
  return isRecord(value) && Object.values(value).every((entry) => typeof entry === type);
}
