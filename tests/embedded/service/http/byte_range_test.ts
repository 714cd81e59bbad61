import { assert } from "@std/assert";
import fc from "fast-check";
import { readRange } from "../../../../src/embedded/service/http/byte_range.ts";

Deno.test("readRange() never gives a part outside the file", () => {
  const range = fc.oneof(
    fc.tuple(fc.option(fc.nat(30)), fc.option(fc.nat(30))).map(([a, b]) => `bytes=${a ?? ""}-${b ?? ""}`),
    fc.string(),
  );
  fc.assert(
    fc.property(range, fc.nat(20), (header, size) => {
      const part = readRange(header, size);
      if (typeof part !== "object") return;
      assert(part.start >= 0 && part.start < part.end && part.end <= size);
    }),
    { numRuns: 2000, seed: 1 },
  );
});
