/**
 * JSON whose integers keep all their digits.
 *
 * `JSON.parse` silently rounds integers beyond 2^53. Here they become a `bigint`, and are written with all their
 * digits.
 */
import { ParseError } from "../../errors.ts";

/** The third argument of `JSON.parse`'s reviver: the source text of a number or string. */
interface JsonSource {
  readonly source?: string;
}

/** Only a text with so many consecutive digits can contain an integer beyond 2^53. */
const LONG_DIGITS = 16;

const INTEGER = /^-?[0-9]+$/;

/**
 * Maximum depth of JSON from elsewhere. The engine parses any depth, and then fails where values are walked through.
 */
export const MAX_JSON_DEPTH = 500;

const TOO_DEEP = `lists and objects are within each other more than ${MAX_JSON_DEPTH} times`;

const QUOTE = 34;
const BACKSLASH = 92;

/** Whether a text has so many digits in a row. A pattern would look at each character. */
function hasLongDigits(text: string): boolean {
  // Of so many characters in a row, one has an index that is a multiple of their number.
  for (let at = 0; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text, at)) continue;
    let [from, to] = [at, at + 1];
    while (isDigit(text, from - 1)) from--;
    while (isDigit(text, to)) to++;
    if (to - from >= LONG_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Whether lists and objects are within each other more than {@linkcode MAX_JSON_DEPTH} times. */
function isTooDeep(text: string): boolean {
  if (countOf(text, "{") + countOf(text, "[") <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      // The end of the string: a quote after an even number of backslashes.
      let end = text.indexOf('"', at + 1);
      for (; end !== -1; end = text.indexOf('"', end + 1)) {
        let before = end;
        while (text.charCodeAt(before - 1) === BACKSLASH) before--;
        if ((end - before) % 2 === 0) break;
      }
      if (end === -1) return false;
      at = end;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** How often a character is in a text, counted up to what is deep. */
function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= MAX_JSON_DEPTH; count++) {
    at = text.indexOf(character, at + 1);
  }
  return count;
}

/**
 * Parses JSON; an integer beyond 2^53 becomes a `bigint`.
 *
 * @throws {SyntaxError} As `JSON.parse` does; a {@linkcode ParseError} if it is deeper than {@linkcode MAX_JSON_DEPTH}.
 * @see Not shown in the specification, which says of `source` only that its keys are public field names (2.2).
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new ParseError(TOO_DEEP);
  }
  if (!hasLongDigits(text)) return JSON.parse(text);
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
 * @throws {RangeError} If its lists and objects are within each other more than {@linkcode MAX_JSON_DEPTH} times.
 */
export function writeJson(value: unknown): string {
  return writeValue(value, 0);
}

function writeValue(value: unknown, depth: number): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth === MAX_JSON_DEPTH) {
    throw new RangeError(`Cannot write JSON: ${TOO_DEEP}; leave the value out, or flatten it`);
  }
  if (Array.isArray(value)) return `[${value.map((each) => writeValue(each, depth + 1)).join(",")}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${writeValue(each, depth + 1)}`).join(",")}}`;
}
