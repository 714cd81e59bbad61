/** Allowed redirects: to the same host or its https; for a dataset, to other hosts too; at most five, without loops. */
import { terminalText } from "../io/bytes/terminal_text.ts";
import { UnexpectedResponseError } from "./errors.ts";

/** Maximum redirects per attempt. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** One request of an attempt. */
export interface Hop {
  readonly method: "GET" | "POST";
  readonly url: URL;
}

/** Allowed targets of an operation's redirects. */
export interface RedirectRules {
  /** Whether a GET may be sent to other hosts: its bytes are verified by a digest, independent of their source. */
  readonly otherHosts?: boolean;
}

/** Whether two addresses have the same origin, or the second is the https equivalent of the first. */
export function isSameHost(from: URL, to: URL): boolean {
  const upgrade = from.protocol === "http:" && to.protocol === "https:" && to.hostname === from.hostname;
  return to.origin === from.origin || upgrade;
}

/** Other hosts must use https; plain http is allowed only between loopback addresses, on the same machine. */
function isTrusted(from: URL, to: URL): boolean {
  return to.protocol === "https:" || to.protocol === "http:" && isLoopback(from) && isLoopback(to);
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * An address for receipts and errors: after a redirect without a query of its own, which may be a signature that grants
 * access, also on the same host.
 */
export function shownUrl(url: URL, asked: URL): string {
  return url.search === asked.search ? url.href : `${url.origin}${url.pathname}`;
}

export function isRedirect(status: number): boolean {
  return REDIRECTS.includes(status);
}

/**
 * Finds the next request of an attempt.
 *
 * A POST stays a POST after 301 and 302, as after 307 and 308: browsers change it to GET for historical reasons, but no
 * operation understands that, and all operations only read. After 303 it becomes a GET, as the status requires.
 *
 * @param hops Requests of this attempt so far; not empty.
 */
export function nextHop(
  task: string,
  hops: readonly Hop[],
  status: number,
  location: string | null,
  { otherHosts = false }: RedirectRules = {},
): Hop {
  const from = hops[hops.length - 1];
  const shown = shownUrl(from.url, hops[0].url);
  const refuse = (why: string): never => {
    throw new UnexpectedResponseError(`Cannot ${task}: ${shown} answered with a redirect (${status}) ${why}`, shown);
  };
  if (location === null) return refuse("without an address; check the base URL");
  const url = URL.parse(location, from.url);
  if (url === null) {
    return refuse(`to ${JSON.stringify(terminalText(location.slice(0, 200)))}, which is not a URL; check the base URL`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refuse(
      `to ${
        JSON.stringify(terminalText(url.href.slice(0, 200)))
      }, which is not allowed, expected http or https; check the base URL`,
    );
  }
  url.hash = "";
  if (url.username !== "" || url.password !== "") {
    return refuse("to an address with a password, which is not allowed; check the base URL");
  }
  if (!isSameHost(from.url, url) && !(otherHosts && from.method === "GET" && isTrusted(from.url, url))) {
    const plain = url.protocol === "http:" && (otherHosts || url.hostname === from.url.hostname);
    const why = plain && (from.url.protocol === "https:" || otherHosts) ? "without encryption" : "on another host";
    return refuse(`to ${url.origin}, ${why}, which is not allowed; if you trust it, use it as the base URL`);
  }
  const method = status === 303 ? "GET" : from.method;
  if (hops.some((hop) => hop.method === method && hop.url.href === url.href)) {
    return refuse("in a loop; check the base URL, then the registry");
  }
  if (hops.length > MAX_REDIRECTS) {
    return refuse(`after ${MAX_REDIRECTS} others, which is the limit; check the base URL`);
  }
  return { method, url };
}
