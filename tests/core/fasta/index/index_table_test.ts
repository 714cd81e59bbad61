import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { IdTable } from "../../../../src/core/fasta/text/id_table.ts";
import { type IndexContent, readIndexLines } from "../../../../src/core/fasta/index/_index_lines.ts";
import { IndexTable, parseIndex } from "../../../../src/core/fasta/index/_index_table.ts";
import { IndexText } from "../../../../src/core/fasta/index/_index_text.ts";
import { formatFastaIndex } from "../../../../src/core/fasta/mod.ts";
import { anyText } from "../../../_any_text.ts";
import { bytesOf } from "../_naive.ts";

const decoder = new TextDecoder();

function contentOf(bytes: Uint8Array): IndexContent {
  return { length: bytes.length, copyTo: (target) => (target.set(bytes), true) };
}

Deno.test("IdTable finds what was added, and nothing else", () => {
  const id = fc.oneof(fc.string({ maxLength: 4 }), anyText({ maxLength: 6 })).map((id) => id.toWellFormed());
  fc.assert(
    fc.property(fc.array(id, { maxLength: 40 }), fc.array(id, { maxLength: 10 }), (added, others) => {
      const table = new IdTable();
      const unique: string[] = [];
      for (const id of added) {
        const bytes = bytesOf(`>${id}.`);
        assertEquals(table.add(bytes, 1, bytes.length - 1), !unique.includes(id));
        if (!unique.includes(id)) unique.push(id);
      }
      assertEquals([...table.texts()], unique);
      for (const id of [...added, ...others]) assertEquals(table.indexOf(id), unique.indexOf(id));
    }),
  );
});

Deno.test("IdTable grows, and finds bytes that are not UTF-8 by the text that readers make of them", () => {
  const table = new IdTable();
  for (let number = 0; number < 20_000; number++) {
    const bytes = bytesOf(`vj${number}`);
    table.add(bytes, 0, bytes.length);
  }
  table.add(Uint8Array.of(0xff, 0x41), 0, 2);
  assertEquals(["vj0", "vj12345", "vj19999", "vj20000", "\uFFFDA"].map((id) => table.indexOf(id)), [
    0,
    12_345,
    19_999,
    -1,
    20_000,
  ]);
});

Deno.test("an index is written and read as it is", () => {
  const number = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 999_999_999_999_999 }));
  const entry = fc.record({ length: number, offset: number, lineLetters: number, lineBytes: number });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), (places) => {
      const table = new IndexTable();
      const text = new IndexText();
      for (const [row, place] of places.entries()) {
        const id = bytesOf(`a${row}`);
        table.add(id, 0, id.length, place);
        text.add(id, place);
      }
      const entries = places.map((place, row) => ({ id: `a${row}`, ...place }));
      assertEquals(table.entries(), entries);
      assertEquals(text.entries(), entries);
      assertEquals(decoder.decode(text.format()), formatFastaIndex(entries));
      assertEquals(entries.map(({ id }) => table.get(id)), entries);
    }),
  );
  const table = parseIndex(bytesOf("a\t6\t7\t4\t5\na\t3\t19\t2\t4\n"), 100);
  assertEquals(table?.entries(), [{ id: "a", length: 6, offset: 7, lineLetters: 4, lineBytes: 5 }]);
});

Deno.test("of several sequences with one id the first stays, a tab in it or not", () => {
  const text = new IndexText();
  const place = { length: 1, offset: 2, lineLetters: 3, lineBytes: 4 };
  text.append(bytesOf("a\t1\t2\t3\t4\na\tb\t1\t2\t3\t4\n"), Uint32Array.of(1, 3));
  for (const id of ["a\tc", "a\tb", "", "a", "", "b"]) text.add(bytesOf(id), place);
  const repeated: string[] = [];
  for (const id of text.removeRepeated()) repeated.push(decoder.decode(id));

  assertEquals(repeated, ["a\tb", "a", ""]);
  const ids = ["a", "a\tb", "a\tc", "", "b"];
  assertEquals(text.entries(), ids.map((id) => ({ id, ...place })));
  assertEquals([text.size, decoder.decode(text.format())], [5, formatFastaIndex(text.entries())]);
});

Deno.test("the lines of an index are found as the index is read, whatever it holds", () => {
  const number = fc.oneof(fc.nat({ max: 30 }), fc.nat(), fc.integer({ min: 0, max: 999_999_999_999_999 })).map(String);
  const odd = fc.constantFrom("", "x", "-1", "00", "1234567890123456", "\t", "\n", "9".repeat(15), "9".repeat(30));
  const column = fc.oneof({ weight: 40, arbitrary: number }, { weight: 1, arbitrary: odd });
  const id = fc.oneof(
    fc.constantFrom("a", "b", "é", "", "a b", "\uFFFD", "long".repeat(2000)),
    fc.string({ maxLength: 5 }),
    // The module takes eight bytes at a time.
    fc.stringMatching(/^(vj00000){0,3}[01é]{0,3}$/),
  );
  const line = fc.tuple(id, column, column, column, column).map((cells) => cells.join("\t") + "\n");
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "", "", "a\t1\t1\t1\t1"));
  const limit = fc.constantFrom(50, 1e9, Infinity);
  fc.assert(
    fc.property(text, limit, fc.array(id), ([lines, rest], maxBytes, others) => {
      const bytes = bytesOf(lines.join("") + rest);
      const expected = parseIndex(bytes, maxBytes);
      const found = readIndexLines(contentOf(bytes), maxBytes);
      assertEquals(found?.entries(), expected?.entries());
      for (const wanted of [...others, ...expected?.entries().map(({ id }) => id) ?? []]) {
        assertEquals([found?.has(wanted), found?.get(wanted)], [expected?.has(wanted), expected?.get(wanted)]);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("a large index is found line by line, one of bytes that are not UTF-8 too", () => {
  const lines = Array.from({ length: 20_000 }, (_, row) => `vj${row}\t${row + 1}\t${row * 90}\t70\t71\n`);
  const foreign = Uint8Array.of(0xff, 0x41, 9, 0x31, 9, 0x32, 9, 0x33, 9, 0x34, 10);
  const bytes = Uint8Array.from([...bytesOf(lines.join("")), ...foreign]);
  const index = readIndexLines(contentOf(bytes), 1e9)!;
  assertEquals(index.get("vj19999"), {
    id: "vj19999",
    length: 20_000,
    offset: 1_799_910,
    lineLetters: 70,
    lineBytes: 71,
  });
  assertEquals(["vj0", "vj20000", "vj", "\uFFFDA", "\uFFFDB"].map((id) => index.has(id)), [
    true,
    false,
    false,
    true,
    false,
  ]);
  assertEquals(index.get("\uFFFDA"), { id: "\uFFFDA", length: 1, offset: 2, lineLetters: 3, lineBytes: 4 });
  assertEquals(index.entries().length, 20_001);
  const last = { length: 1, offset: 2, lineLetters: 3, lineBytes: 4 };
  assertEquals([index.last(), parseIndex(bytes, 1e9)?.last()], [last, last]);
  assertEquals([readIndexLines(contentOf(bytesOf("")), 1)?.last(), new IndexTable().last()], [undefined, undefined]);
  assertEquals(readIndexLines({ length: 4, copyTo: () => false }, 1e9), undefined);
});
