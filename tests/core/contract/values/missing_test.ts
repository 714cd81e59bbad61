import { assertEquals } from "@std/assert";
import { isMissing, MISSING_WORDS, missingWord } from "../../../../src/core/contract/values/missing.ts";

/** The placeholders as the module's documentation lists them. */
const PLACEHOLDERS = (
  "? - -- . n/a na nan none null unknown unk missing not-available not-applicable not-collected not-provided unspecified"
).split(" ").map((word) => word.replace(/(?<=\w)-(?=\w)/, " ")).concat("xxxx-xx-xx");
const TERMS = ["missing", "not applicable", "not collected", "not provided", "restricted access"];
const REASONS = [
  "control sample",
  "sample group",
  "synthetic construct",
  "lab stock",
  "third party data",
  "data agreement established pre-2023",
  "endangered species",
  "human-identifiable",
];

Deno.test("MISSING_WORDS are the placeholders and the terms of INSDC with their reasons, each once", () => {
  const expected = [
    ...PLACEHOLDERS,
    "restricted access",
    ...TERMS.flatMap((term) => REASONS.map((reason) => `${term}: ${reason}`)),
    ...TERMS.slice(1).map((term) => `missing: ${term}`),
  ];
  assertEquals([...MISSING_WORDS].sort(), expected.sort());
});

Deno.test("missingWord() finds a word whatever its case and the white space around it, and nothing else", () => {
  for (const word of MISSING_WORDS) {
    assertEquals([missingWord(word), missingWord(` ${word.toUpperCase()}\u00a0`)], [word, word]);
    assertEquals([missingWord(`${word}x`), missingWord(`x${word}`)], [undefined, undefined]);
  }
  assertEquals([missingWord(""), missingWord("\u3000\n")], ["", ""]);
  assertEquals(missingWord("not applicable: data agreement established pre-2023!"), undefined);
  assertEquals(["", "N/A", "0"].map(isMissing), [true, true, false]);
});
