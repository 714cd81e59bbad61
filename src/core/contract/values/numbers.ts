/**
 * Numbers as they are written in archives.
 *
 * White space around a number is ignored, and so is the exact unit of its definition, with or without white space
 * before it. Thousands separators, decimal commas, `NaN`, infinities, hexadecimal digits, digits of other scripts and
 * ranges are invalid.
 */
import { trimWhiteSpace } from "./text.ts";

/** Least and greatest integer of 64 bits. */
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
/** Digits of the greatest integer of 64 bits. */
const MOST_DIGITS = 19;

const SHORT_INTEGER = /^-?[1-9][0-9]{0,14}$/;
const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const NUMBER_AND_UNIT =
  /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[\s\u0085]*([^0-9.,+\-\s;:/\p{C}]\S*(?: \S+)*)$/u;

/**
 * Reads a 64-bit integer.
 *
 * @param text The value as received, such as `10794`, `+7`, `007`, `12.0`, `1e3` or `37 years`.
 * @param unit The definition's unit; empty if it has none.
 * @returns The number, as a `bigint` beyond 2^53; `undefined` if the text is not a 64-bit integer.
 * @see Not shown in the specification: chosen because real archives hold these forms.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readInteger } from "./numbers.ts";
 *
 * assertEquals(readInteger("\u00a010794 bp", "bp"), 10794);
 * assertEquals(readInteger("9007199254740993"), 9007199254740993n);
 * assertEquals(readInteger("1,234"), undefined);
 * ```
 */
export function readInteger(text: string, unit = ""): number | bigint | undefined {
  if (SHORT_INTEGER.test(text)) return Number(text);
  const digits = digitsOf(text, unit);
  const read = digits === undefined ? undefined : parseInteger(digits);
  return typeof read === "string" ? undefined : read;
}

/**
 * Reads a number that may have a fraction.
 *
 * @param text The value as received, such as `12`, `.5`, `1e-3` or `12.0x`.
 * @param unit The definition's unit; empty if it has none.
 * @returns The nearest 64-bit float, never minus zero; `undefined` if the text is not a number, or too large for a
 * float.
 * @see Not shown in the specification: chosen because real archives hold these forms.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readDecimal } from "./numbers.ts";
 *
 * assertEquals([".5", "1e3", "43.5 %", "Infinity"].map((text) => readDecimal(text, "%")), [0.5, 1000, 43.5,
 *   undefined]);
 * ```
 */
export function readDecimal(text: string, unit = ""): number | undefined {
  const digits = digitsOf(text, unit);
  const number = digits === undefined ? NaN : Number(digits);
  // Minus zero becomes zero.
  return Number.isFinite(number) ? number + 0 : undefined;
}

export function whyNotInteger(text: string, unit: string): string {
  const digits = digitsOf(text, unit);
  const read = digits === undefined ? undefined : parseInteger(digits);
  return typeof read === "string" ? read : foreignUnit(text, unit) ?? "is not an integer";
}

export function whyNotDecimal(text: string, unit: string): string {
  if (digitsOf(text, unit) !== undefined) return "is a number too large for a float";
  return foreignUnit(text, unit) ?? "is not a number";
}

/** The number in a text, without white space and unit; `undefined` if it is not a number. */
function digitsOf(text: string, unit: string): string | undefined {
  if (DECIMAL.test(text)) return text;
  const trimmed = trimWhiteSpace(text);
  if (trimmed !== text && DECIMAL.test(trimmed)) return trimmed;
  if (unit === "" || !trimmed.endsWith(unit)) return undefined;
  const digits = trimWhiteSpace(trimmed.slice(0, -unit.length));
  return DECIMAL.test(digits) ? digits : undefined;
}

function foreignUnit(text: string, unit: string): string | undefined {
  const found = NUMBER_AND_UNIT.exec(trimWhiteSpace(text))?.[1];
  if (found === undefined || found === unit) return undefined;
  const expected = unit === "" ? "the definition has no unit" : `the definition has ${JSON.stringify(unit)}`;
  return `has the unit ${JSON.stringify(found)}, ${expected}`;
}

/** The integer value of a number, or the reason why it is not an integer. */
function parseInteger(text: string): number | bigint | string {
  const [mantissa, exponent = "0"] = text.split(/[eE]/);
  const isNegative = mantissa.startsWith("-");
  const [whole, fraction = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (start < end && digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  if (start === end) return 0;
  const zeros = Number(exponent) - fraction.length + digits.length - end;
  if (zeros < 0) return "is a number with a fraction, not an integer";
  if (end - start + zeros > MOST_DIGITS) return BEYOND;
  const exact = BigInt((isNegative ? "-" : "") + digits.slice(start, end) + "0".repeat(zeros));
  if (exact < LEAST || exact > MOST) return BEYOND;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

const BEYOND = "is an integer beyond 64 bits";
