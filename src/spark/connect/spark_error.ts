/** Failures of a Spark Connect server, of the way to it and of its answers. */
import { RegistryError, type RegistryErrorCode } from "@seqreg/core/errors";

/** What failed; the key of {@linkcode SparkError.reason}. */
export type SparkReason =
  /** The host was not reached. */
  | "unreachable"
  /** TLS on one side only, or an untrusted certificate. */
  | "tls"
  /** The server refused the token, or asks for one. */
  | "token"
  /** The engine refused the statement before it ran: syntax, names, types. */
  | "refused"
  /** The statement failed while it ran. */
  | "failed"
  /** A file that the statement reads is absent or damaged. */
  | "unreadable"
  /** The engine has no filesystem for object stores: Hadoop's s3a is not on its class path. */
  | "no-s3a"
  /** The object store refuses the engine, which has no key of its own, or one without the right. */
  | "no-access"
  /** The result exceeds what may come to the client. */
  | "too-large"
  /** A disk of the engine is full. */
  | "disk"
  /** The server has lost the session, such as after a restart. */
  | "session"
  /** The connection was lost and did not come back. */
  | "lost"
  /** The result was not read for so long that it was given up. */
  | "abandoned"
  /** The operation was ended on the server, not by the caller. */
  | "stopped"
  /** The answer does not follow the protocol. */
  | "invalid-answer"
  /** A short call took too long. */
  | "timeout";

const CODES: Readonly<Record<SparkReason, RegistryErrorCode>> = {
  unreachable: "network",
  tls: "network",
  token: "status",
  refused: "invalid-request",
  failed: "status",
  unreadable: "damaged",
  "no-s3a": "object-store",
  "no-access": "object-store",
  "too-large": "invalid-request",
  disk: "disk",
  session: "status",
  lost: "network",
  abandoned: "timeout",
  stopped: "status",
  "invalid-answer": "unexpected-response",
  timeout: "timeout",
};

/** Details of a {@linkcode SparkError}. */
export interface SparkErrorDetails {
  /** Spark's error class, such as `TABLE_OR_VIEW_NOT_FOUND`. */
  readonly errorClass?: string;
  /** SQLSTATE, such as `42P01`. */
  readonly sqlState?: string;
  /** Folder or URL of Parquet files that hold the result whole, where it is too large to be fetched. */
  readonly location?: string;
  /** Rows in it. */
  readonly rows?: number;
}

/**
 * A failure of Spark, of the way to it or of its answer. The message includes what failed, why and what to do next;
 * text of the server in it is one line without control characters or credentials.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { SparkError } from "./spark_error.ts";
 *
 * const error = new SparkError("token", "sc://head:15002", "Cannot open …: the server refused the token");
 *
 * assertEquals([error.code, error.reason], ["status", "token"]);
 * ```
 */
export class SparkError extends RegistryError implements SparkErrorDetails {
  /** Name of the class, for messages and for `switch`. */
  override readonly name = "SparkError";
  /** What failed. */
  readonly reason: SparkReason;
  /** `sc://host:port` of the server. */
  readonly endpoint: string;
  /** Spark's error class, such as `TABLE_OR_VIEW_NOT_FOUND`, if it sent one. */
  readonly errorClass?: string;
  /** SQLSTATE, such as `42P01`, if it sent one. */
  readonly sqlState?: string;
  /** Folder or URL of Parquet files that hold the result whole, where it is too large to be fetched. */
  readonly location?: string;
  /** Rows in it. */
  readonly rows?: number;

  /** Takes what failed, `sc://host:port`, and the whole message. */
  constructor(reason: SparkReason, endpoint: string, message: string, details: SparkErrorDetails = {}) {
    super(CODES[reason], message);
    this.reason = reason;
    this.endpoint = endpoint;
    this.errorClass = details.errorClass;
    this.sqlState = details.sqlState;
    this.location = details.location;
    this.rows = details.rows;
  }
}
