import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { TextSorter } from "../../../../../src/embedded/service/index/build/_text_sorter.ts";
import { Turns } from "../../../../../src/embedded/service/schedule/turns.ts";
import { joined, orderOf, text } from "../_texts.ts";

Deno.test("TextSorter merges runs to the same order, and knows when texts came in it", async () => {
  const path = await Deno.makeTempFile();
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), async (texts, bytes) => {
      const sorter = new TextSorter(path, bytes);
      const { bytes: all, starts } = joined(texts);
      for (const row of texts.keys()) sorter.add(all, starts[row], starts[row + 1], row);
      const found: number[] = [];
      const given: string[] = [];
      for await (const part of sorter.inOrder(new Turns(undefined))) {
        found.push(...part.rows);
        for (const at of part.rows.keys()) {
          given.push(new TextDecoder().decode(part.bytes.subarray(part.starts[at], part.starts[at + 1])));
        }
      }
      assertEquals(found, orderOf(texts));
      assertEquals(given, found.map((row) => texts[row].replace(/^\uFEFF/, "")));
      assertEquals(sorter.sorted, found.every((row, at) => row === at));
    }),
    { numRuns: 60, seed: 3 },
  );
  await Deno.remove(path);
});
