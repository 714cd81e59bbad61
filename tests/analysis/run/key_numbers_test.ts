import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { KeyNumbers } from "../../../src/analysis/run/_key_numbers.ts";

Deno.test("KeyNumbers numbers keys as they first come, however they fall together", () => {
  const half = fc.oneof(fc.constantFrom(0, 1, 1024, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
  const table = new KeyNumbers();
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 3000, size: "max" }), (keys) => {
      table.clear();
      const known = new Map<string, number>();
      for (const [low, high] of keys) {
        const key = `${low} ${high}`;
        if (!known.has(key)) known.set(key, known.size);
        assertEquals(table.number(low, high), known.get(key));
      }
      assertEquals(table.size, known.size);
    }),
    { numRuns: 20 },
  );
});
