import { assertEquals } from "@std/assert";
import { readFacets } from "../../../src/core/contract/facets.ts";

const EXPECTED = [{ field: "Country", values: [{ value: "Kenya", count: 3 }, { value: "Peru", count: 1 }] }];

Deno.test("readFacets() reads the shapes in common use", async (t) => {
  const shapes: Record<string, unknown> = {
    "lists of value and count": { Country: [{ value: "Kenya", count: 3 }, { value: "Peru", count: 1 }] },
    "an object of counts": { Country: { Kenya: 3, Peru: 1 } },
    "buckets": { Country: { buckets: [{ key: "Kenya", doc_count: 3 }, { key: "Peru", doc_count: 1 }] } },
    "a list of fields": [{ field: "Country", values: [{ name: "Kenya", count: 3 }, { name: "Peru", count: 1 }] }],
    "pairs": { Country: [["Kenya", 3], ["Peru", 1]] },
  };
  for (const [shape, raw] of Object.entries(shapes)) await t.step(shape, () => assertEquals(readFacets(raw), EXPECTED));
});

Deno.test("readFacets() leaves out what it cannot read and never throws", () => {
  for (
    const raw of [undefined, null, "x", 7, [], {}, [1], { a: 1 }, { a: [{}] }, { a: { b: "c" } }, [[]], [{ field: 1 }]]
  ) {
    assertEquals(readFacets(raw), []);
  }
  assertEquals(readFacets({ a: "?", Country: { Kenya: 3, Peru: 1 } }), EXPECTED);
});
