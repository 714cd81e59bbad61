/** What an import says of itself: written last, so that an import with it is whole. */
import { join } from "node:path";
import { RegistryError } from "../errors.ts";
import type { Facet } from "../spec/facets.ts";
import type { FacetField } from "./_facet_fields.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import { parseDefinitions } from "./_definitions_file.ts";
import { readFacets } from "../spec/facets.ts";

/** Name of the manifest in the folder of an import. */
export const MANIFEST_FILE = "import.json";
/** Name of the database that finds. */
export const FIND_FILE = "find.duckdb";
/** Name of the database that keeps records and sequences. */
export const RECORDS_FILE = "records.sqlite";

/** What an import says of itself. */
export interface ImportManifest {
  /** Fields, in the order of the archives' columns. */
  readonly fields: readonly FieldDefinition[];
  /** Whether they were derived from the data. */
  readonly definitionsDerived: boolean;
  /** Number of records. */
  readonly recordCount: number;
  /** What is odd about the archives. */
  readonly warnings: readonly string[];
  /** The fields that have facets. */
  readonly facetFields: readonly FacetField[];
  /** Facets of all records. */
  readonly facets: readonly Facet[];
  /** SHA-256 of each archive, by file name: proved at the import. */
  readonly digests: Readonly<Record<string, string>>;
  /** Sizes of the two databases, in bytes. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Writes the manifest of a finished import. */
export async function writeManifest(folder: string, manifest: Omit<ImportManifest, "sizes">): Promise<void> {
  const sizes: Record<string, number> = {};
  for (const name of [FIND_FILE, RECORDS_FILE]) sizes[name] = (await Deno.stat(join(folder, name))).size;
  await Deno.writeTextFile(join(folder, MANIFEST_FILE), JSON.stringify({ ...manifest, sizes }));
}

/** Reads the manifest of an import; `undefined` when the import is absent, or not whole. */
export async function readManifest(folder: string): Promise<ImportManifest | undefined> {
  try {
    const manifest = parseManifest(JSON.parse(await Deno.readTextFile(join(folder, MANIFEST_FILE))));
    for (const [name, bytes] of Object.entries(manifest?.sizes ?? {})) {
      if ((await Deno.stat(join(folder, name))).size !== bytes) return undefined;
    }
    return manifest;
  } catch (cause) {
    const absent = cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory;
    const malformed = cause instanceof SyntaxError || cause instanceof RegistryError;
    if (absent || malformed) return undefined;
    throw cause;
  }
}

function parseManifest(value: unknown): ImportManifest | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = new Map<string, unknown>(Object.entries(value));
  const fields = parseDefinitions(JSON.stringify(entries.get("fields") ?? null));
  const definitionsDerived = entries.get("definitionsDerived");
  const recordCount = entries.get("recordCount");
  const warnings = entries.get("warnings");
  const facetFields = entries.get("facetFields");
  const digests = entries.get("digests");
  const sizes = entries.get("sizes");
  if (typeof definitionsDerived !== "boolean" || typeof recordCount !== "number") return undefined;
  if (!isTexts(warnings) || !isFacetFields(facetFields)) return undefined;
  if (!isRecordOf(digests, "string") || !isRecordOf(sizes, "number")) return undefined;
  if (!(FIND_FILE in sizes) || !(RECORDS_FILE in sizes)) return undefined;
  const facets = readFacets(entries.get("facets"));
  return { fields, definitionsDerived, recordCount, warnings, facetFields, facets, digests, sizes };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function isFacetFields(value: unknown): value is FacetField[] {
  return Array.isArray(value) && value.every((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return false;
    const { index, name, values } = { index: undefined, name: undefined, values: undefined, ...entry };
    return Number.isSafeInteger(index) && typeof name === "string" && isTexts(values);
  });
}

function isRecordOf(value: unknown, type: "string"): value is Record<string, string>;
function isRecordOf(value: unknown, type: "number"): value is Record<string, number>;
function isRecordOf(value: unknown, type: "string" | "number"): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every((entry) => typeof entry === type);
}
