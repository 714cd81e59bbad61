/** Rows on their way to the encoder, and the module that looks at them. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { csvRow } from "../../../../../src/core/io/csv/csv_text.ts";
import { CANONICAL, KINDS } from "../../../../../src/core/tables/lake/build/_normalize_cells.ts";
import { CELL_NUMBERS, type CheckedRows, readCell } from "../../../../../src/core/tables/lake/rows/checked_rows.ts";
import { RowChecker } from "../../../../../src/core/tables/lake/rows/row_checker.ts";
import { MISSING_WORDS } from "../../../../../src/core/contract/mod.ts";
import { bytesOf } from "../../_frames.ts";
import { VALUES } from "../../_lake_files.ts";

interface Cell {
  readonly column: number;
  readonly row: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The cells that are listed in a batch. */
function cellsOf({ bytes, firstRow, cells }: CheckedRows): Cell[] {
  return Array.from({ length: cells.length / CELL_NUMBERS }, (_, index) => {
    const [column, row, start, end] = cells.subarray(index * CELL_NUMBERS);
    return { column, row: firstRow + row, text: readCell(bytes, start, end), start, end };
  });
}

/** Checks a CSV that comes in chunks, whose columns are of these kinds; batches are looked at as they come. */
function checkChunks(
  chunks: readonly Uint8Array[],
  kinds: readonly number[],
  look: (batch: CheckedRows) => void,
): RowChecker {
  const checker = new RowChecker("test");
  let isRead = false;
  const take = () => {
    if (!isRead && checker.readHeader() === undefined) return;
    if (!isRead) checker.setKinds(kinds);
    isRead = true;
    for (const batch of checker.take()) look(batch);
  };
  for (const chunk of chunks) {
    checker.push(chunk);
    take();
  }
  checker.end();
  take();
  return checker;
}

