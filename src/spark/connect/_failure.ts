/** Judges what a call failed with: whether the connection may be taken up again, and the error for the caller. */
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import type { CallFailure } from "./_rpc.ts";
import type { SparkEndpoint } from "./connection_string.ts";
import { type ErrorInfo, findErrorInfo } from "./_error_info.ts";
import { SparkError, type SparkReason } from "./spark_error.ts";

export interface Verdict {
  readonly reason: SparkReason;
  /** Whether the connection, not the engine, failed: the call may be made again. */
  readonly isConnection: boolean;
  /** Spark's error class. */
  readonly errorClass?: string;
  readonly sqlState?: string;
  /** Under which the server keeps the whole error. */
  readonly errorId?: string;
  /** Text of the server or of the connection, as it came. */
  readonly text: string;
}

/** Code of gRPC, as far as they are distinguished. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;
/** Cancelled, unknown, aborted, internal, unavailable: also what a killed server and a cut connection give. */
const CONNECTION_CODES: ReadonlySet<number> = new Set([CANCELLED, 2, 10, 13, 14]);

/** Maximum length of a server's text in a message. */
const MAX_TEXT = 700;

const AUTHORITY_AS_SERVER = "the server's certificate is that of an authority (CA:TRUE), not one for a server";

export function judge(failure: CallFailure): Verdict {
  const info = findErrorInfo(failure.details);
  const errorClass = info?.metadata.errorClass ?? /^\[([A-Z][A-Z0-9_.]*)\]/.exec(failure.text)?.[1];
  const { sqlState, errorId } = info?.metadata ?? {};
  const text = failure.text.replace(/^.*CaUsedAsEndEntity.*$/s, AUTHORITY_AS_SERVER);
  const verdict = { errorClass, sqlState, errorId, text };
  if (info !== undefined || errorClass !== undefined) {
    // The sender of the answers was replaced by another one of the same operation: take it up again.
    if (errorClass === "INVALID_CURSOR.DISCONNECTED") return { ...verdict, reason: "lost", isConnection: true };
    return { ...verdict, reason: reasonOf(failure.text, errorClass, info), isConnection: false };
  }
  return { ...verdict, ...byCode(failure) };
}

/** What Java reports without s3a, or without the modules of Amazon's SDK that it loads. */
const NO_CLASS =
  /(?:ClassNotFoundException|NoClassDefFoundError)\b.{0,80}\b(?:org.apache.hadoop.fs.s3a|software.amazon)\b/;
/** What s3a reports without a key, and of answers 401 and 403. */
const NO_ACCESS = /NoAuthWithAWSException|AccessDeniedException\b.{0,20}s3a:|s3a:.*Status Code: 40[13]/;
const NO_SCHEME = /No FileSystem for scheme "?s3/;

/** Judges what Spark itself reports. */
export function reasonOf(text: string, errorClass: string | undefined, info: ErrorInfo | undefined): SparkReason {
  if (errorClass?.startsWith("INVALID_HANDLE.SESSION_")) return "session";
  if (errorClass === "INVALID_HANDLE.OPERATION_ABANDONED") return "abandoned";
  if (errorClass?.startsWith("INVALID_HANDLE.") || errorClass?.startsWith("INVALID_CURSOR.")) return "lost";
  if (errorClass === "OPERATION_CANCELED") return "stopped";
  if (/No space left on device|Disk quota exceeded|DISK_FULL/.test(text)) return "disk";
  if (/spark\.driver\.maxResultSize|larger than max/.test(text)) return "too-large";
  if (NO_CLASS.test(text) || NO_SCHEME.test(text)) return "no-s3a";
  if (NO_ACCESS.test(text)) return "no-access";
  if (/^(FAILED_READ_FILE|PATH_NOT_FOUND|CANNOT_READ_FILE_FOOTER)/.test(errorClass ?? "")) return "unreadable";
  const classes = `${info?.reason ?? ""} ${info?.metadata.classes ?? ""}`;
  const isRefused = /AnalysisException|ParseException/.test(classes) || /^42/.test(info?.metadata.sqlState ?? "");
  return isRefused || errorClass === "PARSE_SYNTAX_ERROR" ? "refused" : "failed";
}

