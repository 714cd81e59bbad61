import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { ParseError } from "../../../../src/core/errors.ts";
import { GzipError } from "../../../../src/core/io/gzip/gunzip.ts";
import { tableFromArchive, tableFromCsv } from "../../../../src/core/tables/mod.ts";
import { readTextColumns } from "../../../../src/core/tables/from/from_csv.ts";
import { bytesOf } from "../_frames.ts";
import type { FieldDefinition } from "../../../../src/core/contract/metadata.ts";
import { COUNTRY } from "../_fields.ts";

const HEADER = "Registry Accession,Country";
const A = "vj000000000001";
const B = "vj000000000002";

Deno.test("tableFromCsv() reads what is only odd", async (t) => {
  const files: Record<string, [bytes: Uint8Array, countries: (string | null)[]]> = {
    "byte order mark": [bytesOf(`\uFEFF${HEADER}\n${A},Kenya\n`), ["Kenya"]],
    "CRLF": [bytesOf(`${HEADER}\r\n${A},Kenya\r\n`), ["Kenya"]],
    "no final newline": [bytesOf(`${HEADER}\n${A},Kenya`), ["Kenya"]],
    "empty lines": [bytesOf(`${HEADER}\n\n${A},Kenya\n\n`), ["Kenya"]],
    "gzip": [new Uint8Array(gzipSync(`${HEADER}\n${A},Kenya\n`)), ["Kenya"]],
    "header alone": [bytesOf(`${HEADER}\n`), []],
    "quotes, commas and newlines": [bytesOf(`${HEADER}\n${A},"a ""b"", c\nd"\n`), ['a "b", c\nd']],
    "carriage return in a cell": [bytesOf(`${HEADER}\n${A},a\rb\n`), ["a\rb"]],
    "empty and quoted empty cell": [bytesOf(`${HEADER}\n${A},\n${B},""\n`), [null, null]],
    "letters of any script": [bytesOf(`${HEADER}\n${A},Côte d'Ivoire 🦠\n`), ["Côte d'Ivoire 🦠"]],
    "a cell of 10 MB": [bytesOf(`${HEADER}\n${A},"${"x\n".repeat(5_000_000)}"\n`), ["x\n".repeat(5_000_000)]],
  };
  for (const [oddity, [bytes, countries]] of Object.entries(files)) {
    await t.step(oddity, async () => {
      const table = await tableFromCsv(bytes);
      assert(JSON.stringify(table.texts("Country")) === JSON.stringify(countries), "the countries differ");
      assertEquals(table.problems, []);
      assert(table.ledger.complete);
    });
  }
});

Deno.test("tableFromCsv() refuses what is not a table, and says why", async (t) => {
  const latin1 = Uint8Array.from([...bytesOf(`${HEADER}\n${A},C`), 0xf4, ...bytesOf("te\n")]);
  const utf16 = Uint8Array.from([0xff, 0xfe, ...[...HEADER].flatMap((letter) => [letter.charCodeAt(0), 0])]);
  const files: Record<string, [bytes: Uint8Array, says: string, line?: number]> = {
    "empty": [bytesOf(""), "it is empty, expected a header line", 1],
    "an HTML page": [
      bytesOf("<!doctype html><title>Sign in</title>"),
      "it looks like an HTML page; the server sent",
      1,
    ],
    "an HTML page in gzip": [new Uint8Array(gzipSync("<html><body>504</body></html>")), "an HTML page", 1],
    "XML": [bytesOf("<?xml version='1.0'?><records/>"), "it looks like XML", 1],
    "JSON": [bytesOf('{"detail": "no"}'), "it looks like JSON", 1],
    "UTF-16": [utf16, "UTF-16 text; save it as UTF-8", 1],
    "UTF-16 without a mark": [utf16.subarray(2), "UTF-16 text; save it as UTF-8", 1],
    "Latin-1": [latin1, "it is not valid UTF-8"],
    "an open quote": [bytesOf(`${HEADER}\n${A},Kenya\n${B},"Togo\n`), "a quoted cell never ends", 3],
    "text after a quote": [bytesOf(`${HEADER}\n${A},"Kenya" x\n`), "text follows a closing quote", 2],
    "two columns of one name": [bytesOf("Registry Accession,Country,Country\n"), 'two columns are called "Country"', 1],
    "a column without a name": [bytesOf("Registry Accession,,Country\n"), "column 2 has no name", 1],
    "no header": [bytesOf(`${A},Kenya\n`), "it has no header", 1],
    "carriage returns alone": [bytesOf(`${HEADER}\r${A},Kenya\r`), "carriage returns alone", 1],
    "a FASTA": [bytesOf(">a\nacgt\n"), "a FASTA file", 1],
  };
  for (const [fault, [bytes, says, line]] of Object.entries(files)) {
    await t.step(fault, async () => {
      const error = await assertRejects(() => tableFromCsv(bytes, { name: "my.csv" }));
      assert(error instanceof ParseError, String(error));
      assertStringIncludes(error.message, "Cannot read my.csv");
      assertStringIncludes(error.message, says);
      if (line !== undefined) assertEquals(error.line, line);
    });
  }
});

