import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ByteDictionary } from "../../../../../src/embedded/service/index/build/_byte_dictionary.ts";
import { text } from "../_texts.ts";

Deno.test("ByteDictionary numbers texts in the order in which they come", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
      const dictionary = new ByteDictionary();
      const distinct = [...new Set(texts)];
      for (const text of texts) {
        const bytes = new TextEncoder().encode(`<${text}>`);
        assertEquals(dictionary.codeOf(bytes, 1, bytes.length - 1) < dictionary.size, true);
      }
      assertEquals(dictionary.values(), distinct);
      for (const [code, text] of distinct.entries()) {
        const bytes = new TextEncoder().encode(text);
        assertEquals(dictionary.codeOf(bytes, 0, bytes.length), code);
        assertEquals(dictionary.bytesOf(code), bytes);
      }
    }),
    { numRuns: 60, seed: 5 },
  );
});
