/** One value as a cell shows it. */
import { cut } from "./html.ts";

/** One cell: a number, a text, or nothing. */
export type CellValue = string | number | bigint | boolean | null | undefined;

/** Significant digits of a fraction that are shown; the value itself stays within reach. */
export const SHOWN_DIGITS = 7;

/**
 * Writes a value for a cell: fractions with at most seven significant digits, everything else as it is.
 *
 * @returns The text that is shown, and whether it says less than the value.
 */
export function cellText(
  value: string | number | bigint | boolean,
): { readonly text: string; readonly short: boolean } {
  const whole = String(value);
  if (typeof value !== "number" || Number.isInteger(value) || !Number.isFinite(value)) {
    return { text: whole, short: false };
  }
  const text = String(Number(value.toPrecision(SHOWN_DIGITS)));
  return { text, short: text !== whole };
}

/** Cuts a text and says how long it is in all. */
export function cutSaying(text: string, most: number): string {
  return text.length > most ? `${cut(text, most)} (${text.length.toLocaleString("en")} characters)` : text;
}