Deno.test("tableFromCsv() leaves ragged rows out, names them and is not complete", async () => {
  const csv = `${HEADER}\n${A},Kenya\n${B}\nvj000000000003,Togo,Lomé\n"vj000000000004","a\nb"\n`;
  const table = await tableFromCsv(bytesOf(csv));
  assertEquals(table.rows, 2);
  assertEquals(table.problems, [
    { line: 3, id: B, value: B, reason: "the row has 1 cell, the header has 2", kept: false },
    {
      line: 4,
      id: "vj000000000003",
      value: "vj000000000003,Togo,Lomé",
      reason: "the row has 3 cells, the header has 2",
      kept: false,
    },
  ]);
  assertEquals(table.ledger.unparsed, 2);
  assertEquals(table.ledger.reasons, [
    "2 rows could not be read: line 3 (the row has 1 cell, the header has 2), line 4 (the row has 3 cells, the header has 2)",
  ]);
});

Deno.test("tableFromCsv() keeps a NUL and names it", async () => {
  const table = await tableFromCsv(bytesOf(`${HEADER}\n${A},Ke\0nya\n`));
  assertEquals(table.texts("Country"), ["Ke\0nya"]);
  assertEquals((await table.frame()).getColumn("Country").toArray(), ["Ke\0nya"]);
  assertEquals(table.problems.map(({ row, line, field, kept }) => ({ row, line, field, kept })), [
    { row: 1, line: 2, field: "Country", kept: true },
  ]);
});

Deno.test("tableFromArchive() refuses a truncated and a damaged archive", async () => {
  const whole = new Uint8Array(gzipSync(`${HEADER}\n${A},Kenya\n`.repeat(1)));
  await assertRejects(() => tableFromArchive(whole.subarray(0, whole.length - 9)), GzipError);
  const damaged = whole.slice();
  damaged[whole.length - 5] ^= 1;
  await assertRejects(() => tableFromArchive(damaged), GzipError);
});

Deno.test("a table counts what was asked for and promised", async () => {
  const csv = bytesOf(`${HEADER}\n${A},Kenya\n${A},Kenya\n,Togo\n`);
  const { ledger: { entries, ...ledger } } = await tableFromCsv(csv, { asked: [A, B, B], promised: 5 });
  assertEquals(entries.map(({ code, count }) => [code, count]), [
    ["fewer-than-promised", 2],
    ["missing", 1],
    ["duplicates", 1],
    ["accession-empty", 1],
    ["requested-twice", 1],
  ]);
  assertEquals(ledger, {
    asked: 3,
    promised: 5,
    received: 3,
    unique: 2,
    duplicate: 1,
    missing: [B],
    unasked: [],
    unparsed: 0,
    truncated: false,
    complete: false,
    reasons: ["5 records were promised, 3 came", `1 of 3 asked for is missing: ${B}`],
    warnings: [
      `1 accession came more than once: ${A}`,
      "1 record without a Registry Accession",
      "1 accession requested more than once",
    ],
  });
});

