/**
 * The eight dataset archives: fetched, verified and cached, each with its checksum file.
 *
 * @module
 */
export { ArchiveCache, type ArchiveOrigin, type CacheAnswer, type CachedArchive } from "./archive_cache.ts";
export { ArchiveFacts } from "./archive_facts.ts";
export { type CacheEntry, type CacheOptions, type CacheVerdict, listCache, verifyCache } from "./cache_contents.ts";
export {
  type ChecksumEntry,
  ChecksumFileError,
  checksumText,
  escapeName,
  findChecksum,
  parseChecksums,
} from "../io/digest/checksum_file.ts";
export {
  CACHE_MODES,
  type CacheMode,
  fetchArchive,
  type FetchArchiveOptions,
  type Pace,
  type VerifiedArchive,
} from "./fetch_archive.ts";
export {
  DEFINITIONS_FILE,
  type DefinitionsReader,
  type Mirror,
  mirror,
  type MirroredArchive,
  type MirrorOptions,
  type ReadDefinitions,
  type UnderstoodDefinitions,
} from "./mirror.ts";
export {
  type PlacedArchive,
  type PlacedDefinitions,
  placeDefinitions,
  type PlaceDefinitionsOptions,
} from "./place_definitions.ts";
export { placeArchive, type PlaceArchiveOptions } from "./place_archive.ts";
export { pruneCache, type PruneOptions } from "./prune_cache.ts";
export { type VerifiedFile, verifyArchive, verifyChecksums, type VerifyOptions } from "./verify_checksums.ts";
export { ParseError, type TextPosition } from "../errors.ts";
export type { ByteSource } from "../io/bytes/byte_source.ts";
export type { OnProgress, ProgressEvent } from "../io/tasks/progress.ts";
export type { ArchiveId } from "../contract/datasets.ts";
export type { Ledger, Provenance } from "../contract/ledger.ts";
export type { FieldDefinition, FieldType } from "../contract/metadata.ts";
export type {
  BodyObserver,
  BusyError,
  ClientOptions,
  DatasetOptions,
  DefinitionFormat,
  DefinitionsAnswer,
  DefinitionsOptions,
  DefinitionsRequest,
  DownloadOptions,
  DownloadRequest,
  DownloadSearch,
  Fetch,
  FileAnswer,
  FileRange,
  FileType,
  Information,
  Intercept,
  InterceptedAnswer,
  InterceptedCall,
  InvalidRequestError,
  JsonAnswer,
  Keys,
  Naming,
  NetworkError,
  NetworkErrorOptions,
  NoResultsError,
  Operation,
  Receipt,
  RegistryClient,
  RegistryError,
  RegistryErrorCode,
  RequestOptions,
  RetryBudget,
  RetryEvent,
  RetryPolicy,
  RetrySurroundings,
  Scope,
  SearchAnswer,
  SearchFilter,
  SearchHit,
  SearchRequest,
  SearchResponse,
  SequenceAnswer,
  SequenceRequest,
  SortOrder,
  StatusDetails,
  StatusError,
  TimeoutError,
  Timeouts,
  UnexpectedResponseError,
  ValidationIssue,
  WholeAnswer,
} from "../client/mod.ts";
export type { LedgerEntry } from "../contract/ledger_entries.ts";
export type { NamingRoles } from "../contract/naming.ts";
export { LEDGER_CODES, type LedgerCode, type LedgerCodeInfo, type LedgerLevel } from "../contract/ledger_codes.ts";
export type { RecognisedColumns } from "../contract/answers/read_definitions.ts";
export type { DatasetRequestOptions, DefinitionsRequestOptions } from "../client/options.ts";
