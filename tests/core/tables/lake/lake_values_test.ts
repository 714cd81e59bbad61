/** Values in a lake are those of a table in memory, and their texts are kept. */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { type LakeTable, tableFromCsv } from "../../../../src/core/tables/mod.ts";
import { assertFramesEqual, bytesOf, exactRows } from "../_frames.ts";
import { accession, DEFINITIONS, HEADER, throughLake, VALUES } from "../_lake_files.ts";

Deno.test("a lake types every value as the rules in TypeScript do", async () => {
  const rows = VALUES.map((value, index) => [accession(index), ...DEFINITIONS.map(() => value)]);
  const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
  const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS, dates: "columns" });
  await throughLake(csv, "columns", async (table) => {
    assertFramesEqual(await table.frame(), await expected.frame());
    const misfits = (problems: LakeTable["problems"]) => problems.filter(({ reason }) => !reason.includes("NUL"));
    assertEquals(misfits(table.problems), misfits(expected.problems));
    assertEquals(table.ledger.received, expected.ledger.received);
    assertEquals(table.ledger.warnings, expected.ledger.warnings);
    assertEquals(table.missingValues, expected.missingValues);
    assertEquals(table.columns, expected.columns);
  });
});

Deno.test("a lake and a table in memory agree on any values", async () => {
  const letters = fc.constantFrom(...'0123456789.+-eE %yearsXx:TZ;, \n\t"tfn'.split(""));
  const value = fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: letters, maxLength: 12 }));
  const row = fc.array(value, { minLength: DEFINITIONS.length, maxLength: DEFINITIONS.length });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (cells) => {
      const rows = cells.map((values, index) => [accession(index), ...values]);
      const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
      const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS, dates: "columns" });
      await throughLake(csv, "columns", async (table) => {
        assertFramesEqual(await table.frame(), await expected.frame());
        assertEquals(
          table.problems.filter(({ line }) => line === undefined).length,
          expected.problems.filter(({ line }) => line === undefined).length,
        );
      });
    }),
    { numRuns: 25 },
  );
});

Deno.test("a lake gives back the text of every number, boolean and date as it came", async () => {
  const rows = VALUES.map((value, index) => [accession(index), ...DEFINITIONS.map(() => value)]);
  const csv = [HEADER, ...rows].map((row) => `${csvRow(row)}\n`).join("");
  const expected = await tableFromCsv(bytesOf(csv), { definitions: DEFINITIONS });
  await throughLake(csv, "text", async (table) => {
    const raw = (await table.rawFrame()).drop("Hosts");
    assertFramesEqual(raw, (await expected.rawFrame()).drop("Hosts"));
  });
});

Deno.test("rows that are odd in form are read as a table in memory reads them", async (t) => {
  const files: Record<string, string> = {
    "byte order mark": "\uFEFFRegistry Accession,Note\na,b\n",
    "CRLF": 'Registry Accession,Note\r\na,b\r\nc,"d\r\ne"\r\n',
    "no final newline": "Registry Accession,Note\na,b",
    "rows without a value": "Registry Accession,Note\na,b\n,\n,\r\nc,\n,d\n,\n",
    "empty lines": "\nRegistry Accession,Note\n\na,b\n\r\n\nc,d\n",
    "quoted header": '"Registry Accession","Note"\na,b\n',
    "quoted empty cell": 'Registry Accession,Note\na,""\n"",b\n"",""\n',
    "quotes in quotes": 'Registry Accession,Note\na,"x ""y"" z"\nb,""""\nc,"""a"""\n',
    "quoted line feeds": 'Registry Accession,Note\na,"x\ny\n"\nb,c\n',
    "lone carriage return": "Registry Accession,Note\na,x\ry\n",
    "header alone": "Registry Accession,Note\n",
    "one column": "Registry Accession\na\nb\n",
  };
  for (const [oddity, csv] of Object.entries(files)) {
    await t.step(oddity, async () => {
      const expected = await tableFromCsv(bytesOf(csv));
      await throughLake(csv, "text", async (table) => {
        assertFramesEqual(await table.frame(), await expected.frame());
      });
    });
  }
  await t.step("a quote in the middle of a cell is a letter", async () => {
    await throughLake('Registry Accession,Note\na,5" long\nb,c"d"e\n', "text", async (table) => {
      assertEquals(exactRows(await table.frame()).map(({ Note }) => Note), ['5" long', 'c"d"e']);
    });
  });
});
