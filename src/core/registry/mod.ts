/**
 * `Registry`, the friendly face: search, metadata, sequences, accessions, definitions and datasets of a registry that
 * is live or embedded, each with rows, a frame, a ledger and a provenance. Nothing happens at import.
 *
 * @module
 */
export type { AccessionList } from "./plan/accession_list.ts";
export type { Citation } from "./results/citation.ts";
export type { CitedLake, CitedTable } from "./results/cited_lake.ts";
export type { WriteResultOptions } from "./results/result_file.ts";
export type { ArchiveLakeOptions } from "./definitions/archive_lake.ts";
export type { ConnectOptions } from "./connect.ts";
export { DatasetResult, type ReadDatasetOptions } from "./results/dataset_result.ts";
export { ReleaseWatch } from "./plan/release_watch.ts";
export { type ExportRequest, ExportRun, type ExportRunOptions, type ExportScope } from "./exports/export_run.ts";
export type { ExportType } from "./exports/export_scan.ts";
export { type AccessionsOptions, AccessionsResult } from "./operations/get_accessions.ts";
export { type DefinitionsOptions, DefinitionsResult } from "./operations/get_definitions.ts";
export type { MetadataOptions } from "./operations/get_metadata.ts";
export type { SequencesOptions } from "./operations/get_sequences.ts";
export type { DownloadFileOptions, DownloadRecordsOptions } from "./exports/start_download.ts";
export type {
  Records,
  RecordsByAccession,
  RecordsByQuery,
  SearchTerms,
  WhenNothingMatches,
} from "./exports/records.ts";
export { Registry } from "./registry.ts";
export type {
  DatasetOptions,
  OpenOptions,
  PagesOptions,
  RegistryLakeOptions,
  SearchEveryOptions,
  SearchOptions,
  SearchPageOptions,
  SuggestOptions,
} from "./registry_options.ts";
export type { SearchPage } from "./operations/search_page.ts";
export { RegistryResult, type ResultParts, type Row } from "./results/result.ts";
export { type ExportedRows, SearchAll, type SearchAllOptions } from "./operations/search_all.ts";
export type { SearchCriteria, SearchSort } from "./plan/search_criteria.ts";
export { findNaming, type FindNamingOptions, type FoundNaming } from "./operations/find_naming.ts";
export { LearnedLimits, type LimitKind } from "./plan/learned_limits.ts";
export type { SearchPlan, SearchStep } from "./plan/search_plan.ts";
export { SearchResult, type SearchResultParts } from "./results/search_result.ts";
export type { SearchPart } from "./plan/search_split.ts";
export {
  type SequenceEntry,
  type SequenceRoute,
  SequencesResult,
  type SequencesResultParts,
  type ToFastaOptions,
} from "./results/sequences_result.ts";
