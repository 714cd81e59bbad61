/**
 * Finds why `fetch` failed, by the texts of the runtime: its errors have neither a class nor a code of their own.
 * `tests/core/client/fetch_failure_test.ts` causes each failure over a socket; it fails when Deno words one otherwise.
 */

/** Why a request got no answer. */
export type FetchFailure =
  | "proxy"
  | "refused"
  | "unknown-host"
  | "certificate"
  | "not-tls"
  | "blocked-port"
  | "unreachable"
  | "broken"
  | "content-length"
  | "large-header"
  | "not-http"
  | "other";

/** Texts of each failure; the first match counts, so those of proxies come first. */
const TEXTS: readonly (readonly [pattern: RegExp, failure: FetchFailure])[] = [
  [/proxy|tunnel/i, "proxy"],
  [/connection refused/i, "refused"],
  [/certificate|CertVerify|UnknownIssuer|tls handshake/i, "certificate"],
  [/dns|lookup|resolve|name or service not known|no such host/i, "unknown-host"],
  [/InvalidContentType/, "not-tls"],
  [/blocked/i, "blocked-port"],
  [/network (is )?unreachable|no route/i, "unreachable"],
  [/reset|closed before|broken pipe|unexpected eof|aborted/i, "broken"],
  [/invalid content-length/i, "content-length"],
  [/head is too large/i, "large-header"],
  [/invalid HTTP|parse/i, "not-http"],
];

/** Finds the failure that an error of `fetch` reports, or one of its causes. */
export function fetchFailure(cause: unknown): FetchFailure {
  // The address may hold any of the words.
  const text = failureText(cause).replace(/ for url \(.*?\)(?=:|$)/g, "");
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}

/** Joins the messages of an error and its causes, the innermost first. */
export function failureText(cause: unknown): string {
  const texts: string[] = [];
  for (let at = cause; at instanceof Error && texts.length < 5; at = at.cause) texts.unshift(at.message);
  return texts.length === 0 ? String(cause) : texts.join(": ");
}
