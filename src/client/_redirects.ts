/** Where a redirect may lead: the same host, or its https; at most five; never in a circle. */
import { terminalText } from "../io/bytes/terminal_text.ts";
import { UnexpectedResponseError } from "./errors.ts";

/** Redirects that one try follows. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** One request of a try. */
export interface Hop {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Address. */
  readonly url: URL;
}

/** Tells whether a status asks to go elsewhere. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.includes(status);
}

/**
 * Finds the next request of a try.
 *
 * A POST stays a POST after 301 and 302 too, as after 307 and 308: browsers make it a GET for history's sake, which no
 * operation would understand, and all operations only read. After 303 it is a GET, as that status says.
 *
 * @param hops Requests of this try so far; not empty.
 */
export function nextHop(task: string, hops: readonly Hop[], status: number, location: string | null): Hop {
  const from = hops[hops.length - 1];
  const refuse = (why: string): never => {
    throw new UnexpectedResponseError(
      `Cannot ${task}: ${from.url.href} answered with a redirect (${status}) ${why}`,
      from.url.href,
    );
  };
  if (location === null) return refuse("that does not say where to; check the base URL");
  const url = URL.parse(location, from.url);
  if (url === null) {
    return refuse(`to ${JSON.stringify(terminalText(location.slice(0, 200)))}, which is no URL; check the base URL`);
  }
  url.hash = "";
  const upgrade = from.url.protocol === "http:" && url.protocol === "https:" && url.hostname === from.url.hostname;
  if (url.username !== "" || url.password !== "") {
    return refuse("to an address with a password, which is never followed; check the base URL");
  }
  if (url.origin !== from.url.origin && !upgrade) {
    const why = url.hostname === from.url.hostname && from.url.protocol === "https:" && url.protocol === "http:"
      ? "without encryption"
      : "on another host";
    return refuse(`to ${url.origin}, ${why}, which is never followed; if you trust it, make it the base URL`);
  }
  const method = status === 303 ? "GET" : from.method;
  if (hops.some((hop) => hop.method === method && hop.url.href === url.href)) {
    return refuse("in a circle; check the base URL, then the registry");
  }
  if (hops.length > MAX_REDIRECTS) {
    return refuse(`after ${MAX_REDIRECTS} others, which is too many; check the base URL`);
  }
  return { method, url };
}
