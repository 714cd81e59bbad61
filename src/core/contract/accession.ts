/** Registry accessions: `vj` followed by exactly twelve digits. */

/** Pattern of a registry accession. ASCII digits only. Source: Specification 2.1. */
export const ACCESSION_PATTERN: RegExp = /^vj[0-9]{12}$/;

/** Greatest number of an accession. */
export const MAX_ACCESSION_NUMBER = 999_999_999_999;

/**
 * Whether a text is a registry accession.
 *
 * @param text Any text.
 * @returns Whether it is `vj` and twelve ASCII digits, and nothing else.
 * @see Specification 2.1.
 *
 * @example
 * ```ts
 * import { assert, assertFalse } from "@std/assert";
 * import { isAccession } from "./accession.ts";
 *
 * assert(isAccession("vj000000000001"));
 * assertFalse(isAccession("vj00000000001"));
 * ```
 */
export function isAccession(text: string): boolean {
  return ACCESSION_PATTERN.test(text) && text.length === 14;
}

/**
 * Writes a number as a registry accession.
 *
 * @param number Whole number from 0 to {@linkcode MAX_ACCESSION_NUMBER}.
 * @returns The accession.
 * @throws {RangeError} If the number does not fit in twelve digits.
 * @see Specification 2.1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatAccession } from "./accession.ts";
 *
 * assertEquals(formatAccession(42), "vj000000000042");
 * ```
 */
export function formatAccession(number: number): string {
  if (!Number.isInteger(number) || number < 0 || number > MAX_ACCESSION_NUMBER) {
    throw new RangeError(`Cannot write an accession: ${number} is not a whole number from 0 to 999999999999`);
  }
  return `vj${String(number).padStart(12, "0")}`;
}
