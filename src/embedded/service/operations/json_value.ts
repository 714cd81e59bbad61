/** From a text of the archives to the value of a search result. */
import type { FieldType } from "@seqreg/core/contract";
import { readBoolean, readDecimal, readInteger } from "@seqreg/core/contract/values";

/**
 * Converts a value to its declared type where nothing is lost by it.
 *
 * A number only when its text is the number's own spelling, so that leading zeros, units and long digits stay texts.
 *
 * @returns A number, a boolean, the text itself, or `null` for an empty text.
 * @see Specification 2.2 does not show the types of `source` values: chosen because clients can sort and count them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { jsonValue } from "./json_value.ts";
 *
 * assertEquals(jsonValue("29903", "integer"), 29903);
 * assertEquals(jsonValue("0042", "integer"), "0042");
 * assertEquals(jsonValue("", "integer"), null);
 * ```
 */
export function jsonValue(text: string, type: FieldType): string | number | boolean | null {
  if (text === "") return null;
  const read = type === "integer"
    ? readInteger(text)
    : type === "float"
    ? readDecimal(text)
    : type === "boolean"
    ? readBoolean(text)
    : undefined;
  // JSON has no bigint.
  return read === undefined || typeof read === "bigint" || String(read) !== text ? text : read;
}
