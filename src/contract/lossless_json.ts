/**
 * JSON whose integers keep all their digits.
 *
 * `JSON.parse` silently rounds integers beyond 2^53. Here they become a `bigint`, and are written with all their
 * digits.
 *
 * @module
 */

/** The third argument of `JSON.parse`'s reviver: the source text of a number or string. */
interface JsonSource {
  readonly source?: string;
}

/** Only a text with so many consecutive digits can contain an integer beyond 2^53. */
const LONG_DIGITS = /[0-9]{16}/;

const INTEGER = /^-?[0-9]+$/;

/**
 * Parses JSON; an integer beyond 2^53 becomes a `bigint`.
 *
 * @param text JSON text.
 * @returns The value.
 * @throws {SyntaxError} As `JSON.parse` does.
 * @see Not shown in the specification, which says of `source` only that its keys are public field names (2.2).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseJson } from "./lossless_json.ts";
 *
 * assertEquals(parseJson('{"a":9007199254740993,"b":2}'), { a: 9007199254740993n, b: 2 });
 * ```
 */
export function parseJson(text: string): unknown {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: JsonSource): unknown => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && INTEGER.test(source) ? BigInt(source) : value;
  });
}

/**
 * Writes a value as JSON; a `bigint` becomes an integer with all its digits.
 *
 * @param value Anything `JSON.stringify` accepts, and `bigint`.
 * @returns JSON text without white space; `null` for values that JSON cannot represent.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeJson } from "./lossless_json.ts";
 *
 * assertEquals(writeJson({ a: [9007199254740993n], b: undefined }), '{"a":[9007199254740993]}');
 * ```
 */
export function writeJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${writeJson(each)}`).join(",")}}`;
}
