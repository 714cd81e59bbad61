/** An archive to the Parquet files of a table, in as many passes as its types need. */
import { basename, join } from "node:path";
import { ARCHIVE_IDS } from "../../../contract/datasets.ts";
import { RegistryError } from "../../../errors.ts";
import { TOOLKIT } from "../../../contract/version.ts";
import type { FileMetadata } from "../../../parquet/write/columns.ts";
import { equalDigests, sha256 as digestOf } from "../../../io/digest/sha256.ts";
import type { DateColumns } from "../../types/table.ts";
import type { OpenTable, OpenTableOptions, TableReading } from "../../open/open_table.ts";
import {
  type ColumnKnowledge,
  type ColumnPlan,
  definitionsOf,
  noteTextDates,
  planColumns,
  withInferredTypes,
  withWideIntegers,
} from "./_column_plan.ts";
import { noteIds } from "./_note_ids.ts";
import { inferTypes } from "../../open/infer_types.ts";
import type { GivenDefinitions, Source } from "./_lake_sources.ts";
import { convertMetadata, type MetadataPartsOptions } from "./_metadata_parts.ts";
import { makeFolder } from "../../../io/files/make_folder.ts";
import { convertSequences, isSequenceHeader } from "./_sequence_parts.ts";
import type { TableFolders } from "./lake_layout.ts";
import type { LakeFile, LakeManifest } from "./lake_manifest.ts";
import { type LedgerEntry, textsOf } from "../../../contract/ledger_entries.ts";

/** Limits of a lake's parts; tests choose others than the usual ones. */
export interface PartLimits {
  /** Most bytes of a part of metadata; see {@linkcode convertMetadata}. */
  readonly maxPartBytes?: number;
  /** Bytes of CSV in a part of metadata. */
  readonly partBytes?: number;
}

export interface TableRequest extends Source, PartLimits, ColumnKnowledge, GivenDefinitions {
  readonly dates: DateColumns;
  /** How a person's table is to be read. */
  readonly form: Pick<OpenTableOptions, "sheet" | "encoding">;
  /** Digest that the checksum file of the archive states. */
  readonly sha256: string | undefined;
}

export interface ConvertOptions extends TableFolders {
  readonly source: OpenTable;
  readonly signal?: AbortSignal;
}

/** What an archive was converted to: the manifest's part of it, and its digest. */
export type ConvertedArchive =
  & Omit<LakeManifest, "lake" | "table" | "toolkit" | "built" | "source" | "header" | "dates" | "checksum">
  & { readonly sha256: string };

export async function convertArchive(request: TableRequest, options: ConvertOptions): Promise<ConvertedArchive> {
  const { source } = options;
  const plan = planColumns(source.columns, request);
  if (!isSequenceHeader(plan.names, request.naming.accessionField)) {
    return await convertMetadataArchive(plan, request, options);
  }
  const { folder, signal } = options;
  const name = basename(request.path);
  const sha256 = await digestBefore(request, signal);
  const metadata = describeSource(request, sha256, plan);
  const reading = await source.read();
  const converted = await convertSequences(reading.chunks, { folder, name, names: plan.names, metadata, signal });
  return {
    kind: "sequence",
    ...converted,
    raw: [],
    definitions: [],
    inferred: false,
    misfits: {},
    missingValues: {},
    ...remarks([
      ...source.entries,
      ...await reading.entries?.() ?? [],
      ...await noteIds(pathsOf(folder, converted.files), converted),
    ]),
    sha256: proveDigest(reading, { ...request, sha256 }),
  };
}

/**
 * Converts an archive of metadata in one pass, or in more: the types of columns without a definition are inferred in
 * one before, and where a column of integers holds numbers beyond 64 bits, another keeps it as text.
 */
