/** Error answers, and the error that carries one out of a handler. */
import type { ValidationBody, ValidationIssue } from "@seqreg/core/contract";

/** A request that is answered with an error status. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly body: ValidationBody | { readonly detail: string };
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string | readonly ValidationIssue[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === "string" ? detail : detail[0]?.msg);
    this.status = status;
    this.body = typeof detail === "string" ? { detail } : { detail: shorten(detail) };
    this.headers = headers;
  }

  /** The answer; a new one at every call. */
  toResponse(): Response {
    return jsonResponse(this.body, this.status, this.headers);
  }
}

/**
 * Maximum number of faults in an answer, a hundred of one list and its end: a body of a million wrong values does not
 * cause a million messages.
 */
const MAX_ISSUES = 101;

function shorten(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  if (issues.length <= MAX_ISSUES) return issues;
  const more = { loc: ["body"], msg: `${issues.length - MAX_ISSUES} more faults like these`, type: "too_many" };
  return [...issues.slice(0, MAX_ISSUES), more];
}

/** An answer in JSON, of a length that is known. */
export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonTextResponse(JSON.stringify(body), status, headers);
}

/** An answer of JSON that is written already. */
export function jsonTextResponse(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(bytes, {
    status,
    headers: {
      ...COMMON_HEADERS,
      ...headers,
      "content-type": "application/json",
      "content-length": String(bytes.length),
    },
  });
}

/** One fault of a request: status 422. */
export function invalid(loc: readonly (string | number)[], msg: string, type: string): Refusal {
  return new Refusal(422, [{ loc, msg, type }]);
}

/** Headers of every answer: no guessing of media types, no stale copies. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};
