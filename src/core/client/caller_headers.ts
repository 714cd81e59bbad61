/** Header fields that a caller adds to requests: checked, sent to one origin only, and hidden in all output. */

/** Header fields of the protocol; a caller cannot replace them. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "if-range",
  "keep-alive",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Minimum length of values that are hidden in text: shorter ones would match by chance. */
const MIN_HIDDEN = 6;

/** Whether a header field belongs to the protocol rather than to a caller. */
export function isOwnField(name: string): boolean {
  return OWN_FIELDS.has(name.trim().toLowerCase());
}

/**
 * Checks a caller's header fields. Messages never contain a value: it may be a credential.
 *
 * @returns The fields by their lower-case names.
 * @throws {TypeError} If a name or a value cannot be sent.
 */
export function checkHeaders(headers: unknown = {}): Record<string, string> {
  const checked: Record<string, string> = {};
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) {
    throw new TypeError("Cannot use these headers: expected an object of values by name");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new TypeError(
        `Cannot send the header field ${JSON.stringify(name.slice(0, 60))}: expected a name such as Authorization`,
      );
    }
    if (typeof value !== "string") {
      throw new TypeError(`Cannot send the header field ${name}: expected a text as its value, not ${typeof value}`);
    }
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new TypeError(
        `Cannot send the header field ${name}: its value has a line break, a control character or one beyond Latin-1`,
      );
    }
    checked[name.toLowerCase()] = value.trim();
  }
  return checked;
}

/** Minimum common run of characters for one text to count as a truncated copy of another. */
const SHARED = 8;

/**
 * Hides the values of header fields in a text that may contain them, such as an error that echoes the request: whole
 * values, their words, and truncated copies.
 */
export function hideValues(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.entries(headers)
    .filter(([name]) => name !== "user-agent")
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= MIN_HIDDEN)
    .sort((a, b) => b.length - a.length);
  return secrets.reduce((shown, secret) => hideParts(shown.replaceAll(secret, HIDDEN), secret), text);
}

const HIDDEN = "[hidden]";

/** Hides the longest runs of a text that are also runs of a secret. */
function hideParts(text: string, secret: string): string {
  let shown = "";
  for (let at = 0; at < text.length;) {
    let length = SHARED;
    while (at + length <= text.length && secret.includes(text.slice(at, at + length))) length++;
    const isShared = length > SHARED;
    shown += isShared ? HIDDEN : text[at];
    at += isShared ? length - 1 : 1;
  }
  return shown;
}

/**
 * Changes the texts of an error and of its causes, message and stack, in place.
 *
 * @param thrown What was thrown; values other than errors are not changed.
 * @param hide Removes secrets from a text.
 * @returns What was thrown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { hideInError } from "./caller_headers.ts";
 *
 * const error = hideInError(new Error("no access with open-sesame"), (text) => text.replace("open-sesame",
 *   "[hidden]"));
 *
 * assertEquals(error.message, "no access with [hidden]");
 * ```
 */
export function hideInError<T>(thrown: T, hide: (text: string) => string): T {
  const seen = new Set<Error>();
  for (let error: unknown = thrown; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error);
    for (const key of ["message", "stack"] as const) {
      const text = error[key];
      const value = text === undefined ? text : hide(text);
      if (value !== text) Object.defineProperty(error, key, { configurable: true, writable: true, value });
    }
  }
  return thrown;
}
