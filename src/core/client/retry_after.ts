/** Parses `Retry-After` in both of its forms. */

const SECONDS = /^[0-9]+$/;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d/;

/**
 * Parses a `Retry-After` header field: whole seconds, or an HTTP date.
 *
 * @param value Content of the field; `null` if it is absent.
 * @param now Time in milliseconds since 1970, for dates.
 * @returns Milliseconds to wait; 0 for a date in the past; at most ten years; `undefined` if the field is absent or
 * invalid, such as a negative number.
 * @see RFC 9110, 10.2.3. The specification does not mention the field.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseRetryAfter } from "./retry_after.ts";
 *
 * const now = Date.parse("2026-01-01T00:00:00Z");
 *
 * assertEquals(parseRetryAfter("5", now), 5000);
 * assertEquals(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60_000);
 * assertEquals(parseRetryAfter("-5", now), undefined);
 * ```
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MOST_MS);
  if (!DATE.test(text)) return undefined;
  const at = parseHttpDate(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MOST_MS);
}

/** Parses the date of a header field; NaN for another text. The oldest form has no zone, and is in GMT as well. */
export function parseHttpDate(text: string): number {
  return Date.parse(/ [0-9]{4}$/.test(text) ? `${text} GMT` : text);
}

/** Ten years: a longer wait would not fit a date. */
const MOST_MS = 10 * 365 * 86_400_000;
