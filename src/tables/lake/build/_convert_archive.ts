/** An archive to the Parquet files of a table, in as many passes as its types need. */
import { basename } from "node:path";
import { RegistryError } from "../../../errors.ts";
import { equalDigests } from "../../../io/digest/sha256.ts";
import type { DateColumns } from "../../types/table.ts";
import type { OpenArchive } from "./_archive_chunks.ts";
import {
  type ColumnKnowledge,
  type ColumnPlan,
  definitionsOf,
  planColumns,
  withInferredTypes,
  withWideIntegers,
} from "./_column_plan.ts";
import { inferTypes } from "./_infer_types.ts";
import type { Source } from "./_lake_sources.ts";
import { convertMetadata, type MetadataPartsOptions } from "./_metadata_parts.ts";
import { makeFolder } from "../../../io/files/make_folder.ts";
import { convertSequences, isSequenceHeader } from "./_sequence_parts.ts";
import type { LakeManifest } from "./lake_manifest.ts";

/** Limits of a lake's parts; tests choose others than the usual ones. */
export interface PartLimits {
  /** Most bytes of a part of metadata; see {@linkcode convertMetadata}. */
  readonly maxPartBytes?: number;
  /** Bytes of CSV in a part of metadata. */
  readonly partBytes?: number;
}

/** A table that is to be in the lake. */
export interface TableRequest extends Source, PartLimits, ColumnKnowledge {
  readonly dates: DateColumns;
  /** Digest that the checksum file of the archive states. */
  readonly sha256: string | undefined;
}

/** Where an archive is converted to, and how it is opened. */
export interface ConvertOptions {
  readonly folder: string;
  /** Opens the archive from its beginning. */
  open(): Promise<OpenArchive>;
  readonly signal?: AbortSignal;
}

/** What an archive was converted to: the manifest's part of it, the archive as it was read last, and its digest. */
export type ConvertedArchive =
  & Omit<LakeManifest, "lake" | "table" | "toolkit" | "built" | "source" | "header" | "dates" | "checksum">
  & { readonly archive: OpenArchive; readonly sha256: string };

/** Converts an archive of sequences, or of metadata. */
export async function convertArchive(request: TableRequest, options: ConvertOptions): Promise<ConvertedArchive> {
  const archive = await options.open();
  const plan = planColumns(archive.header, request);
  if (!isSequenceHeader(plan.names, request.naming.accessionField)) {
    return await convertMetadataArchive(archive, plan, request, options);
  }
  const { folder, signal } = options;
  const name = basename(request.path);
  const converted = await convertSequences(archive.chunks, { folder, name, names: plan.names, signal });
  return {
    kind: "sequence",
    ...converted,
    raw: [],
    definitions: [],
    inferred: false,
    misfits: {},
    missingValues: {},
    warnings: archive.warnings,
    archive,
    sha256: proveDigest(archive, request),
  };
}

/**
 * Converts an archive of metadata in one pass, or in more: the types of columns without a definition are inferred in
 * one before, and where a column of integers holds numbers beyond 64 bits, another keeps it as text.
 */
async function convertMetadataArchive(
  opened: OpenArchive,
  declared: ColumnPlan,
  request: TableRequest,
  { folder, open, signal }: ConvertOptions,
): Promise<ConvertedArchive> {
  const name = basename(request.path);
  let [archive, plan] = [opened, declared];
  if (plan.inferred.length > 0) {
    const texts = archive.header.filter((_, index) => !declared.inferred.includes(plan.names[index]));
    const types = await inferTypes(archive.chunks, { name, texts, signal });
    proveDigest(archive, request);
    plan = withInferredTypes(plan, types);
    archive = await open();
  }
  const convert = () => convertMetadata(archive.chunks, metadataOptions(plan, request, { folder, name, signal }));
  let converted = await convert();
  if (converted.wide.length > 0) {
    plan = withWideIntegers(plan, converted.wide);
    await Deno.remove(folder, { recursive: true });
    await makeFolder(folder);
    archive = await open();
    converted = await convert();
  }
  const { wide: _, ...parts } = converted;
  return {
    kind: "metadata",
    ...parts,
    definitions: definitionsOf(declared),
    inferred: plan.inferred.length > 0,
    warnings: [...archive.warnings, ...plan.warnings],
    archive,
    sha256: proveDigest(archive, request),
  };
}

function metadataOptions(
  { names, definitions }: ColumnPlan,
  { naming, dates, maxPartBytes, partBytes }: TableRequest,
  target: Pick<MetadataPartsOptions, "folder" | "name" | "signal">,
): MetadataPartsOptions {
  const sizes = { maxPartBytes, ...partBytes !== undefined && { partBytes } };
  return { ...target, names, definitions, dates, idField: naming.accessionField, ...sizes };
}

/** Digest of an archive that was read to its end. @throws {RegistryError} If its checksum file states another. */
function proveDigest(archive: OpenArchive, { path, sha256: expected }: TableRequest): string {
  const actual = archive.digest();
  if (expected === undefined || equalDigests(actual, expected)) return actual;
  throw new RegistryError(
    "checksum",
    `Cannot build a lake of ${path}: its SHA-256 is ${actual}, its checksum file says ${expected}; ` +
      "nothing was kept; fetch the archive and its checksum file again",
  );
}
