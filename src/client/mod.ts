/**
 * Calls a registry: five operations, five methods, with time limits, retries and an error for everything else.
 *
 * @module
 */
export {
  type DefinitionsAnswer,
  type FileAnswer,
  provenanceOf,
  type Receipt,
  type SearchAnswer,
  type SequenceAnswer,
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
} from "./errors.ts";
export {
  type ClientOptions,
  type DatasetOptions,
  DEFAULT_RETRY,
  DEFAULT_TIMEOUTS,
  type DefinitionsOptions,
  type Fetch,
  type FileRange,
  type RequestOptions,
  type RetryEvent,
  type RetryPolicy,
  type Timeouts,
} from "./options.ts";
export { RegistryClient } from "./registry_client.ts";
export { parseRetryAfter } from "./retry_after.ts";
export { PROGRESS_BYTES, RetryBudget, type RetrySurroundings } from "./retry_budget.ts";
