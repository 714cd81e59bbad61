/**
 * seqreg: complete or explained access to a Sequence Registry of viral genome records.
 *
 * {@linkcode Registry} is the main class: search, metadata, sequences, accessions, definitions and datasets of a live
 * registry or of one embedded in this process. Each result has rows, a polars frame, a ledger that reports whether it
 * is complete and why not, and its provenance. {@linkcode show} displays any of them in a notebook. Importing this
 * module does no I/O.
 *
 * Other entry points: `seqreg/client` (the five operations), `seqreg/datasets` (archives, checksums, cache),
 * `seqreg/fasta` (reading and writing FASTA), `seqreg/tables` (typed frames), `seqreg/service` (the embedded registry),
 * `seqreg/sample` (synthetic archives, and your own genomes as archives), `seqreg/notebook` (displays),
 * `seqreg/analysis` (charts and recipes), `seqreg/contract` (the contract; `seqreg/spec` is an alias).
 *
 * @example The built-in sample is synthetic and needs no network
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Registry } from "seqreg";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * {
 *   await using registry = await Registry.open(undefined, { cacheFolder });
 *   const hits = await registry.search("country:Kenya", { pageSize: 5 });
 *
 *   assertEquals(hits.rows.length, 5);
 *   assertEquals(hits.ledger.complete, true);
 * }
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 *
 * @module
 */
export {
  type AccessionsOptions,
  AccessionsResult,
  type ArchiveLakeOptions,
  type Citation,
  type CitedLake,
  type CitedTable,
  type DatasetOptions,
  DatasetResult,
  type DefinitionsOptions,
  DefinitionsResult,
  type DownloadFileOptions,
  type DownloadRecordsOptions,
  type ExportedRows,
  type ExportRequest,
  type ExportRunOptions,
  type ExportScope,
  type ExportType,
  findNaming,
  type FindNamingOptions,
  type FoundNaming,
  type LearnedLimits,
  type LimitKind,
  type MetadataOptions,
  type OpenOptions,
  type PagesOptions,
  type ReadDatasetOptions,
  type Records,
  type RecordsByAccession,
  type RecordsByQuery,
  Registry,
  type RegistryLakeOptions,
  RegistryResult,
  ReleaseWatch,
  type Row,
  type SearchCriteria,
  type SearchEveryOptions,
  type SearchOptions,
  type SearchPage,
  type SearchPageOptions,
  type SearchPart,
  type SearchPlan,
  SearchResult,
  type SearchSort,
  type SearchStep,
  type SearchTerms,
  type SequenceEntry,
  type SequenceRoute,
  type SequencesOptions,
  SequencesResult,
  type SuggestOptions,
  type ToFastaOptions,
  type WhenNothingMatches,
  type WriteResultOptions,
} from "@seqreg/core/registry";
export { ParseError, RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
export { show, viewOf } from "@seqreg/jupyter/notebook/show";
export { CriteriaError } from "@seqreg/core/query";
// In a notebook this import installs display, progress and Stop.
import "@seqreg/jupyter/notebook/install";
export { live, type LiveOptions } from "@seqreg/jupyter/notebook/live/live";
export type { LiveCode } from "@seqreg/jupyter/live/live_code";
export type { FrameSource, LiveInput, LiveLake } from "@seqreg/jupyter/notebook";
export { type LiveFrameOptions, type LiveOrder, LiveView } from "@seqreg/jupyter/notebook/live/live_view";
export { stopSignal } from "@seqreg/jupyter/notebook/stop";
export { createProgress, type ProgressOptions } from "@seqreg/jupyter/notebook/progress";
export type {
  ArchiveId,
  DefinitionFormat,
  DefinitionsRequest,
  DownloadOptions,
  DownloadRequest,
  DownloadSearch,
  Facet,
  FacetValue,
  FieldDefinition,
  FieldType,
  FileType,
  Information,
  Keys,
  Ledger,
  LedgerEntry,
  Operation,
  Problem,
  Provenance,
  SavedEntry,
  Scope,
  SearchFilter,
  SearchHit,
  SearchRequest,
  SearchResponse,
  SequenceRequest,
  SortOrder,
  ValidationIssue,
} from "@seqreg/core/contract";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export {
  type Naming,
  namingOf,
  type NamingRoles,
  type NamingSpellings,
  parseNaming,
} from "@seqreg/core/contract/naming";
export { VERSION } from "@seqreg/core/contract/version";
export { RegistryClient } from "@seqreg/core/client/registry_client";
export type { Spellings } from "@seqreg/core/contract/naming_evidence";
export type { CellValue } from "@seqreg/core/contract/values";
export type { ArchiveFacts, CacheMode } from "@seqreg/core/datasets";
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
export { DISPLAY, type Displayable, type MediaBundle } from "@seqreg/core/io/display";
export { ExportRun } from "@seqreg/core/registry/exports";
export { AllMatches } from "@seqreg/core/registry/operations/all_matches";
export { SearchAll } from "@seqreg/core/registry/operations/search_all";
export type {
  CheckedPart,
  DateColumns,
  Lake,
  LakeCheck,
  LakeColumn,
  LakeFile,
  LakeJoin,
  LakeJoinOptions,
  LakeManifest,
  LakeSource,
  LakeTable,
  LakeTableOptions,
  Recipe,
  RecipeNumbers,
  TableColumn,
  TableOptions,
  TypedTable,
  WriteTableOptions,
} from "@seqreg/core/tables";
export type {
  DatasetRequestOptions,
  DefinitionsAnswer,
  DefinitionsRequestOptions,
  FileAnswer,
  FileRange,
  JsonAnswer,
  Receipt,
  RequestOptions,
  SearchAnswer,
  SequenceAnswer,
  WholeAnswer,
} from "@seqreg/core/client";
export { NoResultsError, type StatusDetails, StatusError } from "@seqreg/core/client/errors";
export { RetryBudget } from "@seqreg/core/client/retry_budget";
export type {
  Engine,
  EngineAbilities,
  EngineColumn,
  EngineFacts,
  EngineLake,
  EnginePart,
  EngineQueryOptions,
  EngineSession,
  EngineTable,
  SqlParameter,
  SqlParameters,
} from "@seqreg/core/engine/engine";
export type { ColumnDtype } from "@seqreg/core/engine/frames";
export type { Separator } from "@seqreg/core/io/csv";
export { type AccessionList, checkAccessions } from "@seqreg/core/registry/plan/accession_list";
export type { StoreAccess, StoreKey } from "@seqreg/core/io/objects";
export type { FileChecks } from "@seqreg/core/parquet/write/file_checks";
