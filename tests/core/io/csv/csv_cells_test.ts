import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ParseError } from "../../../../src/core/errors.ts";
import { readBytes } from "../../../../src/core/io/bytes/byte_source.ts";
import { type CsvCells, readCsvCells } from "../../../../src/core/io/csv/csv_cells.ts";
import { type CsvRow, readCsvRows } from "../../../../src/core/io/csv/csv_rows.ts";

/** Reads everything, or what it failed with. */
async function outcome(rows: AsyncIterable<readonly CsvRow[]>): Promise<unknown> {
  const all: CsvRow[] = [];
  try {
    for await (const batch of rows) all.push(...batch);
    return all;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return [all, error.message, error.line];
  }
}

function textsOf({ bytes, ends, width, count }: CsvCells): string[][] {
  const decoder = new TextDecoder();
  let start = 0;
  return Array.from({ length: count }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const end = ends[row * width + column];
      const text = decoder.decode(bytes.subarray(start, end));
      start = end + 1;
      return text;
    }));
}

Deno.test("readCsvCells() reads what readCsvRows() reads, and fails where it fails", async () => {
  const letter = fc.constantFrom("a", "b", ",", '"', '""', "\n", "\r\n", "\r", '",', ',"', "é", "\x1f", "\x1e", "\x1b");
  const text = fc.string({ unit: letter, maxLength: 5 });
  const cell = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("", "a", "éb", 'c"d', "e f") },
    { weight: 6, arbitrary: text.map((text) => `"${text.replaceAll('"', '""')}"`) },
    { weight: 1, arbitrary: text },
  );
  const row = fc.tuple(cell, cell, fc.constantFrom("\n", "\n", "\r\n", "\n\n")).map(([a, b, end]) => `${a},${b}${end}`);
  const bytes = fc.oneof(
    { weight: 8, arbitrary: fc.array(row, { maxLength: 12 }).map((rows) => new TextEncoder().encode(rows.join(""))) },
    { weight: 3, arbitrary: fc.string({ unit: letter, maxLength: 40 }).map((text) => new TextEncoder().encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  );
  let asCells = 0;
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 12 }), async (bytes, chunkBytes) => {
      const chunks = () => readBytes(bytes, { chunkBytes });
      const rows = async function* () {
        for await (const batch of readCsvCells(chunks())) {
          const texts = batch.rows();
          assertEquals(batch.count, texts.length);
          if (batch.cells !== undefined) {
            asCells++;
            assertEquals(textsOf(batch.cells), texts.map(({ cells }) => [...cells]));
            const letters = texts.flatMap(({ cells }) => cells).join("");
            assertEquals(batch.cells.plain, !["\x1b", "\x1e", "\x1f"].some((letter) => letters.includes(letter)));
          }
          yield texts;
        }
      };
      assertEquals(await outcome(rows()), await outcome(readCsvRows(chunks())));
    }),
    { numRuns: 1500, seed: 11 },
  );
  assert(asCells > 500, `${asCells} batches came as bytes`);
});

Deno.test("readCsvCells() gives lines of errors after batches of bytes", async () => {
  const text = `a,b\n${'1,"x\ny"\n\r\n'.repeat(5)}1,2\n3,"4"5\n`;
  const chunks = () => readBytes(new TextEncoder().encode(text), { chunkBytes: 9 });
  const [, , line] = await outcome(readCsvRows(chunks())) as [unknown, string, number];
  let bytes = 0;
  const error = await (async () => {
    for await (const { cells } of readCsvCells(chunks(), { name: "a table" })) if (cells !== undefined) bytes++;
  })().catch((error) => error);
  assert(error instanceof ParseError && bytes > 2);
  assertEquals([error.line, error.message.includes("a table: text follows a closing quote")], [line, true]);
});

Deno.test("readCsvCells() gives rows of another width as texts, and the next ones as bytes", async () => {
  const text = "a,b\n1,2\n3,4,5\n6,7\n";
  const seen: [boolean, number][] = [];
  for await (const { cells, count } of readCsvCells(readBytes(new TextEncoder().encode(text), { chunkBytes: 4 }))) {
    seen.push([cells !== undefined, count]);
  }
  assertEquals(seen, [[false, 1], [true, 1], [false, 1], [true, 1]]);
});
