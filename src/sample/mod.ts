/**
 * Archive sets without a registry: synthetic ones from a seed, and a user's own genomes.
 *
 * @module
 */
export type { OnProgress, ProgressEvent } from "../io/tasks/progress.ts";
export type { ArchiveId } from "../contract/datasets.ts";
export type { FieldDefinition, FieldType } from "../contract/metadata.ts";
export type { Naming } from "../contract/naming.ts";
export { ensureSample, type EnsureSampleOptions } from "./ensure_sample.ts";
export {
  makeSample,
  type MakeSampleOptions,
  MAX_SAMPLE_RECORDS,
  MAX_SAMPLE_SEED,
  type Sample,
  SAMPLE_RECORDS,
  SAMPLE_SEED,
} from "./make_sample.ts";
export type { Awkwardness, SampleManifest } from "./_manifest.ts";
export {
  type ArchiveSequence,
  type ArchiveSource,
  type Clusters,
  type Compression,
  DEFINITIONS_FILE,
  MANIFEST_FILE,
  writeArchives,
  type WriteArchivesOptions,
} from "./write_archives.ts";
export { packArchives, type Packed, type PackOptions } from "./pack_archives.ts";
export type { ByteSource } from "../io/bytes/byte_source.ts";
export type { Ledger, Provenance } from "../contract/ledger.ts";
