/** One value as a cell shows it. */
import { cut } from "@seqreg/core/io/display";
import { shortNumber } from "./in_browser/cells.ts";

/** One cell: a number, a text, or nothing. */
export type ShownValue = string | number | bigint | boolean | null | undefined;

/**
 * Writes a value for a cell: fractions with at most seven significant digits, everything else as it is.
 *
 * @returns The text that is shown, and whether it says less than the value.
 */
export function cellText(
  value: string | number | bigint | boolean,
): { readonly text: string; readonly short: boolean } {
  const whole = String(value);
  if (typeof value !== "number") return { text: whole, short: false };
  const text = shortNumber(value);
  return { text, short: text !== whole };
}

/** Cuts a text and says how long it is in all. */
export function cutSaying(text: string, most: number): string {
  return text.length > most ? `${cut(text, most)} (${text.length.toLocaleString("en")} characters)` : text;
}
