/**
 * From the text of a value to the type that its definition declares.
 *
 * A declared type is a claim: values such as `37 years` in an integer field are real. What does not fit is never bent
 * into shape, it becomes a reason.
 *
 * | type | fits | becomes |
 * |---|---|---|
 * | `string` | everything | the text, leading zeros and blanks included |
 * | `integer` | `42`, `-7`, `+7`, `007`, `12.0`, from -2^63 to 2^63 - 1; the same with the definition's unit (`37 years`) | `number`, beyond 2^53 `bigint` |
 * | `float` | `12`, `12.5`, `.5`, `1e-3`; the same with the definition's unit (`12.0x`) | a finite `number` |
 * | `boolean` | `true` `t` `yes` `y` `1`, `false` `f` `no` `n` `0`, in any case | `boolean` |
 * | `date` | `2013`, `2013-12`, `2013-12-05`, unknown parts also as `XX` or `00`; a time of day after a whole date | the text; see `readPartialDate` |
 * | `list` | everything | the texts between `;`, without blanks around them, empty ones left out |
 *
 * Blanks around a number, a boolean or a date are passed over. Thousands separators, decimal commas, `NaN`, infinities and
 * ranges do not fit. A number with a unit fits only when the definition names that unit, letter for letter: nothing is
 * converted.
 *
 * @module
 */
import type { FieldDefinition } from "../../contract/metadata.ts";
import { readPartialDate } from "./partial_date.ts";

/** A value of a typed column. Integers beyond 2^53 are `bigint`. */
export type CellValue = string | number | bigint | boolean | readonly string[];

/** What a definition says that casting needs. */
export type CastDefinition = Pick<FieldDefinition, "type" | "unit">;

/** A value that fits its type, or why it does not. */
export type Cast =
  | { readonly fits: true; readonly value: CellValue }
  | { readonly fits: false; readonly reason: string };

/** Least and greatest integer of a column of integers. */
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

const INTEGER = /^[+-]?[0-9]+(?:\.0*)?$/;
const FLOAT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const NUMBER_AND_UNIT =
  /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*([^0-9.,+\-\s;:/]\S*(?: \S+)*)$/;
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "t", "yes", "y", "1"].map((word) => [word, true] as const),
  ...["false", "f", "no", "n", "0"].map((word) => [word, false] as const),
]);

/**
 * Reads a value by its definition, by the rules of this module.
 *
 * @param text The value as it came; not empty: an empty value is no value.
 * @param definition Its type and unit.
 * @returns The value, or the reason why it does not fit.
 * @see Not shown in the specification: the rules are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { castText } from "./cast.ts";
 *
 * assertEquals(castText("37 years", { type: "integer", unit: "years" }), { fits: true, value: 37 });
 * assertEquals(castText("37 years", { type: "integer", unit: "" }), {
 *   fits: false,
 *   reason: 'has the unit "years", the definition has none',
 * });
 * ```
 */
export function castText(text: string, definition: CastDefinition): Cast {
  switch (definition.type) {
    case "integer":
      return castNumber(text, definition.unit, readInteger);
    case "float":
      return castNumber(text, definition.unit, readFloat);
    case "boolean":
      return castBoolean(text);
    case "date":
      return castDate(text);
    case "list":
      return { fits: true, value: splitList(text) };
    case "string":
      return { fits: true, value: text };
  }
}

/** Splits a list at `;`: blanks around items and empty items are left out. */
export function splitList(text: string): string[] {
  return text.split(";").map(trimBlanks).filter((item) => item !== "");
}

/** Removes ASCII blanks around a text, and nothing else that is white. */
export function trimBlanks(text: string): string {
  return text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
}

function castNumber(text: string, unit: string, read: (digits: string) => Cast): Cast {
  const trimmed = trimBlanks(text);
  const plain = read(trimmed);
  if (plain.fits || FLOAT.test(trimmed)) return plain;
  if (unit !== "" && trimmed.endsWith(unit)) return read(trimmed.slice(0, -unit.length).replace(/[ \t]+$/, ""));
  const found = NUMBER_AND_UNIT.exec(trimmed)?.[1];
  if (found === undefined) return plain;
  const expected = unit === "" ? "the definition has none" : `the definition has ${JSON.stringify(unit)}`;
  return misfit(`has the unit ${JSON.stringify(found)}, ${expected}`);
}

function readInteger(text: string): Cast {
  if (!INTEGER.test(text)) {
    return misfit(FLOAT.test(text) ? "is a number with a fraction, not an integer" : "is not an integer");
  }
  const point = text.indexOf(".");
  const digits = point === -1 ? text : text.slice(0, point);
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return { fits: true, value: number === 0 ? 0 : number };
  const exact = BigInt(digits.replace(/^\+/, ""));
  if (exact < LEAST || exact > MOST) return misfit("is an integer beyond 64 bits");
  return { fits: true, value: exact };
}

function readFloat(text: string): Cast {
  if (!FLOAT.test(text)) return misfit("is not a number");
  const number = Number(text);
  return Number.isFinite(number) ? { fits: true, value: number } : misfit("is a number beyond what a float can hold");
}

function castBoolean(text: string): Cast {
  const value = TRUTHS.get(trimBlanks(text).toLowerCase());
  return value === undefined
    ? misfit("is not a boolean: expected true or false, yes or no, t or f, y or n, 1 or 0")
    : { fits: true, value };
}

function castDate(text: string): Cast {
  return readPartialDate(trimBlanks(text)) === undefined
    ? misfit("is not a date: expected YYYY, YYYY-MM or YYYY-MM-DD, unknown parts as XX")
    : { fits: true, value: text };
}

function misfit(reason: string): Cast {
  return { fits: false, reason };
}
