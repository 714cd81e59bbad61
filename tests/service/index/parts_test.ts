/** Parts of the index, each against what it is a faster way of. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ByteDictionary } from "../../../src/service/index/build/_byte_dictionary.ts";
import { CellEncoder } from "../../../src/service/index/format/cells.ts";
import { patternTest } from "../../../src/service/index/find/_pattern.ts";
import { sortLanes } from "../../../src/service/index/build/_radix.ts";
import { sortTexts } from "../../../src/service/index/build/_sort_texts.ts";
import { TextSorter } from "../../../src/service/index/build/_text_sorter.ts";
import { Turns } from "../../../src/service/schedule/turns.ts";
import { compareCodePoints } from "../../../src/service/store/fold.ts";
import type { PatternPart } from "../../../src/service/query/query_ast.ts";
import { matchesPattern } from "../../../src/service/query/query_evaluate.ts";
import { anyText } from "../../_any_text.ts";

/** Texts that share beginnings, end in zeros, and reach beyond U+FFFF. */
const text = fc.oneof(
  fc.array(fc.constantFrom("a", "ab", "\0", "é", "😀", "\uff5e", "abcdefgh"), { maxLength: 8 }).map((parts) =>
    parts.join("")
  ),
  anyText({ maxLength: 6 }).map((text) => text.toWellFormed()),
);

function joined(texts: readonly string[]): { bytes: Uint8Array; starts: Uint32Array } {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const starts = new Uint32Array(texts.length + 1);
  for (const [at, { length }] of encoded.entries()) starts[at + 1] = starts[at] + length;
  return { bytes: Uint8Array.from(encoded.flatMap((bytes) => [...bytes])), starts };
}

function orderOf(texts: readonly string[]): number[] {
  return [...texts.keys()].sort((a, b) => compareCodePoints(texts[a], texts[b]) || a - b);
}

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

Deno.test("sortTexts() orders texts by code point, equal ones by their places", () => {
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

Deno.test("TextSorter merges runs to the same order, and knows when texts came in it", async () => {
  const path = await Deno.makeTempFile();
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), async (texts, bytes) => {
      using sorter = new TextSorter(path, bytes);
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

Deno.test("sortLanes() keeps what belongs together, and equal ones as they stand", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(3), fc.nat(0xffffffff)), { maxLength: 50 }), fc.boolean(), (keys, three) => {
      const lanes = [Uint32Array.from(keys), Uint32Array.from(keys.keys())];
      if (three) lanes.push(Uint32Array.from(keys, (key) => key ^ 0xff));
      const order = [...keys.keys()].sort((a, b) => keys[a] - keys[b] || a - b);
      const sorted = sortLanes(lanes, lanes.map(({ length }) => new Uint32Array(length)), keys.length);
      assertEquals([...sorted[0]], order.map((at) => keys[at]));
      assertEquals([...sorted[1]], order);
      if (three) assertEquals([...sorted[2]], order.map((at) => (keys[at] ^ 0xff) >>> 0));
    }),
    { numRuns: 100, seed: 4 },
  );
});

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

Deno.test("CellEncoder encodes cells whatever letters they have", () => {
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
