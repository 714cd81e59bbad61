/**
 * The embedded registry: all five operations of the specification over a folder of archives, as a function from Request
 * to Response or behind a socket.
 *
 * @module
 */
export type { OnProgress, ProgressEvent } from "@seqreg/core/io/tasks";
export type {
  ArchiveId,
  Facet,
  FacetValue,
  FieldDefinition,
  FieldType,
  LedgerEntry,
  Naming,
  NamingRoles,
  SearchFilter,
  SortOrder,
} from "@seqreg/core/contract";
export { openStore } from "./registry/open_store.ts";
export {
  openRegistry,
  type OpenRegistryOptions,
  type RenewableRegistry,
  type RenewOptions,
} from "./registry/open_registry.ts";
export { type ImportVerdict, verifyImports, type VerifyImportsOptions } from "./import/verify_imports.ts";
export { createRegistryService, type RegistryService, type RegistryServiceOptions } from "./registry/app.ts";
export { QUERY_MS, QUERY_WAIT_MS } from "./store/limits.ts";
export { CriteriaError } from "@seqreg/core/query";
export {
  type AccessLogEntry,
  checkServeOptions,
  type RegistryServer,
  type ServeOptions,
  serveRegistry,
  type ServerLimits,
} from "./registry/server.ts";
export {
  type ArchiveReading,
  type Criteria,
  type OpenPage,
  type OpenStoreOptions,
  type Page,
  type PageRequest,
  type RegistryStore,
  type SequenceRecord,
  type StoredArchive,
  type StoredRecord,
} from "./store/store.ts";
export {
  LEDGER_CODES,
  type LedgerCode,
  type LedgerCodeInfo,
  type LedgerLevel,
} from "@seqreg/core/contract/ledger_codes";
export { RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";
