/**
 * Lists as they are written in archives.
 *
 * @module
 */
import { trimWhiteSpace } from "./text.ts";

/**
 * Splits a list at `;`: white space around items and empty items are left out.
 *
 * @param text The value as it came.
 * @returns The items in order.
 * @see Not shown in the specification: chosen because real archives join lists so.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { splitList } from "./lists.ts";
 *
 * assertEquals(splitList("human; bat ;;pig"), ["human", "bat", "pig"]);
 * ```
 */
export function splitList(text: string): string[] {
  return text.split(";").map(trimWhiteSpace).filter((item) => item !== "");
}
