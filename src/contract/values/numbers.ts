/**
 * Numbers as they are written in archives.
 *
 * White space around a number is passed over, and so is the unit that its definition names, character for character,
 * with or without white space before it. Thousands separators, decimal commas, `NaN`, infinities, hexadecimal digits,
 * digits of other scripts and ranges are not numbers.
 *
 * @module
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
 * Reads a whole number of 64 bits.
 *
 * @param text The value as it came, such as `10794`, `+7`, `007`, `12.0`, `1e3` or `37 years`.
 * @param unit The definition's unit; empty when it has none.
 * @returns The number, as a `bigint` beyond 2^53; `undefined` when the text is not a whole number of 64 bits.
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
  const read = integerOrReason(text, unit);
  return typeof read === "string" ? undefined : read;
}

/**
 * Reads a number that may have a fraction.
 *
 * @param text The value as it came, such as `12`, `.5`, `1e-3` or `12.0x`.
 * @param unit The definition's unit; empty when it has none.
 * @returns The nearest number that a float of 64 bits holds, never minus zero; `undefined` when the text is not a number,
 * or one beyond what a float holds.
 * @see Not shown in the specification: chosen because real archives hold these forms.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readDecimal } from "./numbers.ts";
 *
 * assertEquals([".5", "1e3", "43.5 %", "Infinity"].map((text) => readDecimal(text, "%")), [0.5, 1000, 43.5, undefined]);
 * ```
 */
export function readDecimal(text: string, unit = ""): number | undefined {
  const read = decimalOrReason(text, unit);
  return typeof read === "string" ? undefined : read;
}

/** Reads an integer; a text is the reason why there is no such number. */
export function integerOrReason(text: string, unit: string): number | bigint | string {
  return readWithUnit(text, unit, parseInteger);
}

/** Reads a decimal; a text is the reason why there is no such number. */
export function decimalOrReason(text: string, unit: string): number | string {
  return readWithUnit(text, unit, parseDecimal);
}

function readWithUnit<T>(text: string, unit: string, parse: (digits: string) => T | string): T | string {
  const trimmed = trimWhiteSpace(text);
  const plain = parse(trimmed);
  if (typeof plain !== "string" || DECIMAL.test(trimmed)) return plain;
  if (unit !== "" && trimmed.endsWith(unit)) return parse(trimWhiteSpace(trimmed.slice(0, -unit.length)));
  const found = NUMBER_AND_UNIT.exec(trimmed)?.[1];
  if (found === undefined) return plain;
  const expected = unit === "" ? "the definition has none" : `the definition has ${JSON.stringify(unit)}`;
  return `has the unit ${JSON.stringify(found)}, ${expected}`;
}

function parseDecimal(text: string): number | string {
  if (!DECIMAL.test(text)) return "is not a number";
  const number = Number(text);
  // Minus zero and zero are one number.
  return Number.isFinite(number) ? number + 0 : "is a number beyond what a float can hold";
}

function parseInteger(text: string): number | bigint | string {
  if (SHORT_INTEGER.test(text)) return Number(text);
  if (!DECIMAL.test(text)) return "is not an integer";
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
