/**
 * The contract of the registry as data: types, enumerations, limits, names and checks. Does no I/O.
 *
 * @module
 */
export { ACCESSION_PATTERN, formatAccession, isAccession, MAX_ACCESSION_NUMBER } from "./accession.ts";
export {
  ARCHIVE_IDS,
  type ArchiveFiles,
  archiveFiles,
  type ArchiveId,
  datasetFileNames,
  findArchive,
} from "./datasets.ts";
export type { DownloadOptions, DownloadRequest, DownloadSearch } from "./download.ts";
export {
  DEFINITION_MEDIA_TYPES,
  type DefinitionFormat,
  DOWNLOAD_MEDIA_TYPES,
  downloadMediaType,
  FILE_TYPES,
  type FileType,
  INFORMATION,
  type Information,
  KEYS,
  type Keys,
  type Scope,
  SCOPES,
  SORT_ORDERS,
  type SortOrder,
} from "./enumerations.ts";
export { type Facet, type FacetValue, readFacets } from "./facets.ts";
export { type JsonSchema, jsonSchemas, type OperationSchemas } from "./json/json_schemas.ts";
export { type Ledger, type Problem, type Provenance } from "./ledger.ts";
export { isLedgerCode, LEDGER_CODES, type LedgerCode, type LedgerCodeInfo, type LedgerLevel } from "./ledger_codes.ts";
export { type LedgerEntry, type SavedEntry } from "./ledger_entries.ts";
export { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH, MAX_SELECTION } from "./limits.ts";
export type { DefinitionsRequest, FieldDefinition, FieldType } from "./metadata.ts";
export {
  type Naming,
  namingOf,
  type NamingRoles,
  type NamingSpellings,
  parseNaming,
  SPECIFICATION_NAMING,
} from "./naming.ts";
export { type Endpoint, ENDPOINTS, type Operation } from "./paths.ts";
export type { SearchFilter, SearchHit, SearchRequest, SearchResponse } from "./search.ts";
export type { SequenceRequest, SequenceResponse } from "./sequence.ts";
export type {
  EmailRequest,
  FileUploadBody,
  FormDownloadBody,
  JsonFileUploadBody,
  ObjectMetadata,
  ProjectInput,
  SimpleDownloadBody,
  Suggestion,
  SuggestionRequest,
  SuggestionResponse,
  UnusedShapes,
  ViralzoneRequest,
} from "./unused/unused_shapes.ts";
export { unusedJsonSchemas } from "./unused/unused_schemas.ts";
export {
  checkDefinitionsRequest,
  checkDownloadRequest,
  type Checked,
  checkSearchRequest,
  checkSearchResponse,
  checkSequenceRequest,
  checkSequenceResponse,
  checkValidationBody,
  type ValidationBody,
  type ValidationIssue,
} from "./validation.ts";
export {
  type Cast,
  type CastDefinition,
  castText,
  type CellValue,
  type DatePrecision,
  formatDay,
  isMissing,
  MISSING_WORDS,
  type PartialDate,
  readBoolean,
  readDecimal,
  readInteger,
  readPartialDate,
  type ReadValue,
  readValue,
} from "./values/mod.ts";
export { TOOLKIT, VERSION } from "./version.ts";
export { ParseError, type TextPosition } from "../errors.ts";