async function convertMetadataArchive(
  planned: ColumnPlan,
  request: TableRequest,
  { folder, about, source, signal }: ConvertOptions,
): Promise<ConvertedArchive> {
  const name = basename(request.path);
  let plan = planned;
  let reading: TableReading | undefined;
  const read = async () => (reading = await source.read()).chunks;
  if (plan.inferred.length > 0) {
    const texts = source.columns.filter((_, index) => !planned.inferred.includes(plan.names[index]));
    const { types: declared, hasDecimalCommas } = source;
    plan = withInferredTypes(plan, await inferTypes(read, { name, texts, declared, hasDecimalCommas, signal }));
  }
  const sha256 = reading === undefined ? await digestBefore(request, signal) : proveDigest(reading, request);
  const metadata = describeSource(request, sha256, planned);
  const convert = async () =>
    await convertMetadata(await read(), metadataOptions(plan, request, { folder, about, name, metadata, signal }));
  let converted = await convert();
  if (converted.wide.length > 0) {
    plan = withWideIntegers(plan, converted.wide);
    for (const each of [folder, about]) {
      await Deno.remove(each, { recursive: true });
      await makeFolder(each);
    }
    converted = await convert();
  }
  const { wide: _, ...parts } = converted;
  const { idField, files } = parts;
  const entries = [
    ...source.entries,
    ...await reading!.entries?.() ?? [],
    ...request.remarks,
    ...plan.entries.filter(({ code }) => code !== "types-inferred" || hasDefinedFields(request.table)),
    ...request.dates === "columns" ? noteTextDates(plan) : [],
    ...idField === null ? [] : await noteIds(pathsOf(folder, files), { ...parts, idField }),
  ];
  return {
    kind: "metadata",
    ...parts,
    definitions: definitionsOf(planned),
    inferred: plan.inferred.length > 0,
    ...remarks(entries),
    sha256: proveDigest(reading!, { ...request, sha256 }),
  };
}

/** Digest of an archive before it is converted: its files state it. */
async function digestBefore({ path, sha256 }: TableRequest, signal: AbortSignal | undefined): Promise<string> {
  return sha256 ?? await digestOf(path, { signal });
}

/** What each file says of itself in its footer. */
function describeSource({ path }: TableRequest, sha256: string, plan: ColumnPlan): FileMetadata {
  const fields = definitionsOf(plan).map(({ name, type, unit, description }) => ({ name, type, unit, description }));
  return {
    "seqreg:archive": basename(path),
    "seqreg:sha256": sha256,
    "seqreg:toolkit": TOOLKIT,
    ...fields.length > 0 && { "seqreg:fields": JSON.stringify(fields) },
  };
}

/** Whether definitions are about the columns of an archive: those of the map and of the metrics have none anywhere. */
function hasDefinedFields(table: string): boolean {
  return !ARCHIVE_IDS.some((id) => id === table) || table.endsWith("_metadata");
}

/** Remarks as a manifest has them: entries, and their texts for older versions of the toolkit. */
function remarks(entries: readonly LedgerEntry[]): Pick<LakeManifest, "warnings" | "entries"> {
  return { warnings: textsOf(entries, "warning"), entries };
}

function pathsOf(folder: string, files: readonly LakeFile[]): string[] {
  return files.map(({ name }) => join(folder, name));
}

function metadataOptions(
  { names, definitions }: ColumnPlan,
  { naming, dates, maxPartBytes, partBytes }: TableRequest,
  target: Pick<MetadataPartsOptions, "folder" | "about" | "name" | "metadata" | "signal">,
): MetadataPartsOptions {
  const sizes = { maxPartBytes, partBytes };
  return { ...target, names, definitions, dates, idField: naming.accessionField, ...sizes };
}

/** Digest of an archive that was read to its end. @throws {RegistryError} If its checksum file states another. */
function proveDigest(reading: TableReading, { path, sha256: expected }: TableRequest): string {
  const actual = reading.digest();
  if (expected === undefined || equalDigests(actual, expected)) return actual;
  throw new RegistryError(
    "checksum",
    `Cannot build a lake of ${path}: its SHA-256 is ${actual}, expected ${expected}, as its checksum file says or as it was ` +
      "before it was read; nothing was kept; fetch the archive and its checksum file again",
  );
}
