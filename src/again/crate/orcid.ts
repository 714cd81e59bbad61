/**
 * Whether a value is an ORCID iD: sixteen digits in fours, the last of which checks the others (ISO 7064, MOD 11-2).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { isOrcid } from "./orcid.ts";
 *
 * assertEquals(["0000-0002-1825-0097", "0000-0002-1825-0098"].map(isOrcid), [true, false]);
 * ```
 */
export function isOrcid(value: unknown): value is string {
  if (typeof value !== "string" || !/^(?:\d{4}-){3}\d{3}[\dX]$/.test(value)) return false;
  const digits = value.replaceAll("-", "");
  let sum = 0;
  for (const digit of digits.slice(0, -1)) sum = (sum + Number(digit)) * 2;
  const check = (12 - sum % 11) % 11;
  return digits.at(-1) === (check === 10 ? "X" : String(check));
}
