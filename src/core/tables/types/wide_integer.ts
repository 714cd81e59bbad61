/** Whole numbers that no column of integers holds. */
import { readInteger, trimWhiteSpace } from "../../contract/values/mod.ts";

const DIGITS = /^[+-]?[0-9]{19,}$/;

/** Whether a text is a whole number beyond 64 bits: its column stays text, where every digit survives. */
export function isWideInteger(text: string): boolean {
  return text.length >= 19 && DIGITS.test(trimWhiteSpace(text)) && readInteger(text) === undefined;
}
