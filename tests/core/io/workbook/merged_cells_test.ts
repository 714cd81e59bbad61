/** What rows with merged cells hold. */
import { assertEquals, assertRejects } from "@std/assert";
import { textsOf } from "../../../../src/core/contract/ledger_entries.ts";
import { ParseError } from "../../../../src/core/errors.ts";
import { readWorkbookTable } from "../../../../src/core/io/workbook/workbook_table.ts";
import { makeWorkbook, row } from "./_workbook.ts";

async function read(rows: string, ...ranges: readonly string[]) {
  const merged = ranges.map((range) => `<mergeCell ref="${range}"/>`).join("");
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const xml = `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData><mergeCells>${merged}</mergeCells></worksheet>`;
  const { table, entries } = await readWorkbookTable(await makeWorkbook([{ xml }], { formats: [22, "0%"] }), {
    name: "a.xlsx",
  });
  return { rows: table.rows, warnings: textsOf(entries, "warning") };
}

const SHEET = 'the sheet "Sheet1" of the table a.xlsx';
const EMPTY = "<c/>";

Deno.test("readWorkbookTable() gives each row the value of merged cells that it shares", async () => {
  const rows = row(1, "id", "country", "host") + row(2, "a", "Peru", "bat") + row(3, "b", EMPTY, EMPTY) +
    row(4, "c", EMPTY, "pig") + row(6, "d", "Cuba", EMPTY);
  assertEquals(await read(rows, "B2:B4", "C2:C3", "B6:B9"), {
    rows: [["a", "Peru", "bat"], ["b", "Peru", "bat"], ["c", "Peru", "pig"], ["d", "Cuba", ""]],
    warnings: [`3 empty cells of ${SHEET} got the value of merged cells that rows share: B2:B4, C2:C3`],
  });
});

Deno.test("readWorkbookTable() gives dates and percents of merged cells as the column has them", async () => {
  const rows = row(1, "id", "date", "GC") + row(2, "a", '<c s="1"><v>41399</v></c>', '<c s="2"><v>0.5</v></c>') +
    row(3, "b", EMPTY, EMPTY);
  assertEquals((await read(rows, "B2:B3", "C2:C3")).rows, [["a", "2013-05-05", "50"], ["b", "2013-05-05", "50"]]);
});

Deno.test("readWorkbookTable() does not repeat the value of merged cells across columns", async () => {
  const rows = row(1, "id", "x", "y") + row(2, "Batch 2") + row(3, "a", "none") + row(4, "b");
  assertEquals(await read(rows, "A2:C2", "B3:C4"), {
    rows: [["Batch 2", "", ""], ["a", "none", ""], ["b", "none", ""]],
    warnings: [
      `1 empty cell of ${SHEET} got the value of merged cells that rows share: B3:C4`,
      `merged cells of ${SHEET} span columns, and their value is that of the first column: A2:C2, B3:C4`,
    ],
  });
});

Deno.test("readWorkbookTable() leaves merged cells alone that are a title, a header, empty or without a column", async () => {
  const rows = row(1, "Samples") + row(3, "id", "x", "y") + row(4, "a", "1", "2") + row(5, "b", EMPTY, "3");
  const { warnings, ...found } = await read(rows, "A1:C2", "B3:B5", "E4:E5", "B5:B6", "A4");
  assertEquals(found.rows, [["a", "1", "2"], ["b", "", "3"]]);
  assertEquals(warnings.length, 1);
});

Deno.test("readWorkbookTable() refuses ranges of merged cells that are none, or overlap", async () => {
  const rows = row(1, "id") + row(2, "a") + row(3, "b") + row(4, "c");
  await assertRejects(() => read(rows, "A2:x"), ParseError, '"A2:x" is not a range of cells');
  await assertRejects(() => read(rows, "A2:A4", "A2:A4"), ParseError, "its merged cells overlap");
});
