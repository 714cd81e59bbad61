/** Lets pages of named origins read answers, if the operator of the server allows it. */
import type { IncomingMessage } from "node:http";
import { RELEASE_HEADER } from "@seqreg/core/contract/answers/release_mark";

/** What pages may send beyond what any page may. */
const ALLOWED_HEADERS = "accept, content-type, if-match, if-none-match, if-range, range";
/** What pages may read beyond what any page may. */
const EXPOSED_HEADERS =
  `accept-ranges, content-disposition, content-length, content-range, etag, ${RELEASE_HEADER}, retry-after`;
/** Seconds for which a browser may remember what is allowed. */
const REMEMBERED_SECONDS = "600";

/**
 * Checks origins: `*` for every page, or such as `https://lab.example` and `http://localhost:3000`, as browsers send
 * them.
 *
 * @throws {RangeError} If one is not an origin.
 */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  for (const origin of origins) {
    if (origin === "*" || /^https?:/.test(origin) && URL.parse(origin)?.origin === origin) continue;
    throw new RangeError(
      `Cannot allow the origin ${JSON.stringify(origin)}: expected * or an origin as a browser sends it, such as ` +
        "https://lab.example or http://localhost:3000, without a path",
    );
  }
  return new Set(origins);
}

/** Answers a preflight request; `undefined` if it is not one, or its origin is not allowed. */
export function answerPreflight(incoming: IncomingMessage, origins: ReadonlySet<string>): Response | undefined {
  const { method, headers } = incoming;
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined;
  if (allowedOrigin(incoming, origins) === undefined) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": REMEMBERED_SECONDS,
    },
  });
}

/** Marks an answer as one that the page may read; without origins it stays as it is. */
export function markReadable(response: Response, incoming: IncomingMessage, origins: ReadonlySet<string>): Response {
  if (origins.size === 0) return response;
  const marked = new Response(response.body, response);
  if (!origins.has("*")) marked.headers.append("vary", "origin");
  const origin = allowedOrigin(incoming, origins);
  if (origin === undefined) return marked;
  marked.headers.set("access-control-allow-origin", origin);
  marked.headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  return marked;
}

function allowedOrigin({ headers }: IncomingMessage, origins: ReadonlySet<string>): string | undefined {
  if (headers.origin === undefined) return undefined;
  if (origins.has("*")) return "*";
  return origins.has(headers.origin) ? headers.origin : undefined;
}
