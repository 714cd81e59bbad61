/** What a JSON object or an options object is. */

/**
 * Whether a value is an object of named values: not a list, map, date, signal or stream.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isRecord } from "./is_record.ts";
 *
 * assertEquals([{ a: 1 }, [1], null, new Map(), new Date()].map(isRecord), [true, false, false, false, false]);
 * ```
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Object]";
}