function byCode({ code, text, causes }: CallFailure): Pick<Verdict, "reason" | "isConnection"> {
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) return { reason: "token", isConnection: false };
  if (code === DEADLINE_EXCEEDED) return { reason: "timeout", isConnection: false };
  if (code === RESOURCE_EXHAUSTED) {
    const isSize = /MaxBytes|larger than|exceeds|too large/i.test(text);
    return { reason: isSize ? "too-large" : "lost", isConnection: !isSize };
  }
  if (code === UNIMPLEMENTED) return { reason: "invalid-answer", isConnection: false };
  if (
    /premature|parse|decode|wire type|varint|invalid (UTF|tag)|content.type|envelope|missing (output|message)/i.test(
      text,
    )
  ) {
    return { reason: "invalid-answer", isConnection: false };
  }
  const all = [text, ...causes].join(" ");
  if (/certificate|UnknownIssuer|CertVerify|tls|ssl|InvalidContentType|corrupt message/i.test(all)) {
    return { reason: "tls", isConnection: false };
  }
  return { reason: "lost", isConnection: CONNECTION_CODES.has(code) };
}

/**
 * Makes a server's text fit for a message: one line, without stack traces, plans, copies of the statement, control
 * characters and credentials.
 */
export function cleanText(text: string, endpoint: SparkEndpoint): string {
  const plain = text.split(/\n\s*(?:JVM stacktrace|Driver stacktrace|at [\w.$/<>]+\()|\s*\n== SQL|;\n'?[A-Z]\w+ /)[0];
  const line = terminalText(endpoint.hideSecrets(plain.replace(/\s+/g, " ").trim()).toWellFormed());
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT)}…`;
}

/** What to do next, by what failed. */
const NEXT: Readonly<Record<SparkReason, string>> = {
  unreachable: "check the host, the port (15002 by default), use_ssl, and that the Spark Connect server runs",
  tls: "check use_ssl in the connection string; for your own certificate authority, pass its certificate as ca",
  token: "check the token in the connection string, and whether the server asks for another way to log in",
  refused: "check the statement: it is in Spark's own SQL",
  failed: "see the message, and the stages of this query in Spark's web page",
  unreadable: "check that the engine can reach the file, and that it is the one that was written",
  "no-s3a":
    "put hadoop-aws, of the version of its Hadoop, with its SDK of AWS on the class path of the Connect server and " +
    "of each worker: docs/object_stores.md",
  "no-access":
    "give the engine a key of its own that may read the objects, such as AWS_ACCESS_KEY_ID in the environment of the " +
    "Connect server, which gets none from here: docs/object_stores.md",
  "too-large":
    "count or filter in the statement, add a LIMIT, or name a folder that both sides share: option spill, --spill",
  disk: "free space on the engine's workers (spark.local.dir) or where it writes, then run it again",
  session: "run it again; what commands had set up in the session is gone",
  lost: "check the server and the network, then run it again",
  abandoned: "run it again, and read it without pauses of minutes",
  stopped: "run it again, or ask who ended it",
  "invalid-answer": "check that the address is that of a Spark Connect server, version 4.0 or later",
  timeout: "check the server's load and the network, or allow more with timeoutMs",
};

/** Makes the error of a judged failure. */
export function errorOf(task: string, endpoint: SparkEndpoint, verdict: Verdict, why?: string): SparkError {
  const { reason, errorClass, sqlState } = verdict;
  const text = why ?? explain(verdict, endpoint);
  const message = `Cannot ${task} at ${endpoint.address}: ${text.replace(/[.;\s]+$/, "")}; ${NEXT[reason]}`;
  const clean = (value: string | undefined) =>
    value === undefined ? undefined : cleanText(value, endpoint).slice(0, 120);
  return new SparkError(reason, endpoint.address, message, {
    errorClass: clean(errorClass),
    sqlState: clean(sqlState),
  });
}

function explain({ reason, text }: Verdict, endpoint: SparkEndpoint): string {
  const shown = cleanText(text, endpoint);
  const said = shown === "" ? "" : `: ${shown}`;
  switch (reason) {
    case "unreachable":
      return `the server was not reached${said}`;
    case "token":
      return `the server refused the credentials${said}`;
    case "tls":
      return `no TLS connection was made${said}`;
    case "lost":
      return `the connection was lost${said}`;
    case "abandoned":
      return "the server gave the result up, because it was not read for minutes";
    case "session":
      return `the server no longer has this session${said}`;
    case "no-s3a":
      return `the engine cannot read object stores, since it lacks s3a${said}`;
    case "no-access":
      return `the object store does not let the engine read${said}`;
    case "disk":
      return `a disk of the engine is full${said}`;
    case "stopped":
      return `the operation was ended on the server${said}`;
    case "timeout":
      return `no answer in time${said}`;
    case "invalid-answer":
      return `the answer does not follow the protocol${said}`;
    default:
      return shown === "" ? "the server gave no reason" : shown;
  }
}
