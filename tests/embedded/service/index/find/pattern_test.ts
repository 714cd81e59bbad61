import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { patternTest } from "../../../../../src/embedded/service/index/find/_pattern.ts";
import type { PatternPart } from "../../../../../src/core/query/query_ast.ts";
import { matchesPattern } from "../../../../../src/core/query/query_evaluate.ts";

Deno.test("patternTest() finds what matchesPattern() finds", () => {
  const pattern = fc.array(
    fc.oneof(
      fc.constantFrom<PatternPart>({ wildcard: "*" }, { wildcard: "?" }),
      fc.constantFrom<PatternPart>("a", "b", "ab", "😀"),
    ),
    { minLength: 1, maxLength: 6 },
  );
  const short = fc.array(fc.constantFrom("a", "b", "😀"), { maxLength: 7 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(pattern, short, (pattern, text) => {
      assertEquals(patternTest(pattern)(text), matchesPattern(pattern, text));
    }),
    { numRuns: 2000, seed: 1 },
  );
});
