/** Makes an error of an answer whose status says no. */
import { joinBytes } from "../io/bytes/join_bytes.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import { terminalText } from "../io/bytes/terminal_text.ts";
import { parseJson as parseLossless } from "../contract/json/lossless_json.ts";
import type { Naming } from "../contract/naming.ts";
import { describeMismatch, spellingsInIssues } from "../contract/naming_evidence.ts";
import { checkValidationBody, describeIssues, type ValidationIssue } from "../contract/validation.ts";
import type { BodyReader } from "./_body_reader.ts";
import { hideValues } from "./caller_headers.ts";
import { shorten, wordsOf, wordsOfXml } from "./_answer_words.ts";
import { InvalidRequestError, NoResultsError, type StatusDetails, StatusError } from "./errors.ts";

/** Maximum bytes of an error's body that are read: one may repeat the request, such as a list of 10,000 accessions. */
export const MAX_ERROR_BYTES = 1 << 20;

/** Statuses of a server that will not do what is asked, now or later: the method, or what it is for. */
const NOT_OFFERED: readonly number[] = [405, 501, 505];

const EXCERPT_LETTERS = 2000;
const SHOWN_ISSUES = 5;

/** An answer whose status the operation does not expect. */
export interface UnexpectedStatus {
  readonly task: string;
  /** Whether 404 means that nothing matched. */
  readonly isDownload: boolean;
  readonly response: Response;
  /** Address that answered. */
  readonly url: string;
  readonly body: BodyReader;
  /** Maximum milliseconds for reading the body. */
  readonly timeoutMs: number;
  /** Header fields of the caller; an answer may echo their values, and no error may show them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The naming in use: a refusal may show that it is wrong. */
  readonly naming: Naming;
  readonly signal?: AbortSignal;
}

/** Reads the body within limits, and makes the error from it. */
export async function statusError(refusal: UnexpectedStatus): Promise<StatusError> {
  const { task, isDownload, response, url, secrets } = refusal;
  const bytes = await readBegin(refusal);
  const what = describeBytes(bytes);
  const text = hideValues(new TextDecoder().decode(bytes), secrets);
  const excerpt = what === "binary data" || what.startsWith("gzip") ? "" : text.slice(0, EXCERPT_LETTERS);
  const { said, issues } = readDetail(text, what);
  const details: StatusDetails = {
    status: response.status,
    statusText: response.statusText,
    url,
    headers: response.headers,
    excerpt,
    issues,
    detail: said,
  };
  const status = `${response.status} ${terminalText(response.statusText.slice(0, 100))}`.trim();
  const says = said === "" ? "" : `: ${said}`;
  switch (response.status) {
    case 400:
    case 422:
      return new InvalidRequestError(
        `Cannot ${task}: the registry refused the request (${status})${says}; ` +
          (describeMismatch(spellingsInIssues(issues, response.status === 422 ? text : ""), refusal.naming) ??
            "correct the request"),
        details,
      );
    case 404: {
      const isTwice = /\/v2\/v2\//.test(url);
      if (isDownload && what !== "an HTML page" && !isTwice) {
        return new NoResultsError(
          `Cannot ${task}: no record matches (${status})${says}; check the criteria or the accessions`,
          details,
        );
      }
      return new StatusError(
        "status",
        `Cannot ${task}: ${url} was not found (${status})${says}; ` +
          (isTwice
            ? "leave out /v2 at the end of the base URL: the path of every operation has it"
            : "check the base URL"),
        details,
      );
    }
    case 401:
    case 403:
    case 407:
      return new StatusError(
        "status",
        `Cannot ${task}: ${url} denies access (${status})${says}; check the base URL and any proxy; pass the credentials of a private ` +
          `deployment with --header 'Name: value', SEQREG_HEADERS or Registry.open(url, { headers })`,
        details,
      );
    case 413:
      return new StatusError(
        "status",
        `Cannot ${task}: the request is too large (${status})${says}; request less`,
        details,
      );
  }
  const next = NOT_OFFERED.includes(response.status)
    ? "the server does not offer the operation: check that the base URL is that of a registry"
    : response.status >= 500 || response.status === 429 || response.status === 408
    ? "try again later"
    : "check the base URL";
  return new StatusError("status", `Cannot ${task}: ${url} answered ${status}${says}; ${next}`, details);
}

/** If an error's body cannot be read, it is left out: the status is the message. */
async function readBegin({ body, timeoutMs, signal }: UnexpectedStatus): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const timer = setTimeout(() => void body.cancel(), timeoutMs);
  try {
    while (length < MAX_ERROR_BYTES) {
      const chunk = await body.read();
      if (chunk === null) break;
      parts.push(chunk.subarray(0, MAX_ERROR_BYTES - length));
      length += chunk.length;
    }
  } catch {
    signal?.throwIfAborted();
  } finally {
    clearTimeout(timer);
    await body.cancel();
  }
  return joinBytes(parts);
}

/** Finds the reasons in a body: issues as in 2.8, a `detail` or `message`, plain text, or its kind. */
function readDetail(text: string, what: string): { said: string; issues: readonly ValidationIssue[] } {
  if (text === "") return { said: "", issues: [] };
  if (what === "JSON") {
    const value = parseJson(text);
    const checked = checkValidationBody(value);
    if (checked.ok) {
      const { detail } = checked.value;
      return { said: shorten(describeIssues(detail, SHOWN_ISSUES)), issues: detail };
    }
    return { said: shorten(wordsOf(value) ?? text), issues: [] };
  }
  const message = what === "XML" ? wordsOfXml(text) : undefined;
  if (message !== undefined) return { said: shorten(message), issues: [] };
  const isText = what === "text" || what.startsWith("a table") || what.startsWith("a CSV");
  return { said: isText ? shorten(text) : `its body is ${what}`, issues: [] };
}

function parseJson(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}
