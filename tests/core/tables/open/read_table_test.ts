import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { readTable } from "../../../../src/core/tables/open/read_table.ts";
import { readLines } from "../../../../src/core/io/bytes/text_lines.ts";
import { ParseError } from "../../../../src/core/errors.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("readTable() tells commas from tabs, plain from gzip", async (t) => {
  const expected = { columns: ["strain", "note"], rows: [["A", "x, y"], ["B", ""]] };
  const tables: Record<string, Uint8Array> = {
    "CSV": encode('strain,note\nA,"x, y"\nB,\n'),
    "CSV with CRLF": encode('strain,note\r\nA,"x, y"\r\nB,\r\n'),
    "CSV with a byte order mark": encode('\uFEFFstrain,note\nA,"x, y"\nB,\n'),
    "TSV": encode("strain\tnote\nA\tx, y\nB\t\n"),
    "gzip": new Uint8Array(gzipSync("strain\tnote\nA\tx, y\nB\t\n")),
  };
  for (const [name, bytes] of Object.entries(tables)) {
    await t.step(name, async () => {
      const { columns, rows } = await readTable(bytes);
      assertEquals({ columns, rows }, expected);
    });
  }
});

Deno.test("a name may hold the separator of the other kind of table", async () => {
  const csv = await readTable(encode("strain,host\tname,date\nA,bat,2013\n"));
  const tsv = await readTable(encode("strain\tcity, country\tdate\nA\tLima, Peru\t2013\n"));

  assertEquals([csv.columns, csv.rows], [["strain", "host\tname", "date"], [["A", "bat", "2013"]]]);
  assertEquals([tsv.columns, tsv.rows], [["strain", "city, country", "date"], [["A", "Lima, Peru", "2013"]]]);
});

Deno.test("a quote is a character like any other in a table with tabs", async () => {
  const { rows } = await readTable(encode('strain\tnote\nA\t5" disk\n'));

  assertEquals(rows, [["A", '5" disk']]);
});

Deno.test("readTable() reads tables of many chunks, and ends their source", async (t) => {
  for (const separator of [",", "\t"]) {
    await t.step(separator === "," ? "CSV" : "TSV", async () => {
      let ended = false;
      const chunks = async function* () {
        try {
          yield encode("strain");
          yield encode(`${separator}note\n`);
          for (let chunk = 0; chunk < 100; chunk++) yield encode(`A${chunk}${separator}${"x".repeat(10_000)}\n`);
        } finally {
          ended = true;
        }
      };
      const { columns, rows } = await readTable(chunks());

      assertEquals(columns, ["strain", "note"]);
      assertEquals([rows.length, rows[99][0], ended], [100, "A99", true]);
    });
  }
});

Deno.test("readTable() counts rows of another width, and reads the others", async (t) => {
  const faults: Record<string, [text: string, rows: string[][], says: string]> = {
    "a narrow row": ["a,b\n1\n1,2\n", [["1", "2"]], "1 of 2 rows"],
    "a wide row of tabs": ["a\tb\n1\t2\t3\n4\t5\n", [["4", "5"]], "line 2 (the row has 3 cells, the header has 2)"],
    "a narrow row of a table without a column": [",a,b\n0,1,2\n1,3,4\n2,5\n", [["1", "2"], ["3", "4"]], "line 4"],
  };
  for (const [fault, [text, rows, says]] of Object.entries(faults)) {
    await t.step(fault, async () => {
      const read = await readTable(encode(text));
      const unread = read.entries.find(({ code }) => code === "unreadable");
      assertEquals([read.rows, unread?.level], [rows, "reason"]);
      assertEquals(unread?.text.includes(says), true, unread?.text);
    });
  }
});

Deno.test("readTable() refuses what would be read wrongly", async (t) => {
  const faults: Record<string, [bytes: Uint8Array, says: string]> = {
    "nothing": [encode(""), "it is empty"],
    "one name twice": [
      encode("a\tb\ta\n1\t2\t3\n"),
      'two columns are called "a", column 1 and column 3; rename one',
    ],
    "an open quote": [encode('a,b\n"1,2\n'), "Cannot read the table"],
    "bytes that are no UTF-8": [new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]), "UTF-8"],
  };
  for (const [fault, [bytes, says]] of Object.entries(faults)) {
    await t.step(fault, async () => void await assertRejects(() => readTable(bytes), ParseError, says));
  }
});

Deno.test("readLines() takes LF and CRLF, and a last line without either", async () => {
  assertEquals(await Array.fromAsync(readLines(encode("a\r\n\nb"))), ["a", "", "b"]);
});

Deno.test("readTable() refuses a row with a lone carriage return among line feeds, which may be one of a cell", async () => {
  const { rows, entries } = await readTable(encode("strain,length\nA,10\rB,20\nC,30\n"), { name: "m.csv" });
  assertEquals(rows, [["C", "30"]]);
  assertEquals(entries.map(({ code, text }) => [code, text]), [
    ["unreadable", "1 of 2 rows of m.csv could not be read: line 2 (the row has 3 cells, the header has 2)"],
  ]);
  // Where no cell is too many, it is a character, as in the registry's archives.
  assertEquals((await readTable(encode("strain,note\nA,one\rtwo\n"))).rows, [["A", "one\rtwo"]]);
});
