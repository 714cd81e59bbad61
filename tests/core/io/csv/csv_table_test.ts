import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { readCsvTable } from "../../../../src/core/io/csv/csv_table.ts";
import { readLines } from "../../../../src/core/io/bytes/text_lines.ts";
import { ParseError } from "../../../../src/core/errors.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("readCsvTable() tells commas from tabs, plain from gzip", async (t) => {
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
      const { columns, rows } = await readCsvTable(bytes);
      assertEquals({ columns, rows }, expected);
    });
  }
});

Deno.test("a name may hold the separator of the other kind of table", async () => {
  const csv = await readCsvTable(encode("strain,host\tname,date\nA,bat,2013\n"));
  const tsv = await readCsvTable(encode("strain\tcity, country\tdate\nA\tLima, Peru\t2013\n"));

  assertEquals([csv.columns, csv.rows], [["strain", "host\tname", "date"], [["A", "bat", "2013"]]]);
  assertEquals([tsv.columns, tsv.rows], [["strain", "city, country", "date"], [["A", "Lima, Peru", "2013"]]]);
});

Deno.test("a quote is a character like any other in a table with tabs", async () => {
  const { rows } = await readCsvTable(encode('strain\tnote\nA\t5" disk\n'));

  assertEquals(rows, [["A", '5" disk']]);
});

Deno.test("readCsvTable() reads tables of many chunks, and ends their source", async (t) => {
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
      const { columns, rows } = await readCsvTable(chunks());

      assertEquals(columns, ["strain", "note"]);
      assertEquals([rows.length, rows[99][0], ended], [100, "A99", true]);
    });
  }
});

Deno.test("readCsvTable() refuses what would be read wrongly", async (t) => {
  const faults: Record<string, [bytes: Uint8Array, says: string]> = {
    "nothing": [encode(""), "it is empty"],
    "a narrow row": [encode("a,b\n1\n"), "cells"],
    "a wide row of tabs": [encode("a\tb\n1\t2\t3\n"), "row 1 has 3 cells, the header has 2"],
    "one name twice": [encode("a,a\n1,2\n"), "two columns"],
    "a column without a name": [encode("a,\n1,2\n"), "column 2 has no name"],
    "an open quote": [encode('a,b\n"1,2\n'), "Cannot read the table"],
    "bytes that are no UTF-8": [new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]), "UTF-8"],
  };
  for (const [fault, [bytes, says]] of Object.entries(faults)) {
    await t.step(fault, async () => void await assertRejects(() => readCsvTable(bytes), ParseError, says));
  }
});

Deno.test("readLines() takes LF and CRLF, and a last line without either", async () => {
  assertEquals(await Array.fromAsync(readLines(encode("a\r\n\nb"))), ["a", "", "b"]);
});
