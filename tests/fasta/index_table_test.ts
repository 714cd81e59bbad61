import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { IdTable } from "../../src/fasta/_id_table.ts";
import { IndexTable, parseIndex } from "../../src/fasta/_index_table.ts";
import { formatFastaIndex } from "../../src/fasta/mod.ts";
import { bytesOf } from "./_naive.ts";

const decoder = new TextDecoder();

Deno.test("IdTable finds what was added, and nothing else", () => {
  const id = fc.oneof(fc.string({ maxLength: 4 }), fc.string({ unit: "binary", maxLength: 6 })).map((id) =>
    id.toWellFormed()
  );
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
      for (const [row, place] of places.entries()) {
        const id = bytesOf(`a${row}`);
        table.add(id, 0, id.length, place);
      }
      const entries = places.map((place, row) => ({ id: `a${row}`, ...place }));
      assertEquals(table.entries(), entries);
      assertEquals(decoder.decode(table.format()), formatFastaIndex(entries));
      assertEquals(entries.map(({ id }) => table.get(id)), entries);
    }),
  );
  const table = parseIndex(bytesOf("a\t6\t7\t4\t5\na\t3\t19\t2\t4\n"), 100);
  assertEquals(table?.entries(), [{ id: "a", length: 6, offset: 7, lineLetters: 4, lineBytes: 5 }]);
});
