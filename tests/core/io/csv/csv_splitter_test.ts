/**
 * The rule by which text becomes rows and cells: one reading in TypeScript, one in the module of lakes, and a plain
 * one.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ParseError } from "../../../../src/core/errors.ts";
import { MAX_QUOTED_LINES_BYTES } from "../../../../src/core/io/csv/csv_faults.ts";
import { cellsOfWidth, hasNoValue } from "../../../../src/core/io/csv/row_values.ts";
import { CsvSplitter, type CsvSplitterOptions } from "../../../../src/core/io/csv/csv_splitter.ts";
import { RowChecker } from "../../../../src/core/tables/lake/rows/row_checker.ts";

type Row = readonly [line: number, ...cells: string[]];

/** What came: rows, and the line of the fault that ended them. */
interface Outcome {
  readonly rows: readonly Row[];
  readonly fault: number | undefined;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Cuts bytes in chunks of the sizes that are given, again and again. */
function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length];
    // Memory that is used again: nothing may be kept of it.
    const chunk = bytes.slice(at, at + size);
    yield chunk;
    chunk.fill(120);
    at += size;
  }
}

function split(bytes: Uint8Array, sizes: readonly number[], options: CsvSplitterOptions = {}): Outcome {
  const splitter = new CsvSplitter(options);
  const rows: Row[] = [];
  const keep = (texts: readonly { line: number; cells: readonly string[] }[]) =>
    rows.push(...texts.map(({ line, cells }): Row => [line, ...cells]));
  try {
    for (const chunk of chunksOf(bytes, sizes)) keep(splitter.push(chunk).texts());
    keep(splitter.finish().texts());
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { rows, fault: error.line };
  }
  return { rows, fault: undefined };
}

/** The same rule, letter by letter over the whole text. */
function splitPlainly(text: string, separator = ","): Outcome {
  const rows: Row[] = [];
  let [at, line] = [text.startsWith("\uFEFF") ? 1 : 0, 1];
  while (at < text.length) {
    const rowLine = line;
    const cells: string[] = [];
    let isEmptyLine = false;
    for (;;) {
      if (text[at] === '"') {
        const open = line;
        let cell = "";
        for (at++;; at++) {
          if (at >= text.length) return { rows, fault: open };
          if (text[at] === "\n") line++;
          if (text[at] === '"' && text[++at] !== '"') break;
          cell += text[at];
        }
        cells.push(cell);
        if (text[at] === "\r" && (at + 1 === text.length || text[at + 1] === "\n")) at++;
        if (at < text.length && text[at] !== "\n" && text[at] !== separator) return { rows, fault: open };
      } else {
        const start = at;
        while (at < text.length && text[at] !== "\n" && text[at] !== separator) at++;
        const cell = text.slice(start, at);
        cells.push(text[at] === separator ? cell : cell.replace(/\r$/, ""));
        isEmptyLine = cells.length === 1 && text[at] !== separator && cells[0] === "";
      }
      if (text[at] !== separator) break;
      at++;
    }
    at++;
    line++;
    if (!isEmptyLine) rows.push([rowLine, ...cells]);
  }
  return { rows, fault: undefined };
}

/** What the row checker of lakes makes of it: rows passed on, read plainly, and rows left out. */
function check(bytes: Uint8Array, sizes: readonly number[]) {
  let passed = "";
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const checker = new RowChecker("test");
  const take = () => {
    if (checker.readHeader() === undefined) return;
    for (const batch of checker.take()) passed += decoder.decode(batch.bytes);
  };
  let fault: number | undefined;
  try {
    for (const chunk of chunksOf(bytes, sizes)) {
      checker.push(chunk);
      take();
    }
    checker.end();
    take();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    fault = error.line;
  }
  const { problems } = checker;
  return { rows: splitPlainly(passed).rows.map(([, ...cells]) => cells), problems, fault };
}

const letter = fc.constantFrom(
  ...[
    "a",
    "b",
    "é",
    " ",
    ",",
    ",",
    '"',
    '"',
    '""',
    "\n",
    "\n",
    "\r\n",
    "\r",
    '",',
    ',"',
    '"\n',
    "\x1f",
    "\x1e",
    "\x1b",
  ],
);
const cell = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", "a", "éb", '5" pipe', "e f", "x".repeat(70), "y".repeat(15)) },
  { weight: 4, arbitrary: fc.string({ unit: letter, maxLength: 6 }).map((text) => `"${text.replaceAll('"', '""')}"`) },
  { weight: 1, arbitrary: fc.string({ unit: letter, maxLength: 6 }) },
);
const rowOfTwo = fc.tuple(cell, cell, fc.constantFrom("\n", "\n", "\r\n", "\n\n"))
  .map(([a, b, end]) => `${a},${b}${end}`);
const body = fc.oneof(
  fc.array(rowOfTwo, { maxLength: 12 }).map((rows) => rows.join("")),
  fc.string({ unit: letter, maxLength: 60 }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });

