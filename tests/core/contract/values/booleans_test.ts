import { assertEquals } from "@std/assert";
import { readBoolean } from "../../../../src/core/contract/values/booleans.ts";

Deno.test("readBoolean() reads five words of each kind, whatever their case and the white space around them", () => {
  const kinds = { true: ["true", "t", "yes", "y", "1"], false: ["false", "f", "no", "n", "0"] };
  for (const [kind, words] of Object.entries(kinds)) {
    for (const word of words) {
      for (const text of [word, word.toUpperCase(), `\u00a0${word} `]) assertEquals(String(readBoolean(text)), kind);
    }
  }
  for (const text of ["", "maybe", "truee", "10", "-1"]) assertEquals(readBoolean(text), undefined);
});