Deno.test("rows of accessions that were not asked for are left out and named", async () => {
  const csv = bytesOf(`${HEADER}\n${A},Kenya\n${B},Peru\n${B},Peru\n`);
  const table = await tableFromCsv(csv, { asked: [A] });
  assertEquals((await table.frame()).toRecords(), [{ "Registry Accession": A, "Country": "Kenya" }]);
  const { unasked, received, unique, reasons } = table.ledger;
  assertEquals([unasked, received, unique], [[B], 3, 2]);
  assertEquals(reasons, [`1 received but not asked for: ${B}`]);
});

Deno.test("problems are those of the rows that stay, by their numbers among these", async () => {
  const csv = bytesOf(`${HEADER}\n${A},Ke\0nya\n${A}\n${B},Pe\0ru\n`);
  const { problems, problemCount, rows } = await tableFromCsv(csv, { asked: [B] });
  assertEquals(problems.map(({ row, line, id }) => [row, line, id]), [[undefined, 3, A], [1, 4, B]]);
  assertEquals([problemCount, rows], [2, 1]);
});

Deno.test("columns come in the order asked for; those that do not come are named", async () => {
  const csv = bytesOf(`Registry Accession,Country,Host\n${A},Kenya,bat\n`);
  const table = await tableFromCsv(csv, { columns: ["Host", "Registry Accession", "Shoe Size"] });
  assertEquals((await table.frame()).toRecords(), [{ "Host": "bat", "Registry Accession": A, "Shoe Size": null }]);
  assertEquals(table.ledger.reasons, ["requested columns that did not arrive: Shoe Size"]);
  const error = await assertRejects(async () => await Promise.resolve(table.texts("Hots")), RangeError);
  assertStringIncludes(error.message, 'did you mean "Host"?');
});

Deno.test("options that cannot be followed are refused before any byte is read", async () => {
  const untouched = (async function* () {
    yield await Promise.reject(new Error("it was read"));
  })();
  await assertRejects(() => tableFromCsv(untouched, { columns: ["a", "a"] }), RangeError, "named twice");
  await assertRejects(() => tableFromCsv(untouched, { maxProblems: -1 }), RangeError, "maxProblems");
});

Deno.test("problems beyond maxProblems are counted, not kept", async () => {
  const rows = Array.from({ length: 10 }, (_, row) => `vj${String(row).padStart(12, "0")},x\n`).join("");
  const definition = { name: "N", alias: "n", type: "integer", unit: "", description: "", example: "" } as const;
  const table = await tableFromCsv(bytesOf(`Registry Accession,N\n${rows}`), {
    definitions: [definition],
    maxProblems: 3,
  });
  assertEquals([table.problems.length, table.problemCount], [3, 10]);
  assertStringIncludes(table.ledger.warnings.join(), "only the first 3 of 10 problems are listed");
});

Deno.test("an abort cancels the stream that is read", async () => {
  const control = new AbortController();
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytesOf(`${HEADER}\n`));
      control.abort(new DOMException("enough", "AbortError"));
    },
    cancel() {
      cancelled = true;
    },
  });
  await assertRejects(() => tableFromCsv(stream, { signal: control.signal }), DOMException, "enough");
  assert(cancelled);
});

Deno.test("a name of a date column that is taken is refused", async () => {
  const date: FieldDefinition = { ...COUNTRY, name: "Day", alias: "day", type: "date" };
  await assertRejects(
    () => tableFromCsv(bytesOf("Day,Day earliest\n2013,x\n"), { definitions: [date], dates: "columns" }),
    RangeError,
    'dates: "text"',
  );
});

Deno.test("rows that cannot be read take no memory beyond the first 100,000, and all are counted", async () => {
  const bytes = bytesOf(`${HEADER}\n${A},Kenya\n${"x\n".repeat(100_001)}`);
  assertEquals((await readTextColumns(bytes, {})).problems?.length, 100_000);
  const { problems, problemCount, ledger } = await tableFromCsv(bytes, { maxProblems: 2 });
  assertEquals([problems.length, problemCount, ledger.unparsed], [2, 100_001, 100_001]);
  assertEquals((await tableFromCsv(bytes, { maxProblems: Infinity })).problems.length, 100_001);
});
