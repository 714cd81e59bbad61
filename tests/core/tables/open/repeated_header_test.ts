import { assertEquals } from "@std/assert";
import { linesAt, withoutHeaders } from "../../../../src/core/tables/open/_repeated_header.ts";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.slice(at, at + size));
}

Deno.test("withoutHeaders() empties the lines that repeat the first, however the text is cut", async (t) => {
  const rows: Record<string, readonly [text: string, left: string, lines: readonly number[]]> = {
    "none": ["a,b\n1,2\n", "a,b\n1,2\n", []],
    "one": ["a,b\n1,2\na,b\n3,4\n", "a,b\n1,2\n\n3,4\n", [3]],
    "below a mark, with CRLF": ["\uFEFFa,b\r\n1,2\r\n\uFEFFa,b\r\n3,4", "\uFEFFa,b\r\n1,2\r\n\r\n3,4", [3]],
    "quoted otherwise": ['a,b\n"a","b"\n1,2\n"a",b\na,b', 'a,b\n\n1,2\n"a",b\n', [2, 5]],
    "quoted, then not": ['"a","b"\n1,2\na,b\r\n"a","b"\n3,4', '"a","b"\n1,2\n\r\n\n3,4', [3, 4]],
    "several, one at the end": ["a,b\na,b\n1,2\na,b", "a,b\n\n1,2\n", [2, 4]],
    "below empty lines": ["\n\r\na,b\n1,2\n\na,b\n", "\n\r\na,b\n1,2\n\n\n", [6]],
    "within a quoted cell": [
      'a,b\n"x""\na,b\n",1\na,b\n2,"\n""\na,b\ny"\na,b\n',
      'a,b\n"x""\na,b\n",1\n\n2,"\n""\na,b\ny"\n\n',
      [5, 10],
    ],
    "below quotes that are characters": ['a,b\n5" x,"a"\na,b\n"",2\na,b', 'a,b\n5" x,"a"\n\n"",2\n', [3, 5]],
    "below a mark and a quote": ['\uFEFF"a","b"\n1,2\na,b\n3,4', '\uFEFF"a","b"\n1,2\n\n3,4', [3]],
    "within other lines": ["a,b\nxa,b\na,bc\na,b,\n\uFEFFxa,b", "a,b\nxa,b\na,bc\na,b,\n\uFEFFxa,b", []],
  };
  for (const [name, [text, left, lines]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const bytes = encode(text);
      for (let size = 1; size <= bytes.length; size++) {
        const { chunks, offsets } = withoutHeaders(cut(bytes, size), bytes, ["a", "b"], () => cut(bytes, size));
        const parts: number[] = [];
        for await (const chunk of chunks) parts.push(...chunk);
        assertEquals(new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(parts)), left, `by ${size}`);
        assertEquals(await linesAt(cut(bytes, size), offsets), lines);
      }
    });
  }
});

Deno.test("headers amid the rows are counted, with their lines", async () => {
  const joined = "strain;length\nA;10\nstrain;length\nB;20\nstrain;length\n";
  const plain = joined.replaceAll(";", ",");
  for (const text of [joined, plain, plain.replace("10\nstrain,length", '10\n"strain","length"')]) {
    const { rows, types, entries } = await readTable(encode(text), { name: "m.csv" });
    assertEquals([rows, types[1].type], [[["A", "10"], ["B", "20"]], "integer"]);
    const { code, count, text: says } = entries[entries.length - 1];
    assertEquals([code, count], ["header-repeated", 2]);
    assertEquals(says, "2 rows of m.csv repeat the header: left out, lines 3, 5");
  }
});

Deno.test("the name of a single column may be one of its values", async () => {
  assertEquals((await readTable(encode("name\nx\nname\n"))).rows, [["x"], ["name"]]);
  const joined = '"a\nb",c\n"a\nx",2\n';
  assertEquals((await readTable(encode(joined))).rows, [["a\nx", "2"]]);
});
