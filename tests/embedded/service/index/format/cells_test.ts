import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { CellEncoder } from "../../../../../src/embedded/service/index/format/cells.ts";
import { text } from "../_texts.ts";

Deno.test("CellEncoder encodes cells whatever characters they have", () => {
  const cell = fc.oneof(text, fc.constantFrom("\x1f", "a\x1fb", ""));
  const encoder = new CellEncoder();
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 }), (rows) => {
      const { bytes, ends, count, width } = encoder.encode(rows, 3);
      assertEquals(count, rows.length);
      const cells = Array.from(
        { length: count * width },
        (_, at) =>
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(
            bytes.subarray(at === 0 ? 0 : ends[at - 1] + 1, ends[at]),
          ),
      );
      assertEquals(cells, rows.flat());
    }),
    { numRuns: 100, seed: 6 },
  );
});
