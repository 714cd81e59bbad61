/** Whether a text in bytes says that a value is missing, without making a text of nearly all. */
import { isMissing, MISSING_WORDS } from "@seqreg/core/contract/values";
import { textOf } from "./tokens.ts";

/** For each byte whether a text that is missing may begin with it: white space, a word, or no ASCII. */
const MAY_BEGIN = Uint8Array.from({ length: 256 }, (_, byte) => byte <= 32 || byte >= 128 ? 1 : 0);
for (const word of MISSING_WORDS) {
  for (const first of [word[0], word[0].toUpperCase()]) MAY_BEGIN[first.charCodeAt(0)] = 1;
}

/** Returns whether the bytes from one offset to another are a text of a missing value. */
export function isMissingText(bytes: Uint8Array, from: number, to: number): boolean {
  return to === from || MAY_BEGIN[bytes[from]] === 1 && isMissing(textOf(bytes, from, to));
}
