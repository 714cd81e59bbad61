/**
 * Errors between a request and its answer: one family, all of them {@linkcode RegistryError}s.
 *
 * Distinguish them by class or by `code`. Each message includes what failed, on what, what was expected and what to do
 * next, since a notebook shows nothing else.
 */
import { RegistryError, type RegistryErrorCode } from "../errors.ts";
import type { ValidationIssue } from "../contract/validation.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** Details of a {@linkcode StatusError}. */
export interface StatusDetails {
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; empty where the registry sent none. */
  readonly statusText: string;
  /** Address that answered. */
  readonly url: string;
  /** Header fields of the answer. */
  readonly headers: Headers;
  /** Beginning of the body as text, at most 2,000 characters; empty if it is empty or not text. */
  readonly excerpt: string;
  /** Faults listed in the body, if it has the form of section 2.8. */
  readonly issues?: readonly ValidationIssue[];
  /** The message in the body, at most 300 characters; absent or empty if it has none. */
  readonly detail?: string;
}

/**
 * The registry answered with an error status.
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
  /** Beginning of the body as text, at most 2,000 characters. */
  readonly excerpt: string;
  /** Faults listed in the body, if it has the form of section 2.8; otherwise empty. */
  readonly issues: readonly ValidationIssue[];
  /** The message in the body, in at most 300 characters; empty if it has none. */
  readonly detail: string;

  /** Takes the whole message and the answer's details. */
  constructor(code: RegistryErrorCode, message: string, details: StatusDetails, options?: ErrorOptions) {
    super(code, message, options);
    this.status = details.status;
    this.statusText = details.statusText;
    this.url = details.url;
    this.headers = details.headers;
    this.excerpt = details.excerpt;
    this.issues = details.issues ?? [];
    this.detail = details.detail ?? "";
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

  /** Takes the whole message and the answer's details. */
  constructor(message: string, details: StatusDetails) {
    super("no-results", message, details);
  }
}

/**
 * The registry rejected the request: status 400 or 422. Code `invalid-request`; the message includes the reasons.
 *
 * @see Specification 2.8 and 7.
 */
export class InvalidRequestError extends StatusError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "InvalidRequestError";

  /** Takes the whole message and the answer's details. */
  constructor(message: string, details: StatusDetails) {
    super("invalid-request", message, details);
  }
}

/** The registry asks to retry later than the client may wait. Code `busy`. */
export class BusyError extends StatusError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "BusyError";
  /** When the registry asks to retry. */
  readonly retryAt: Date;

  /** Takes the whole message, the answer's details, and the time to retry. */
  constructor(message: string, details: StatusDetails, retryAt: Date) {
    super("busy", message, details);
    this.retryAt = retryAt;
  }
}

/** Options of a {@linkcode NetworkError}. */
export interface NetworkErrorOptions extends ErrorOptions {
  /** Whether a retry cannot help, such as with an untrusted certificate; `false` by default. */
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
  /** Whether a retry cannot help. */
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
  /** Allowed time in milliseconds. */
  readonly timeoutMs: number;

  /** Takes the whole message, the requested address and the allowed time. */
  constructor(message: string, url: string, timeoutMs: number, options?: ErrorOptions) {
    super("timeout", message, options);
    this.url = url;
    this.timeoutMs = timeoutMs;
  }
}

/** Options of an {@linkcode UnexpectedResponseError}. */
export interface UnexpectedResponseOptions extends ErrorOptions {
  /** Maximum bytes of an answer, if this one is larger; absent otherwise. */
  readonly maxBytes?: number;
}

const UNEXPECTED_RESPONSE_OPTIONS = {
  cause: rule.anything,
  maxBytes: rule.number({ from: 0, to: Infinity }),
} satisfies OptionRules<UnexpectedResponseOptions>;

/** The answer is not what the operation returns, such as a web page with status 200. */
export class UnexpectedResponseError extends RegistryError {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "UnexpectedResponseError";
  /** Address that answered. */
  readonly url: string;
  /** Maximum bytes of an answer, if this one is larger: request less at once. Absent otherwise. */
  readonly maxBytes?: number;

  /** Takes the whole message and the address that answered. Code `unexpected-response`. */
  constructor(message: string, url: string, options: UnexpectedResponseOptions = {}) {
    checkOptions("new UnexpectedResponseError()", options, UNEXPECTED_RESPONSE_OPTIONS);
    super("unexpected-response", message, options);
    this.url = url;
    this.maxBytes = options.maxBytes;
  }
}
