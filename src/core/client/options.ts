/** Configuration of a client: fetch function, time limits, retries. */
import type { DefinitionFormat } from "../contract/enumerations.ts";
import { MOST_MS } from "../io/tasks/pause.ts";
import type { Intercept } from "./intercept.ts";
import { type Naming, NAMING_RULE } from "../contract/naming.ts";
import { RetryBudget } from "./retry_budget.ts";
import { DEFAULT_RETRY, RETRY_POLICY, type RetryEvent, type RetryPolicy } from "./retry_policy.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";

/** Sends a request: the global `fetch`, or an embedded registry's function. */
export type Fetch = (request: Request) => Promise<Response>;

/** How long the client waits, in milliseconds. */
export interface Timeouts {
  /** To connect; 10,000 by default. See {@linkcode DEFAULT_TIMEOUTS} on how it is measured. */
  readonly connectMs?: number;
  /** From the start of an attempt to the last header field; 30,000 by default. */
  readonly headersMs?: number;
  /** Without a byte of the body; 30,000 by default. */
  readonly idleMs?: number;
  /** To the first byte of a `max` export, which a registry may take minutes to prepare; 600,000 by default. */
  readonly exportMs?: number;
}

export const TIMEOUTS = {
  connectMs: rule.number({ above: 0, to: MOST_MS }),
  headersMs: rule.number({ above: 0, to: MOST_MS }),
  idleMs: rule.number({ above: 0, to: MOST_MS }),
  exportMs: rule.number({ above: 0, to: MOST_MS }),
} satisfies OptionRules<Timeouts>;

/**
 * Default time limits.
 *
 * `fetch` does not report when it has connected. So, when half of `connectMs` has passed without an answer, the client
 * tries a separate connection; only if that one is not made by `connectMs` either, the attempt fails as unconnected.
 * This needs the global `fetch` and no proxy; otherwise `headersMs` limits both together.
 *
 * The times are those of the command line; the specification states none.
 */
export const DEFAULT_TIMEOUTS: Required<Timeouts> = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  exportMs: 600_000,
};

export { DEFAULT_RETRY, type RetryEvent, type RetryPolicy };

/** Options of a {@linkcode RegistryClient}. */
export interface ClientOptions {
  /** The spellings of the deployment; the specification's by default. */
  readonly naming?: Naming;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: Fetch;
  /**
   * Header fields to add to every request to the registry's own host, such as `Authorization` for a private deployment.
   * They are sent to no other host, and no result, receipt or error shows their values.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait. */
  readonly timeouts?: Timeouts;
  /** How often to try. */
  readonly retry?: RetryPolicy;
  /** Called after every failed attempt that is followed by another; must not throw. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Maximum size of an answer that is held in memory (search, sequence, definitions); 64 MiB by default. */
  readonly maxAnswerBytes?: number;
  /** Answers calls instead of the wire, or lets them be sent and receives their answers. */
  readonly intercept?: Intercept;
  /** Time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
  /** Number from 0 to 1, for jitter; `Math.random` by default. */
  readonly random?: () => number;
  /** Waits between attempts, and ends early with the signal's reason; a timer by default. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const CLIENT_OPTIONS = {
  naming: NAMING_RULE,
  fetch: rule.callback(),
  headers: rule.concealed(rule.recordOf(rule.text, "texts")),
  timeouts: rule.shape(TIMEOUTS),
  retry: rule.shape(RETRY_POLICY),
  onRetry: rule.callback(),
  maxAnswerBytes: rule.number({ from: 0, to: Infinity }),
  intercept: rule.callback(),
  now: rule.callback(),
  random: rule.callback(),
  sleep: rule.callback(),
} satisfies OptionRules<ClientOptions>;

/** Options of one request. */
export interface RequestOptions {
  /** Ends the request, a wait between attempts, or the body, with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Retry budget shared with other requests, from `client.startRetries()`; a separate one by default. */
  readonly retries?: RetryBudget;
  /** Whether the same was requested before, to compare the answers: a lock keeps both; false by default. */
  readonly again?: boolean;
}

export const REQUEST_OPTIONS = {
  signal: rule.signal,
  retries: rule.instanceOf("a RetryBudget, from client.startRetries()", RetryBudget),
  again: rule.flag,
} satisfies OptionRules<RequestOptions>;

/** Options of a definitions export. */
export interface DefinitionsRequestOptions extends RequestOptions {
  /** Requested format; `csv` by default, as in the specification. */
  readonly format?: DefinitionFormat;
}

export const DEFINITIONS_OPTIONS = {
  ...REQUEST_OPTIONS,
  format: rule.oneOf(["csv", "json", "xlsx"]),
} satisfies OptionRules<DefinitionsRequestOptions>;

/** The rest of a file from an offset, if the file has not changed. */
export interface FileRange {
  /** Offset of the first requested byte. */
  readonly start: number;
  /** Strong entity tag of the file that the earlier bytes are from. */
  readonly ifRange: string;
}

export const FILE_RANGE = {
  start: rule.required(rule.wholeNumber({ from: 1 })),
  ifRange: rule.required(
    rule.textLike(
      "a strong entity tag in quotes (without one, get the whole file)",
      /^"[\x20\x21\x23-\x7e\x80-\xff]*"$/,
    ),
  ),
} satisfies OptionRules<FileRange>;

/** Options of a dataset request. */
export interface DatasetRequestOptions extends RequestOptions {
  /** Requests only the rest of the file. The answer may still be the whole file: see `start`. */
  readonly range?: FileRange;
}

export const DATASET_OPTIONS = {
  ...REQUEST_OPTIONS,
  range: rule.shape(FILE_RANGE),
} satisfies OptionRules<DatasetRequestOptions>;

/** @deprecated Write {@linkcode DatasetRequestOptions}: `DatasetOptions` is of `Registry.dataset()`. */
export type DatasetOptions = DatasetRequestOptions;

/** @deprecated Write {@linkcode DefinitionsRequestOptions}: `DefinitionsOptions` is of `Registry.definitions()`. */
export type DefinitionsOptions = DefinitionsRequestOptions;
