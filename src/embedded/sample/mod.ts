/**
 * Archive sets without a registry: synthetic ones from a seed, real genomes of Zika virus, and a user's own genomes.
 *
 * @module
 */
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
export type {
  ArchiveId,
  FieldDefinition,
  FieldType,
  Ledger,
  LedgerEntry,
  Naming,
  NamingRoles,
  Provenance,
} from "@seqreg/core/contract";
export { ensureSample, type EnsureSampleOptions } from "./ensure_sample.ts";
export { ensureZika, type EnsureZikaOptions } from "./zika/ensure_zika.ts";
export { type FamilyMember, familyMembers, type FamilyOptions, type MemberKind } from "./families.ts";
export { type MadeFamilies, makeFamilies, type MakeFamiliesOptions } from "./make_families.ts";
export { makeSample, type MakeSampleOptions, type Sample, SAMPLE_RECORDS, SAMPLE_SEED } from "./make_sample.ts";
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
export type { DateOrder } from "@seqreg/core/contract/values";
export { type Download, openDownload, type OpenDownloadOptions } from "./pack/download.ts";
export { packArchives, type Packed, type PackOptions } from "./pack/pack_archives.ts";
export type { ByteSource } from "@seqreg/core/io/bytes";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export { ParseError, RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
