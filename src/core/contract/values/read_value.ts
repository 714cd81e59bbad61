/**
 * Interpretation of a value by the definition of its field.
 *
 * The embedded registry's search, filters, sort and facets, frames, lakes, SQL, problems and analyses all use it, so
 * that a condition selects the same records everywhere. Values are kept as received: reading only classifies them.
 *
 * A text is exactly one of three: *missing* (empty, white space or one of `MISSING_WORDS`), a *value* of the declared
 * type, or *invalid*, with a reason. A declared type is a claim: values such as `37 years` in an integer field are
 * real, and values that do not fit are not converted.
 *
 * | type | fits | becomes |
 * |---|---|---|
 * | `string` | everything | the text, leading zeros and white space included |
 * | `integer` | `42`, `-7`, `+7`, `007`, `12.0`, `1e3`, from -2^63 to 2^63 - 1; the same with the definition's unit (`37 years`) | `number`, beyond 2^53 `bigint` |
 * | `float` | `12`, `12.5`, `.5`, `1e-3`; the same with the definition's unit (`12.0x`) | a finite `number` |
 * | `boolean` | `true` `t` `yes` `y` `1`, `false` `f` `no` `n` `0`, in any case | `boolean` |
 * | `date` | the forms of `readPartialDate` | the text |
 * | `list` | everything | the texts between `;`, without white space around them, empty ones left out |
 *
 * White space around a number, a boolean or a date is ignored. A number with a unit fits only if the definition has
 * exactly that unit: nothing is converted.
 */
import type { FieldDefinition } from "../metadata.ts";
import { readBoolean } from "./booleans.ts";
import { readPartialDate, whyNotDate } from "./dates.ts";
import { splitList } from "./lists.ts";
import { missingWord } from "./missing.ts";
import { readDecimal, readInteger, whyNotDecimal, whyNotInteger } from "./numbers.ts";

/** A value of a typed column. Integers beyond 2^53 are `bigint`. */
export type CellValue = string | number | bigint | boolean | readonly string[];

/** The parts of a definition that reading needs. */
export type CastDefinition = Pick<FieldDefinition, "type" | "unit">;

/** The meaning of a text by a definition. */
export type ReadValue =
  | {
    /** The text marks the value as missing. */
    readonly kind: "missing";
    /** The text as in `MISSING_WORDS`; `""` for an empty text and for white space. */
    readonly word: string;
  }
  | {
    /** The text is a value of the declared type. */
    readonly kind: "value";
    /** The value. */
    readonly value: CellValue;
  }
  | {
    /** The text is neither. */
    readonly kind: "invalid";
    /** The reason: a predicate whose subject is the value. */
    readonly reason: string;
  };

/** A value that fits its type, or why it does not. */
export type Cast =
  | { readonly fits: true; readonly value: CellValue }
  | { readonly fits: false; readonly reason: string };

/**
 * Reads a value by its definition, by the rules of this module.
 *
 * @param text The value as received.
 * @param definition Its type and unit.
 * @returns Exactly one of: missing with the word, a value, or invalid with the reason.
 * @see Not shown in the specification: the rules are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readValue } from "./read_value.ts";
 *
 * const length = { type: "integer", unit: "bp" } as const;
 * assertEquals(readValue("10794 bp", length), { kind: "value", value: 10794 });
 * assertEquals(readValue("Not collected", length), { kind: "missing", word: "not collected" });
 * assertEquals(readValue("long", length), { kind: "invalid", reason: "is not an integer" });
 * ```
 */
export function readValue(text: string, definition: CastDefinition): ReadValue {
  const { type } = definition;
  // Every text is a valid string or list, so missing values are detected first.
  const word = type === "string" || type === "list" ? missingWord(text) : undefined;
  if (word !== undefined) return { kind: "missing", word };
  const cast = castText(text, definition);
  if (cast.fits) return { kind: "value", value: cast.value };
  const placeholder = missingWord(text);
  return placeholder === undefined ? { kind: "invalid", reason: cast.reason } : { kind: "missing", word: placeholder };
}

/**
 * Fits a value to the declared type, by the rules of this module, treating missing values as invalid.
 *
 * @param text The value as received; an empty text is not a value.
 * @param definition Its type and unit.
 * @returns The value, or the reason why it does not fit.
 * @see Not shown in the specification: the rules are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { castText } from "./read_value.ts";
 *
 * assertEquals(castText("37 years", { type: "integer", unit: "years" }), { fits: true, value: 37 });
 * assertEquals(castText("37 years", { type: "integer", unit: "" }), {
 *   fits: false,
 *   reason: 'has the unit "years", the definition has no unit',
 * });
 * ```
 */
export function castText(text: string, { type, unit }: CastDefinition): Cast {
  switch (type) {
    case "integer": {
      const value = readInteger(text, unit);
      return value === undefined ? { fits: false, reason: whyNotInteger(text, unit) } : { fits: true, value };
    }
    case "float": {
      const value = readDecimal(text, unit);
      return value === undefined ? { fits: false, reason: whyNotDecimal(text, unit) } : { fits: true, value };
    }
    case "boolean": {
      const value = readBoolean(text);
      return value === undefined ? { fits: false, reason: NOT_BOOLEAN } : { fits: true, value };
    }
    case "date":
      return readPartialDate(text) === undefined
        ? { fits: false, reason: whyNotDate(text) }
        : { fits: true, value: text };
    case "list":
      return { fits: true, value: splitList(text) };
    case "string":
      return { fits: true, value: text };
  }
}

const NOT_BOOLEAN = "is not a boolean: expected true or false, yes or no, t or f, y or n, 1 or 0";
