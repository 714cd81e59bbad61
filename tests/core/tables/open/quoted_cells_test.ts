import { assertEquals } from "@std/assert";
import { hasClosedQuotes } from "../../../../src/core/tables/open/_quoted_cells.ts";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Cuts bytes into chunks of a size, each in the same memory. */
async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.subarray(at, at + size);
    memory.set(chunk);
    yield await Promise.resolve(memory.subarray(0, chunk.length));
  }
}

Deno.test("hasClosedQuotes() is true where a quote cannot mean anything else, however the text is cut", async () => {
  const cases: Readonly<Record<string, boolean>> = {
    "a\tb\n1\t2\n": true,
    'a\t"b"\n"1"\t""\n': true,
    'a\tb\r\n1\t"x, y"\r\n2\t"z"': true,
    'a\tb\n5" disk\tx"y\n': true,
    'a\tb\né"x\t1\n': true,
    '\uFEFF"a"\tb\n1\t2\n': false,
    'a\tb\n"a ""K"""\t1\n': true,
    'a\tb\n"""K"" a"\t1\n': false,
    'a\tb\n"open\t1\n': false,
    'a\tb\n"two\nlines"\t1\n': false,
    'a\tb\n"with\ttab"\t1\n': false,
    'a\tb\n"one " more"\t1\n': false,
    'a\tb\n1\t"': false,
  };
  for (const [text, isClosed] of Object.entries(cases)) {
    const bytes = encode(text);
    for (let size = 1; size <= bytes.length; size++) {
      assertEquals(await hasClosedQuotes(cut(bytes, size), "\t"), isClosed, `${JSON.stringify(text)} by ${size}`);
    }
  }
});

Deno.test("a long TSV is read alike whether its quotes are closed or not", async () => {
  const rows = Array.from({ length: 300 }, (_, row) => `${row}\t"Smith, ${row}"\n`).join("");
  const closed = await readTable(encode(`number\tname\n${rows}`));
  const open = await readTable(encode(`number\tname\n${rows}300\t"open\n`));
  assertEquals([closed.rows.length, closed.rows[7], closed.types[0].type], [300, ["7", "Smith, 7"], "integer"]);
  assertEquals([open.rows.slice(0, 300), open.rows[300]], [[...closed.rows], ["300", '"open']]);
});
