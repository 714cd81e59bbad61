import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { readCsvRows } from "../../../../src/core/io/csv/csv_rows.ts";
import type { CsvSplitterOptions } from "../../../../src/core/io/csv/csv_splitter.ts";
import { csvRow, tsvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { ParseError } from "../../../../src/core/errors.ts";

async function read(text: string, chunkBytes: number): Promise<[line: number, ...cells: string[]][]> {
  const rows: [number, ...string[]][] = [];
  for await (const batch of readCsvRows(readBytes(new TextEncoder().encode(text), { chunkBytes }))) {
    for (const { line, cells } of batch) rows.push([line, ...cells]);
  }
  return rows;
}

Deno.test("readCsvRows() reads RFC 4180 whatever the chunks", async (t) => {
  const cases: Record<string, [text: string, rows: [number, ...string[]][]]> = {
    "nothing": ["", []],
    "one row": ["a,b\n", [[1, "a", "b"]]],
    "no final line feed": ["a,b\nc,d", [[1, "a", "b"], [2, "c", "d"]]],
    "CRLF": ["a,b\r\nc,d\r\n", [[1, "a", "b"], [2, "c", "d"]]],
    "a byte order mark": ["\uFEFFa,b\n", [[1, "a", "b"]]],
    "empty cells": [",\n,,\n", [[1, "", ""], [2, "", "", ""]]],
    "empty lines are no rows": ["a\n\n\nb\n", [[1, "a"], [4, "b"]]],
    "quotes": ['"a, b","c ""d"""\n', [[1, "a, b", 'c "d"']]],
    "a quoted line feed": ['"a\nb",c\nd,e\n', [[1, "a\nb", "c"], [3, "d", "e"]]],
    "a quoted cell at the end": ['a,"b"', [[1, "a", "b"]]],
    "a quote inside an unquoted cell": ['5" disk,a\nb,c\n5" disk,d\n', [[1, '5" disk', "a"], [2, "b", "c"], [
      3,
      '5" disk',
      "d",
    ]]],
    "letters of several bytes": ["Réunion,日本\n", [[1, "Réunion", "日本"]]],
    "an empty quoted cell": ['"",a\n', [[1, "", "a"]]],
  };
  for (const [name, [text, rows]] of Object.entries(cases)) {
    for (const chunkBytes of [1, 2, 3, 5, 1 << 20]) {
      await t.step(
        `${name}, ${chunkBytes} bytes at a time`,
        async () => assertEquals(await read(text, chunkBytes), rows),
      );
    }
  }
});

Deno.test("readCsvRows() says on which line a row breaks the format", async (t) => {
  const faults: Record<string, [text: string, line: number, says: string]> = {
    "an open quote": ['a,b\n"c,d\n', 2, "never ends"],
    "text behind a quote": ['a,b\n\n"c"d,e\n', 3, "follows a closing quote"],
  };
  for (const [fault, [text, line, says]] of Object.entries(faults)) {
    for (const chunkBytes of [1, 1 << 20]) {
      await t.step(`${fault}, ${chunkBytes} bytes at a time`, async () => {
        const error = await assertRejects(() => read(text, chunkBytes), ParseError, says);
        assertEquals(error.line, line);
      });
    }
  }
  await t.step("bytes that are no UTF-8", async () => {
    const bytes = new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]);
    await assertRejects(() => Array.fromAsync(readCsvRows(readBytes(bytes))), ParseError, "UTF-8");
  });
});

Deno.test("readCsvRows() reads back what csvRow() wrote, at any chunk size", async () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", ",", '"', "\n", "\r", "|", " "), maxLength: 6 });
  // A lone empty row is written as "" and read as one empty cell; other rows are kept as they are.
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (rows, chunkBytes) => {
      const text = rows.map((row) => `${csvRow(row)}\n`).join("");
      assertEquals((await read(text, chunkBytes)).map(([, ...cells]) => cells), rows);
    }),
    { seed: 1, numRuns: 500 },
  );
});

Deno.test("readCsvRows() reads a cell of 20 MB in time that grows with its length", async () => {
  const cell = "acgt".repeat(5 << 20);
  let length = 0;
  for await (const batch of readCsvRows(readBytes(new TextEncoder().encode(`id,${cell}\n`)))) {
    length += batch[0].cells[1].length;
  }
  assertEquals(length, cell.length);
});

Deno.test("tsvRow() leaves no tab or line end inside a cell", () => {
  assertEquals(tsvRow(["a\tb\nc\rd\\e", "f"]), "a\\tb\\nc\\rd\\\\e\tf");
});

Deno.test("readCsvRows() refuses a cell of a table with tabs that would hold whole rows, and no other with line ends", async () => {
  const rowsOf = async (text: string, options: CsvSplitterOptions) => {
    const rows = await Array.fromAsync(readCsvRows(readBytes(new TextEncoder().encode(text)), options));
    return rows.flat().map(({ cells }) => cells);
  };
  const characters = 'id\tnote\na\t"x\nb\ty"\nc\tz\n';
  const error = await assertRejects(() => rowsOf(characters, { separator: "\t" }), ParseError, "holds whole rows");
  assertEquals(error.line, 2);
  assertEquals(await rowsOf(characters, { separator: "\t", quotes: false }), [
    ["id", "note"],
    ["a", '"x'],
    ["b", 'y"'],
    [
      "c",
      "z",
    ],
  ]);
  assertEquals(await rowsOf('id\tnote\na\t"x\ny"\n', { separator: "\t" }), [["id", "note"], ["a", "x\ny"]]);
  assertEquals(await rowsOf('id;note\na;"x\nb;y"\n', { separator: ";" }), [["id", "note"], ["a", "x\nb;y"]]);
});
