import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sortTexts } from "../../../../../src/embedded/service/index/build/_sort_texts.ts";
import { joined, orderOf, text } from "../_texts.ts";

Deno.test("sortTexts() orders texts by code point, equal ones by their order", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      assertEquals([...sortTexts({ ...joined(texts), count: texts.length })], orderOf(texts));
    }),
    { numRuns: 200, seed: 2 },
  );
});

Deno.test("sortTexts() takes texts in whatever order they come", () => {
  const count = 40_000;
  const orders: Record<string, (at: number) => number> = {
    "down, then up": (at) => at < count / 2 ? count - at : at,
    "up, then down": (at) => at < count / 2 ? at : count - at,
    "in steps": (at) => at % 100,
  };
  for (const [name, order] of Object.entries(orders)) {
    const keys = Uint32Array.from({ length: count }, (_, at) => order(at));
    const bytes = new Uint8Array(count * 4);
    for (const [at, key] of keys.entries()) new DataView(bytes.buffer).setUint32(at * 4, key);
    const starts = Uint32Array.from({ length: count + 1 }, (_, at) => at * 4);
    const expected = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
    assertEquals(sortTexts({ bytes, starts, count }).every((text, at) => text === expected[at]), true, name);
  }
});
