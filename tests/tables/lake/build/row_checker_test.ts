/** Rows on their way to polars, and the kernel that looks at them. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { csvRow } from "../../../../src/io/csv/csv_text.ts";
import { isPlain, KINDS } from "../../../../src/tables/lake/build/_odd_cells.ts";
import { RowChecker } from "../../../../src/tables/lake/build/_row_checker.ts";
import { MISSING_WORDS } from "../../../../src/contract/mod.ts";
import { bytesOf } from "../../_frames.ts";
import { VALUES } from "../../_lake_files.ts";

Deno.test("what the row kernel takes for plain is what the rules in TypeScript take for plain", () => {
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
      const odd: string[] = [];
      const checker = new RowChecker({
        onHeader: () => [0, KINDS[type], 0],
        onRows: () => {},
        onOddCell: (_column, _row, text) => (odd.push(text), text),
        onProblem: () => {},
      }, "test");
      checker.push(bytesOf(`a,b,c\n${first},${value},z\n`));
      checker.finish();
      assertEquals(odd, isPlain(value, type) ? [] : [value], `${type} ${value}`);
    }
  };
  fc.assert(fc.property(value, fc.string({ unit: fc.constantFrom("x", "é", '"x,"'), maxLength: 1 }), check), {
    numRuns: 500,
  });
});

Deno.test("the row kernel sees every odd cell of a row, however its columns are mixed", () => {
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
    fc.property(table, ([list, rows]) => {
      const odd: string[] = [];
      const written: string[] = [];
      const checker = new RowChecker({
        onHeader: () => list.map(({ kind }) => kind),
        onRows: (bytes) => void written.push(new TextDecoder().decode(bytes)),
        onOddCell: (column, row, text) => (odd.push(`${row} ${column} ${text}`), `(${text})`),
        onProblem: () => {},
      }, "test");
      const write = (change: (text: string, column: number) => string) =>
        rows.map((row) => `${row.map(change).join(",")}\n`).join("");
      const isOdd = (text: string, column: number) =>
        text !== "" &&
        (list[column].kind === 1 && !isPlain(text, "integer") || list[column].kind === 2 && !isPlain(text, "float"));
      // A quoted text in a typed column is odd even if it is plain within its quotes.
      const isQuoted = (text: string, column: number) => list[column].quoted && text !== "";
      const isTaken = (text: string, column: number) =>
        isOdd(text, column) || list[column].kind !== 0 && isQuoted(text, column);
      checker.push(bytesOf(`${list.map((_, index) => `c${index}`).join(",")}\n`));
      checker.push(bytesOf(write((text, column) => isQuoted(text, column) ? `"${text}"` : text)));
      checker.finish();
      const expected = rows.flatMap((row, index) =>
        row.flatMap((text, column) => isTaken(text, column) ? [`${index + 1} ${column} ${text}`] : [])
      );
      assertEquals(odd, expected);
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
    const checker = new RowChecker({
      onHeader: () => {},
      onRows: (bytes) => void passed.push(new TextDecoder().decode(bytes)),
      onProblem: () => {},
    }, "test");
    for (let at = 0; at < csv.length; at += step) checker.push(csv.slice(at, at + step));
    checker.finish();
    const kept = isQuoted ? cells : cells.filter((row) => csvRow(row) !== "");
    assertEquals(passed.join("").trimEnd().split("\n").length > 0, true);
    assertEquals(checker.rows, kept.length);
    assertEquals(checker.unparsed, 0);
  }));
});

Deno.test("more odd cells than the kernel lists at once are all seen, in order", () => {
  const rows = 150_000;
  let seen = 0;
  let written = 0;
  const checker = new RowChecker({
    onHeader: () => [0, 1],
    onRows: (bytes) => void (written += bytes.length),
    onOddCell: (_column, row) => {
      if (row !== ++seen) throw new RangeError(`row ${row} came as number ${seen}`);
      return "";
    },
    onProblem: () => {},
  }, "test");
  checker.push(bytesOf(`a,b\n${"k,x\n".repeat(rows)}`));
  checker.finish();
  assertEquals([seen, checker.rows, written], [rows, rows, rows * 3]);
});
