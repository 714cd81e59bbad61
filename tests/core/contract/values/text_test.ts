import { assertEquals } from "@std/assert";
import { trimWhiteSpace } from "../../../../src/core/contract/values/text.ts";

Deno.test("trimWhiteSpace() removes the characters of Unicode's White_Space, and no other", () => {
  const isWhiteSpace = /^\p{White_Space}$/u;
  for (let unit = 0; unit < 0x10000; unit++) {
    const letter = String.fromCharCode(unit);
    const expected = isWhiteSpace.test(letter) ? "a" : `${letter}a${letter}`;
    if (trimWhiteSpace(`${letter}a${letter}`) !== expected) assertEquals(unit.toString(16), expected);
  }
});

Deno.test("trimWhiteSpace() keeps white space inside, and nothing of white space alone", () => {
  assertEquals(trimWhiteSpace("\t\n a b\u0085\u3000"), "a b");
  assertEquals([trimWhiteSpace(""), trimWhiteSpace(" "), trimWhiteSpace("\u2028 \u205f")], ["", "", ""]);
  assertEquals([trimWhiteSpace(" a"), trimWhiteSpace("a ")], ["a", "a"]);
});
