/** Texts that mark a value as missing. */
import { trimWhiteSpace } from "./text.ts";

const PLACEHOLDERS = [
  "?",
  "-",
  "--",
  ".",
  "n/a",
  "na",
  "nan",
  "none",
  "null",
  "unknown",
  "unk",
  "missing",
  "not available",
  "not applicable",
  "not collected",
  "not provided",
  "unspecified",
  "xxxx-xx-xx",
];

/** INSDC: general terms for missing values. */
const INSDC_TERMS = ["missing", "not applicable", "not collected", "not provided", "restricted access"];

/** INSDC: the reasons in records. */
const INSDC_REASONS = [
  "control sample",
  "sample group",
  "synthetic construct",
  "lab stock",
  "third party data",
  "data agreement established pre-2023",
  "endangered species",
  "human-identifiable",
];

/**
 * Every text that marks a value as missing, in lower case.
 *
 * These are the placeholders `?` `-` `--` `.` `n/a` `na` `nan` `none` `null` `unknown` `unk` `missing`
 * `not available` `not applicable` `not collected` `not provided` `unspecified` `xxxx-xx-xx`, and INSDC's missing-value
 * reporting terms: `missing`, `not applicable`, `not collected`, `not provided` and `restricted access`, each alone or
 * followed by a colon and one of the reasons `control sample`, `sample group`, `synthetic construct`, `lab stock`,
 * `third party data`, `data agreement established pre-2023`, `endangered species` and `human-identifiable`; and
 * `missing: ` before the other terms.
 *
 * @see https://www.insdc.org/submitting-standards/missing-value-reporting/
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { MISSING_WORDS } from "./missing.ts";
 *
 * assert(MISSING_WORDS.includes("missing: lab stock"));
 * ```
 */
export const MISSING_WORDS: readonly string[] = Object.freeze([
  ...new Set([
    ...PLACEHOLDERS,
    ...INSDC_TERMS,
    ...INSDC_TERMS.flatMap((term) => INSDC_REASONS.map((reason) => `${term}: ${reason}`)),
    ...INSDC_TERMS.slice(1).map((term) => `missing: ${term}`),
  ]),
]);

const WORDS: ReadonlySet<string> = new Set(MISSING_WORDS);
const LONGEST = Math.max(...MISSING_WORDS.map(({ length }) => length));
/** The UTF-16 units that may start a word, in lower and upper case. */
const FIRST_UNITS: ReadonlySet<number> = new Set(
  MISSING_WORDS.flatMap((word) => [word.charCodeAt(0), word.toUpperCase().charCodeAt(0)]),
);

/**
 * Finds which word of {@linkcode MISSING_WORDS} a text is, ignoring case and surrounding white space.
 *
 * @returns The word as in the list; `""` for an empty text and for white space; `undefined` for a value.
 */
export function missingWord(text: string): string | undefined {
  const trimmed = trimWhiteSpace(text);
  if (trimmed === "") return "";
  if (trimmed.length > LONGEST || !FIRST_UNITS.has(trimmed.charCodeAt(0))) return undefined;
  const word = trimmed.toLowerCase();
  return WORDS.has(word) ? word : undefined;
}

/**
 * Whether a text marks a value as missing: it is empty, white space, or one of {@linkcode MISSING_WORDS}.
 *
 * @param text The value as received.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isMissing } from "./missing.ts";
 *
 * assertEquals(["", " ?", "N/a", "Not Available", "NaCl"].map(isMissing), [true, true, true, true, false]);
 * ```
 */
export function isMissing(text: string): boolean {
  return missingWord(text) !== undefined;
}
