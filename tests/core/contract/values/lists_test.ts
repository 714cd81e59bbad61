import { assertEquals } from "@std/assert";
import { readArray, splitList } from "../../../../src/core/contract/values/lists.ts";

Deno.test("splitList() splits at semicolons and reads a JSON array of plain values", () => {
  const lists: Record<string, string[]> = {
    "human; bat ;;pig": ["human", "bat", "pig"],
    " ; ": [],
    "": [],
    '["human", "bat"]': ["human", "bat"],
    ' [1, true, null, "a;b", ""] ': ["1", "true", "a", "b"],
    "[9007199254740993, 1.50]": ["9007199254740993", "1.50"],
    "[]": [],
    "[a, b": ["[a, b"],
    '"a"]': ['"a"]'],
    "[a]": ["[a]"],
    '[{"a": 1}]': ['[{"a": 1}]'],
    '["a", ["b"]]': ['["a", ["b"]]'],
    '{"a": 1}': ['{"a": 1}'],
  };
  for (const [text, items] of Object.entries(lists)) assertEquals(splitList(text), items, text);
});

Deno.test("readArray() reads an array of plain values, and no other text", () => {
  assertEquals(readArray("\u00a0[1, null]\n"), [1, null]);
  for (const text of ["1", "[1", "1]", "[[1]]", "[{}]", "[1,]", ""]) assertEquals(readArray(text), undefined, text);
});
