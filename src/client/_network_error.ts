/** Explains why a `fetch` failed. */
import { RegistryError } from "../errors.ts";
import { proxyVariable } from "./_connect_probe.ts";
import { NetworkError } from "./errors.ts";

/** Reasons by the platform's message, the first match; messages about proxies are checked first. */
const REASONS: readonly (readonly [pattern: RegExp, why: string, permanent: boolean])[] = [
  [
    /proxy|tunnel/i,
    "the proxy did not let the request through; check HTTPS_PROXY and HTTP_PROXY, and list hosts that need no " +
    "proxy in NO_PROXY",
    false,
  ],
  [/connection refused/i, "the connection was refused; check that the registry is running and its port", false],
  [
    /dns|lookup|resolve|name or service not known|no such host/i,
    "host not found; check the base URL and the network",
    false,
  ],
  [
    /certificate|CertVerify|UnknownIssuer|tls handshake/i,
    "its certificate is not trusted; check the base URL and the proxy; for your own certificate authority, set " +
    "DENO_CERT=FILE (PEM) or DENO_TLS_CA_STORE=system",
    true,
  ],
  [/blocked/i, "the port is blocked for HTTP; check the base URL", true],
  [/network (is )?unreachable|no route/i, "network unreachable; check the network", false],
  [
    /reset|closed before|broken pipe|unexpected eof|aborted/i,
    "the connection broke before an answer; try again",
    false,
  ],
  [/invalid HTTP|parse/i, "the server does not speak HTTP; check the base URL and its port", false],
];

/** Makes the error of a failed `fetch`. An error of the family, such as an injected `fetch` may throw, is kept. */
export function networkError(task: string, url: string, cause: unknown): RegistryError {
  if (cause instanceof RegistryError) return cause;
  const text = messages(cause);
  if (cause instanceof Deno.errors.NotCapable || cause instanceof Deno.errors.PermissionDenied) {
    const { host } = new URL(url);
    const why = `the network is not permitted; run again with --allow-net=${host}`;
    return new NetworkError(`Cannot ${task}: ${url} was not contacted: ${why}`, url, { cause, permanent: true });
  }
  const [, why, permanent] = REASONS.find(([pattern]) => pattern.test(text)) ??
    [/./, `${text.slice(0, 300)}; check the base URL and the network`, false];
  const proxy = proxyVariable(url);
  const through = proxy === undefined || why.includes("PROXY") ? "" : `; ${proxy} routes it through a proxy`;
  return new NetworkError(`Cannot ${task}: ${url} did not answer: ${why}${through}`, url, { cause, permanent });
}

function messages(cause: unknown): string {
  const texts: string[] = [];
  for (let at = cause; at instanceof Error && texts.length < 5; at = at.cause) texts.unshift(at.message);
  return texts.length === 0 ? String(cause) : texts.join(": ");
}
