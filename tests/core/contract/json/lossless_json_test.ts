import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ParseError } from "../../../../src/core/errors.ts";
import { MAX_JSON_DEPTH, parseJson, writeJson } from "../../../../src/core/contract/json/lossless_json.ts";

const nested = (depth: number, inner = "1") => `${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`;

Deno.test("parseJson() refuses JSON that is nested too deep, and nothing else", () => {
  parseJson(nested(MAX_JSON_DEPTH));
  parseJson(nested(MAX_JSON_DEPTH, JSON.stringify('"[[[[\\"{{{{\\\\')));
  parseJson(JSON.stringify(`${"[".repeat(10_000)}\\"${"{".repeat(10_000)}`));
  for (const depth of [MAX_JSON_DEPTH + 2, 100_000]) {
    assertThrows(() => parseJson(nested(depth)), ParseError, "within each other more than 500 times");
  }
  assertThrows(() => parseJson(`${"[".repeat(100)}"never ends`), SyntaxError);
});

Deno.test("writeJson() writes what parseJson() reads, and refuses what it would not", () => {
  const deepest = nested(MAX_JSON_DEPTH);
  assertEquals(writeJson(parseJson(deepest)), deepest);
  for (const depth of [MAX_JSON_DEPTH + 2, 100_000]) {
    assertThrows(() => writeJson(JSON.parse(nested(depth))), RangeError, "within each other more than 500 times");
  }
});

Deno.test("parseJson() reads what JSON.stringify() writes", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    fc.pre(!/[0-9]{16}/.test(text));
    assertEquals(parseJson(text), JSON.parse(text));
  }));
});

Deno.test("parseJson() keeps all digits of integers beyond 2^53, wherever they stand", () => {
  for (let before = 0; before < 40; before++) {
    for (const digits of ["9007199254740993", "123456789012345678901"]) {
      const text = `["${"x".repeat(before)}",${digits},12]`;
      assertEquals(parseJson(text), ["x".repeat(before), BigInt(digits), 12], text);
    }
    assertEquals(parseJson(`["${"x".repeat(before)}",900719925474099]`), ["x".repeat(before), 900719925474099]);
  }
});
