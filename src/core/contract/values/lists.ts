/** Lists as they are written in archives. */
import { trimWhiteSpace } from "./text.ts";

/**
 * Splits a list at `;`: surrounding white space and empty items are removed. A JSON array of strings, numbers and
 * booleans is converted to these items, joined by `;`.
 *
 * @returns The items in order.
 * @see Not shown in the specification: chosen because archives join lists this way, and search engines write arrays.
 */
export function splitList(text: string): string[] {
  const joined = readArray(text)?.map((item) => item === null ? "" : String(item)).join(";") ?? text;
  return joined.split(";").map(trimWhiteSpace).filter((item) => item !== "");
}

/** The items of a JSON array of strings, numbers and booleans; `undefined` for any other text. */
export function readArray(text: string): readonly unknown[] | undefined {
  const trimmed = trimWhiteSpace(text);
  if (!trimmed.startsWith("[") || !trimmed.endsWith("]")) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed, asWritten);
    const isList = Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
    return isList ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A number is a text as it is written where a number of JavaScript does not keep that. */
function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  return typeof value === "number" && source !== undefined && String(value) !== source ? source : value;
}
