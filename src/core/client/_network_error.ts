/** Explains why a `fetch` failed. */
import { RegistryError } from "../errors.ts";
import { proxyVariable } from "./_connect_probe.ts";
import { NetworkError } from "./errors.ts";
import { failureText, type FetchFailure, fetchFailure } from "./_fetch_failure.ts";

/** What each failure means for the user. */
const REASONS: Readonly<Record<Exclude<FetchFailure, "other">, string>> = {
  "proxy": "the proxy did not let the request through; check HTTPS_PROXY and HTTP_PROXY, and list hosts that need no " +
    "proxy in NO_PROXY",
  "refused": "the connection was refused; check that the registry is running and its port",
  "unknown-host": "host not found; check the base URL and the network",
  "certificate":
    "its certificate is not trusted; check the base URL and the proxy; for your own certificate authority, set " +
    "DENO_CERT=FILE (PEM) or DENO_TLS_CA_STORE=system",
  "not-tls": "the server does not speak HTTPS; check the base URL: does it begin with http:// instead?",
  "blocked-port": "the port is blocked for HTTP; check the base URL",
  "unreachable": "network unreachable; check the network",
  "broken": "the connection broke before an answer; try again",
  "content-length":
    "its Content-Length is not a number, or occurs twice with different numbers; report it to the registry, " +
    "or try without any proxy in between",
  "large-header":
    "the header of its answer is too large; report it to the registry, or try without any proxy in between",
  "not-http": "the server does not speak HTTP; check the base URL and its port",
};

/** Certificates that are refused for another reason than their issuer: setting one that is trusted does not help. */
const CERTIFICATES: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/expired/i, "its certificate has expired; check this machine's clock, then report it to the registry"],
  [/not valid yet/i, "its certificate is not valid yet; check this machine's clock, then report it to the registry"],
  [/not valid for name/i, "its certificate is for another host; check the host of the base URL and the proxy"],
  [
    /CaUsedAsEndEntity/,
    "its certificate is one of an authority (CA:TRUE), which no server may use; make one for the server with " +
    'basicConstraints "CA:FALSE"',
  ],
];

/** Failures that another attempt does not mend. */
const PERMANENT: ReadonlySet<FetchFailure> = new Set<FetchFailure>([
  "certificate",
  "not-tls",
  "blocked-port",
  "content-length",
  "large-header",
]);

/** Failures of http that a server which expects TLS causes. */
const MAY_NEED_TLS: ReadonlySet<FetchFailure> = new Set<FetchFailure>(["broken", "not-http"]);

const TRY_HTTPS = "; if it expects TLS, begin the address with https://";

/** Makes the error of a failed `fetch`. An error of the family, such as an injected `fetch` may throw, is kept. */
export function networkError(task: string, url: string, cause: unknown): RegistryError {
  if (cause instanceof RegistryError) return cause;
  if (cause instanceof Deno.errors.NotCapable || cause instanceof Deno.errors.PermissionDenied) {
    const { host } = new URL(url);
    const why = `the network is not permitted; run again with --allow-net=${host}`;
    return new NetworkError(`Cannot ${task}: ${url} was not contacted: ${why}`, url, { cause, permanent: true });
  }
  const failure = fetchFailure(cause);
  const text = failureText(cause);
  const why = failure === "other"
    ? `${text.slice(0, 300)}; check the base URL and the network`
    : failure === "certificate"
    ? CERTIFICATES.find(([pattern]) => pattern.test(text))?.[1] ?? REASONS.certificate
    : REASONS[failure] + (MAY_NEED_TLS.has(failure) && url.startsWith("http:") ? TRY_HTTPS : "");
  const proxy = failure === "proxy" ? undefined : proxyVariable(url);
  const through = proxy === undefined ? "" : `; ${proxy} routes it through a proxy`;
  const permanent = PERMANENT.has(failure);
  return new NetworkError(`Cannot ${task}: ${url} did not answer: ${why}${through}`, url, { cause, permanent });
}
