/**
 * Calls a registry: five operations, five methods, with time limits, retries and an error for everything else.
 *
 * @module
 */
export { ParseError, RegistryError, type RegistryErrorCode, type TextPosition } from "../errors.ts";
export type { DownloadOptions, DownloadRequest, DownloadSearch } from "../contract/download.ts";
export type { DefinitionFormat, FileType, Information, Keys, Scope, SortOrder } from "../contract/enumerations.ts";
export type { ArchiveId } from "../contract/datasets.ts";
export type { Provenance } from "../contract/ledger.ts";
export type { DefinitionsRequest, FieldDefinition, FieldType } from "../contract/metadata.ts";
export type { Naming, NamingRoles } from "../contract/naming.ts";
export type { Operation } from "../contract/paths.ts";
export type { SearchFilter, SearchHit, SearchRequest, SearchResponse } from "../contract/search.ts";
export type { SequenceRequest } from "../contract/sequence.ts";
export type { ValidationIssue } from "../contract/validation.ts";
export {
  type DefinitionsAnswer,
  type FileAnswer,
  type JsonAnswer,
  provenanceOf,
  type Receipt,
  type SearchAnswer,
  type SequenceAnswer,
  type WholeAnswer,
} from "./answers.ts";
export {
  BusyError,
  InvalidRequestError,
  NetworkError,
  type NetworkErrorOptions,
  NoResultsError,
  type StatusDetails,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
  type UnexpectedResponseOptions,
} from "./errors.ts";
export {
  type ClientOptions,
  type DatasetOptions,
  type DatasetRequestOptions,
  DEFAULT_RETRY,
  DEFAULT_TIMEOUTS,
  type DefinitionsOptions,
  type DefinitionsRequestOptions,
  type Fetch,
  type FileRange,
  type RequestOptions,
  type RetryEvent,
  type RetryPolicy,
  type Timeouts,
} from "./options.ts";
export {
  findDefinitions,
  type FindDefinitionsOptions,
  type FoundDefinitions,
  publicNames,
  type UnderstoodDefinitions,
} from "./find_definitions.ts";
export { hideInError } from "./caller_headers.ts";
export { type DefinitionRow } from "./definition_rows.ts";
export { RegistryClient } from "./registry_client.ts";
export type { BodyObserver, Intercept, InterceptedAnswer, InterceptedCall } from "./intercept.ts";
export { parseRetryAfter } from "./retry_after.ts";
export { PROGRESS_BYTES, RetryBudget, type RetrySurroundings } from "./retry_budget.ts";
export type { LedgerEntry } from "../contract/ledger_entries.ts";
export { LEDGER_CODES, type LedgerCode, type LedgerCodeInfo, type LedgerLevel } from "../contract/ledger_codes.ts";
export type { RecognisedColumns } from "../contract/answers/read_definitions.ts";
