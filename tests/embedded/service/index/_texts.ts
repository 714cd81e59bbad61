/** Random texts, and the order that sorting has to give them. */
import fc from "fast-check";
import { compareCodePoints } from "../../../../src/core/query/fold.ts";
import { anyText } from "../../../_any_text.ts";

/** Texts that share beginnings, end in zeros, and reach beyond U+FFFF. */
export const text = fc.oneof(
  fc.array(fc.constantFrom("a", "ab", "\0", "é", "😀", "\uff5e", "abcdefgh"), { maxLength: 8 }).map((parts) =>
    parts.join("")
  ),
  anyText({ maxLength: 6 }).map((text) => text.toWellFormed()),
);

export function joined(texts: readonly string[]): { bytes: Uint8Array; starts: Uint32Array } {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const starts = new Uint32Array(texts.length + 1);
  for (const [at, { length }] of encoded.entries()) starts[at + 1] = starts[at] + length;
  return { bytes: Uint8Array.from(encoded.flatMap((bytes) => [...bytes])), starts };
}

export function orderOf(texts: readonly string[]): number[] {
  return [...texts.keys()].sort((a, b) => compareCodePoints(texts[a], texts[b]) || a - b);
}