Deno.test("CsvSplitter and the module of lakes read generated tables as a plain reading does, whatever the chunks", () => {
  let [whole, faulty, ragged] = [0, 0, 0];
  fc.assert(
    fc.property(fc.constantFrom("", "\uFEFF"), body, sizes, (mark, body, sizes) => {
      const text = `${mark}h,i\n${body}`;
      const expected = splitPlainly(text);
      assertEquals(split(encode(text), sizes), expected);

      const checked = check(encode(text), sizes);
      assertEquals(checked.fault, expected.fault);
      // A row without any value is nothing to a lake, and so are cells without one beyond the header.
      const filled = expected.rows.slice(1).filter(([, ...cells]) => !hasNoValue(cells));
      const rows = filled.flatMap(([, ...cells]) => {
        const values = cellsOfWidth(cells, 2);
        return values === undefined ? [] : [values];
      });
      assertEquals(checked.rows, rows);
      const isRagged = ([, ...cells]: Row) => cellsOfWidth(cells, 2) === undefined;
      const left = checked.problems.filter(({ kept }) => !kept);
      assertEquals(left.map(({ line }) => line), filled.filter(isRagged).map(([line]) => line));
      expected.fault === undefined ? whole++ : faulty++;
      ragged += left.length;
    }),
    { numRuns: 3000, seed: 16 },
  );
  assert(whole > 500 && faulty > 500 && ragged > 500, `${whole} whole, ${faulty} faulty, ${ragged} ragged`);
});

Deno.test("CsvSplitter and the module name the line of bytes that are not UTF-8", () => {
  const pieces = fc.array(fc.constantFrom("a", '"b\n\né"', "", "é,é", "\r\n", "\n", "\n", ","), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, pieces, sizes, (before, after, sizes) => {
      const head = `h,i\n${before.join("")}\na`;
      const bytes = Uint8Array.of(...encode(head), 0xe9, ...encode(`\n${after.join("")}\n`));
      const expected = splitPlainly(head);
      const line = expected.fault ?? head.split("\n").length;
      if (expected.fault === undefined) assertEquals(split(bytes, sizes).fault, line);
      assertEquals(check(bytes, sizes).fault, split(bytes, sizes).fault);
    }),
    { numRuns: 300, seed: 5 },
  );
});

Deno.test("CsvSplitter with tabs and without quotes takes a quote for a character", () => {
  const outcome = split(encode('a\t"b\n5"\tc\n'), [3], { separator: "\t", quotes: false });

  assertEquals(outcome, { rows: [[1, "a", '"b'], [2, '5"', "c"]], fault: undefined });
});

Deno.test("CsvSplitter says where the first row ends, line feeds in quotes and a byte order mark included", () => {
  for (const first of ['\uFEFF"a\nb",c\r\n', 'a,"b\nc"\n', 'a,"b"\r\n', "a\n"]) {
    for (const size of [1, 4, 100]) {
      const splitter = new CsvSplitter();
      for (const chunk of chunksOf(encode(`${first}1,2\n`), [size])) splitter.push(chunk);
      assertEquals(splitter.firstRowEnd, encode(first).length, `${JSON.stringify(first)} by ${size}`);
    }
  }
});

Deno.test("a forgotten quote ends the reading after 64 MiB, with the line where it opens", () => {
  const lines = encode("an accession,and a value\n".repeat(40_000));
  const splitter = new CsvSplitter();
  const checker = new RowChecker("test");
  const readers = [(bytes: Uint8Array) => void splitter.push(bytes), (bytes: Uint8Array) => checkMore(checker, bytes)];
  for (const read of readers) {
    let pushed = 0;
    const error = assertThrows(() => {
      read(encode('a,b\n1,2\n"3,4\n'));
      for (; pushed < 2 * MAX_QUOTED_LINES_BYTES; pushed += lines.length) read(lines);
    }, ParseError);
    assertEquals([error.line, error.message.includes("closing quote seems to be missing")], [3, true]);
    assert(pushed <= MAX_QUOTED_LINES_BYTES + lines.length);
  }
});

/** Has the next bytes checked, and drops the rows. */
function checkMore(checker: RowChecker, bytes: Uint8Array): void {
  checker.push(bytes);
  if (checker.readHeader() !== undefined) Array.from(checker.take());
}

Deno.test("the row checker keeps its memory while a long row needs it", () => {
  const checker = new RowChecker("test");
  checkMore(checker, encode('a,b\n1,"'));
  for (let at = 0; at < 8; at++) checkMore(checker, new Uint8Array(1 << 20).fill(120));
  const held = checker.heldBytes;
  assertEquals([checker.shrink(), checker.heldBytes], [false, held]);
  checkMore(checker, encode('"\n2,3\n'));
  assertEquals(checker.shrink(), true);
  assert(checker.heldBytes < held && checker.rows === 2);
});

Deno.test("CsvSplitter does not say where the first row ends before it has, with a byte order mark or without", () => {
  for (const mark of ["", "\uFEFF"]) {
    const splitter = new CsvSplitter();
    splitter.push(encode(`${mark}a`));
    assertEquals(splitter.firstRowEnd, -1);
    splitter.finish();
    assertEquals(splitter.firstRowEnd, encode(`${mark}a`).length);
  }
});

Deno.test("CsvSplitter counts the lines of long quoted cells, whole or in chunks, and keeps their bytes", () => {
  const long = `${"x".repeat(100)}\n\n""\n${"y".repeat(100)}\n`;
  for (const size of [1, 90, 1000]) {
    const { rows, fault } = split(encode(`a,"${long}",b\nc,${"z".repeat(200)},d\n`), [size]);
    const first = [1, "a", long.replace('""', '"'), "b"];
    assertEquals([rows, fault], [[first, [6, "c", "z".repeat(200), "d"]], undefined], `by ${size}`);
  }
});

Deno.test("CsvSplitter takes any other ASCII character for a separator", () => {
  for (const separator of ["\0", " ", "|", "\x7f"]) {
    assertEquals(split(encode(`a${separator}b\n`), [9], { separator }).rows, [[1, "a", "b"]]);
  }
});

Deno.test("CsvSplitter refuses a separator that no byte is", () => {
  for (const separator of ["", "é", '"', "\n", ",,"]) assertThrows(() => new CsvSplitter({ separator }), RangeError);
});
