/**
 * What can go wrong between a request and its answer: one family, all of them {@linkcode RegistryError}s.
 *
 * Tell them apart by class or by `code`. Each message says what failed, with what, what was expected and what to do
 * next, since a notebook shows nothing else.
 *
 * @module
 */
import { RegistryError, type RegistryErrorCode } from "../errors.ts";
import type { ValidationIssue } from "../contract/validation.ts";
import type { OptionRules } from "../contract/options/option_rule.ts";
import * as rule from "../contract/options/rules.ts";
import { checkOptions } from "../contract/options/check_options.ts";

/** What a {@linkcode StatusError} carries beside its message. */
export interface StatusDetails {
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; empty where the registry sent none. */
  readonly statusText: string;
  /** Address that answered. */
  readonly url: string;
  /** Header fields of the answer. */
  readonly headers: Headers;
  /** Begin of the body as text, at most 2,000 characters; empty when there is none or it is not text. */
  readonly excerpt: string;
  /** Faults that the body names, where it has the form of section 2.8. */
  readonly issues?: readonly ValidationIssue[];
}

/**
 * The registry answered, and its status says no.
 *
 * @see Specification 7. Bodies of 400, 404 and 500 are not shown there, so only an excerpt is kept.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { StatusError } from "./errors.ts";
 *
 * const error = new StatusError("status", "Cannot search: 500", {
 *   status: 500, statusText: "", url: "http://127.0.0.1/v2/search", headers: new Headers(), excerpt: "",
 * });
 *
 * assertEquals([error.code, error.status], ["status", 500]);
 * ```
 */
export class StatusError extends RegistryError implements StatusDetails {
  /** Name of the class, for messages and for `switch`. */
  override readonly name: string = "StatusError";
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; empty where the registry sent none. */
  readonly statusText: string;
  /** Address that answered. */
  readonly url: string;
  /** Header fields of the answer. */
  readonly headers: Headers;
  /** Begin of the body as text, at most 2,000 characters. */
  readonly excerpt: string;
  /** Faults that the body names, where it has the form of section 2.8; else empty. */
  readonly issues: readonly ValidationIssue[];

  /** Takes the whole message and what came. */
  constructor(code: RegistryErrorCode, message: string, details: StatusDetails, options?: ErrorOptions) {
    super(code, message, options);
    this.status = details.status;
    this.statusText = details.statusText;
    this.url = details.url;
    this.headers = details.headers;
    this.excerpt = details.excerpt;
    this.issues = details.issues ?? [];
  }
}

/**
 * A download matched no record: status 404. Code `no-results`.
 *
 * @see Specification 4.2, rule 6.
 */
export class NoResultsError extends StatusError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "NoResultsError";

  /** Takes the whole message and what came. */
  constructor(message: string, details: StatusDetails) {
    super("no-results", message, details);
  }
}

/**
 * The registry refused the request as such: status 400 or 422. Code `invalid-request`; the message shows its reasons.
 *
 * @see Specification 2.8 and 7.
 */
export class InvalidRequestError extends StatusError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "InvalidRequestError";

  /** Takes the whole message and what came. */
  constructor(message: string, details: StatusDetails) {
    super("invalid-request", message, details);
  }
}

/** The registry asks to come back later than the client may wait. Code `busy`. */
export class BusyError extends StatusError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "BusyError";
  /** When the registry asks to come back. */
  readonly retryAt: Date;

  /** Takes the whole message, what came, and when to come back. */
  constructor(message: string, details: StatusDetails, retryAt: Date) {
    super("busy", message, details);
    this.retryAt = retryAt;
  }
}

/** Options of a {@linkcode NetworkError}. */
export interface NetworkErrorOptions extends ErrorOptions {
  /** Whether trying again cannot help, such as with a certificate that is not trusted; `false` by default. */
  readonly permanent?: boolean;
}

const NETWORK_ERROR_OPTIONS = {
  cause: rule.anything,
  permanent: rule.flag,
} satisfies OptionRules<NetworkErrorOptions>;

/** The connection could not be made or broke. Code `network`. */
export class NetworkError extends RegistryError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "NetworkError";
  /** Address asked. */
  readonly url: string;
  /** Whether trying again cannot help. */
  readonly permanent: boolean;

  /** Takes the whole message and the address asked. */
  constructor(message: string, url: string, options: NetworkErrorOptions = {}) {
    checkOptions("new NetworkError()", options, NETWORK_ERROR_OPTIONS);
    super("network", message, options);
    this.url = url;
    this.permanent = options.permanent ?? false;
  }
}

/** The registry did not answer, or stopped sending, for longer than allowed. Code `timeout`. */
export class TimeoutError extends RegistryError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "TimeoutError";
  /** Address asked. */
  readonly url: string;
  /** Time that was allowed, in milliseconds. */
  readonly timeoutMs: number;

  /** Takes the whole message, the address asked and the time that was allowed. */
  constructor(message: string, url: string, timeoutMs: number, options?: ErrorOptions) {
    super("timeout", message, options);
    this.url = url;
    this.timeoutMs = timeoutMs;
  }
}

/** Options of an {@linkcode UnexpectedResponseError}. */
export interface UnexpectedResponseOptions extends ErrorOptions {
  /** Bytes that an answer may have, where this one has more; absent otherwise. */
  readonly maxBytes?: number;
}

const UNEXPECTED_RESPONSE_OPTIONS = {
  cause: rule.anything,
  maxBytes: rule.number({ from: 0, to: Infinity }),
} satisfies OptionRules<UnexpectedResponseOptions>;

/** An answer came that is not what the operation gives, such as a web page with status 200. */
export class UnexpectedResponseError extends RegistryError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "UnexpectedResponseError";
  /** Address that answered. */
  readonly url: string;
  /** Bytes that an answer may have, where this one has more: ask for less at once. Absent otherwise. */
  readonly maxBytes?: number;

  /** Takes the whole message and the address that answered. Code `unexpected-response`. */
  constructor(message: string, url: string, options: UnexpectedResponseOptions = {}) {
    checkOptions("new UnexpectedResponseError()", options, UNEXPECTED_RESPONSE_OPTIONS);
    super("unexpected-response", message, options);
    this.url = url;
    this.maxBytes = options.maxBytes;
  }
}