Deno.test("the cells that the row module lists are those that are not canonical by the rules in TypeScript", () => {
  const letters = fc.constantFrom(..."0000123459.--e+truefalseTZ ".split(""));
  const date = fc.tuple(
    fc.integer({ min: 0, max: 9999 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  )
    .map(([year, ...rest]) =>
      [String(year).padStart(4, "0"), ...rest.map((n) => String(n).padStart(2, "0"))].join("-")
    );
  const value = fc.oneof(
    fc.constantFrom(...VALUES.filter((text) => !/[,"\n\r\0]/.test(text))),
    fc.string({ unit: letters, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(..."?nNaAuM;x é-".split("")), maxLength: 80 }),
    fc.constantFrom(...MISSING_WORDS),
    fc.double({ noNaN: true }).map(String),
    fc.tuple(date, fc.integer({ min: 1, max: 10 })).map(([text, length]) => text.slice(0, length)),
  ).filter((text) => text !== "");
  const check = (value: string, first: string) => {
    for (const type of ["integer", "float", "boolean", "date", "list"] as const) {
      const listed: string[] = [];
      checkChunks([bytesOf(`a,b,c\n${first},${value},z\n`)], [0, KINDS[type], 0], (batch) => {
        listed.push(...cellsOf(batch).map(({ text }) => text));
      });
      assertEquals(listed, CANONICAL[type].test(value) ? [] : [value], `${type} ${value}`);
    }
  };
  fc.assert(fc.property(value, fc.string({ unit: fc.constantFrom("x", "é", '"x,"'), maxLength: 1 }), check), {
    numRuns: 500,
  });
});

Deno.test("the row module lists every cell of a row that is not canonical, however its columns are mixed", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "0", "7", "42", "007", "x", "-3", "+3", "123456789012345678", "1234567890123456789", "text"),
    fc.integer().map(String),
    fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String),
  );
  const column = fc.record({
    kind: fc.constantFrom(0, 0, 1, 1, 1, 1, 2),
    quoted: fc.constantFrom(false, false, false, true),
  });
  const columns = fc.array(column, { minLength: 2, maxLength: 40 });
  const width = (list: readonly unknown[]) => ({ minLength: list.length, maxLength: list.length });
  const table = columns.chain((list) =>
    fc.tuple(fc.constant(list), fc.array(fc.array(cell, width(list)), { minLength: 1, maxLength: 4 }))
  );
  fc.assert(
    fc.property(table, ([list, generated]) => {
      // A row without any value is nothing.
      const rows = generated.filter((row) => row.some((text) => text !== ""));
      const listed: string[] = [];
      const written: string[] = [];
      const look = (batch: CheckedRows) => {
        const text = (from: number, to?: number) => new TextDecoder().decode(batch.bytes.subarray(from, to));
        let from = 0;
        for (const cell of cellsOf(batch)) {
          listed.push(`${cell.row} ${cell.column} ${cell.text}`);
          written.push(text(from, cell.start), `(${cell.text})`);
          from = cell.end;
        }
        written.push(text(from));
      };
      const write = (change: (text: string, column: number) => string) =>
        rows.map((row) => `${row.map(change).join(",")}\n`).join("");
      const isListed = (text: string, column: number) =>
        text !== "" &&
        (list[column].kind === 1 && !CANONICAL.integer.test(text) ||
          list[column].kind === 2 && !CANONICAL.float.test(text));
      // A quoted text in a typed column is listed even if it is canonical within its quotes.
      const isQuoted = (text: string, column: number) => list[column].quoted && text !== "";
      const isTaken = (text: string, column: number) =>
        isListed(text, column) || list[column].kind !== 0 && isQuoted(text, column);
      const header = bytesOf(`${list.map((_, index) => `c${index}`).join(",")}\n`);
      const body = bytesOf(write((text, column) => isQuoted(text, column) ? `"${text}"` : text));
      checkChunks([header, body], list.map(({ kind }) => kind), look);
      const expected = rows.flatMap((row, index) =>
        row.flatMap((text, column) => isTaken(text, column) ? [`${index + 1} ${column} ${text}`] : [])
      );
      assertEquals(listed, expected);
      const kept = (text: string, column: number) => isQuoted(text, column) ? `"${text}"` : text;
      assertEquals(
        written.join(""),
        write((text, column) => isTaken(text, column) ? `(${text})` : kept(text, column)),
      );
    }),
    { numRuns: 300 },
  );
});

Deno.test("rows of any form, cut into chunks anywhere, come through", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", '"', ",", "\n", "\r", "é", " "), maxLength: 6 });
  const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(rows, fc.integer({ min: 1, max: 9 }), fc.boolean(), (cells, step, isQuoted) => {
    const write = (row: readonly string[]) =>
      isQuoted ? row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",") : csvRow(row);
    const csv = bytesOf(["a,b,c", ...cells.map(write)].join("\n"));
    const passed: string[] = [];
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < csv.length; at += step) chunks.push(csv.slice(at, at + step));
    const checker = checkChunks(chunks, [], ({ bytes }) => void passed.push(new TextDecoder().decode(bytes)));
    const kept = cells.filter((row) => row.some((text) => text.trim() !== ""));
    assertEquals(passed.join("").trimEnd().split("\n").length > 0, true);
    assertEquals(checker.rows, kept.length);
    assertEquals(checker.unparsed, 0);
  }));
});

Deno.test("rows without any value are nothing, with any line end and cut into chunks anywhere", () => {
  const csv = bytesOf('a,b,c\n,,\n1,2,3\r\n,,\r\n"",,\n \t\n , ,"\n"\n,,4\n,,\r\n');
  for (let step = 1; step < csv.length; step++) {
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < csv.length; at += step) chunks.push(csv.slice(at, at + step));
    const passed: string[] = [];
    const checker = checkChunks(chunks, [], ({ bytes }) => void passed.push(new TextDecoder().decode(bytes)));
    assertEquals(passed.join("").replaceAll("\r", ""), "1,2,3\n,,4\n");
    assertEquals([checker.rows, checker.unparsed], [2, 0]);
  }
});

Deno.test("more cells than the module lists at once are all listed, in order", () => {
  const rows = 150_000;
  let seen = 0;
  let bytes = 0;
  const checker = checkChunks([bytesOf(`a,b\n${"k,x\n".repeat(rows)}`)], [0, 1], (batch) => {
    bytes += batch.bytes.length;
    for (const { row } of cellsOf(batch)) {
      if (row !== ++seen) throw new RangeError(`row ${row} came as number ${seen}`);
    }
  });
  assertEquals([seen, checker.rows, bytes], [rows, rows, rows * 4]);
});
