import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { findJsonFault } from "../../../../src/embedded/service/http/_json_fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("findJsonFault() finds a fault exactly where JSON.parse() does not agree", () => {
  const mangled = fc.tuple(
    fc.json(),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom(...'{}[]",:\\ \n\t0-1.eE+ntfu\u0001x'),
  )
    .map(([json, at, removed, letter]) => {
      const start = at % (json.length + 1);
      return json.slice(0, start) + letter + json.slice(start + removed);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), mangled, fc.string()), (text) => {
      const fault = findJsonFault(text);
      assertEquals(fault === undefined, isJson(text), JSON.stringify(text));
      if (fault === undefined) return;
      assert(fault.offset <= text.length && fault.expected !== "");
      assertEquals(text.split("\n")[fault.line - 1].length + 1 >= fault.column, true);
    }),
    { numRuns: 5000, seed: 1 },
  );
});

Deno.test("findJsonFault() reads long texts without a deep stack", () => {
  assertEquals(findJsonFault(JSON.stringify("a\\\n".repeat(2_000_000))), undefined);
  assertEquals(findJsonFault(`[${"1,".repeat(1_000_000)}1]`), undefined);
});
