import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { AccessionSet } from "../../../../src/core/registry/plan/accession_set.ts";
import { formatAccession, MAX_ACCESSION_NUMBER } from "../../../../src/core/contract/accession.ts";

Deno.test("AccessionSet counts as a Set does", () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: MAX_ACCESSION_NUMBER }));
  const text = fc.oneof(number.map(formatAccession), fc.constantFrom("", "x", "vj1", "vj00000000000\u0661"));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
      const seen = new AccessionSet();
      const expected = new Set<string>();
      for (const text of texts) {
        assertEquals(seen.has(text), expected.has(text));
        assertEquals(seen.add(text), !expected.has(text));
        expected.add(text);
      }
      assertEquals(seen.size, expected.size);
      assertEquals(seen.full, false);
    }),
    { numRuns: 200, seed: 1 },
  );
});

Deno.test("AccessionSet says when it has no room, and keeps what it has", () => {
  const seen = new AccessionSet({ mostPages: 1 });
  assertEquals([seen.add("vj000000000001"), seen.full], [true, false]);
  assertEquals([seen.add("vj000000900000"), seen.add("vj000000900000"), seen.full], [true, true, true]);
  assertEquals([seen.add("vj000000000001"), seen.size], [false, 3]);
  assertEquals([seen.add("x"), seen.add("x"), seen.has("x"), seen.size], [true, true, false, 5]);
});
