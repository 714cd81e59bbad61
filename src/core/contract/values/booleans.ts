/** Booleans as they are written in archives. */
import { trimWhiteSpace } from "./text.ts";

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "t", "yes", "y", "1"].map((word) => [word, true] as const),
  ...["false", "f", "no", "n", "0"].map((word) => [word, false] as const),
]);

/**
 * Reads a boolean: `true` `t` `yes` `y` `1`, `false` `f` `no` `n` `0`, in any case, with or without surrounding white
 * space.
 *
 * @param text The value as received.
 * @returns The boolean; `undefined` for any other text.
 * @see Not shown in the specification: chosen because real archives hold these forms.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readBoolean } from "./booleans.ts";
 *
 * assertEquals(["Yes", " F ", "maybe"].map(readBoolean), [true, false, undefined]);
 * ```
 */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text) ?? BOOLEANS.get(trimWhiteSpace(text).toLowerCase());
}
