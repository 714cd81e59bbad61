/** Sheets with table objects, which say where header and data are. */
import { assertEquals } from "@std/assert";
import { readWorkbookTable } from "../../../../src/core/io/workbook/workbook_table.ts";
import { makeWorkbook, row } from "./_workbook.ts";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

/** Reads a sheet with table objects of these attributes. */
async function read(rows: string, ...objects: readonly string[]) {
  const related = objects.map((_, index) =>
    `<Relationship Id="rId${index}" Type="${OFFICE}/table" Target="../tables/table${index}.xml"/>`
  );
  const parts = {
    "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships xmlns="${PACKAGE}">${related.join("")}</Relationships>`,
    ...Object.fromEntries(
      objects.map((attributes, index) => [`xl/tables/table${index}.xml`, `<table xmlns="${MAIN}" ${attributes}/>`]),
    ),
  };
  const { table, entries } = await readWorkbookTable(await makeWorkbook([{ rows }], { formats: [22, 9], parts }), {
    name: "a.xlsx",
  });
  return { columns: table.columns, rows: table.rows, entries: entries.map(({ code, text }) => `${code}: ${text}`) };
}

const NAME = 'displayName="Samples"';
const SHEET = 'of the sheet "Sheet1" of the table a.xlsx';
const SHARE = '<c s="2"><v>0.5</v></c>';
const DAY = '<c s="1"><v>41399</v></c>';

Deno.test("readWorkbookTable() reads the table object of a sheet, and names cells outside", async () => {
  const rows = row(1, "Lab", "of", "Ada") + row(3, "<c/>", "id", "GC", "date") + row(4, "see", "a", SHARE, DAY) +
    row(5, "<c/>", "b", SHARE) + row(7, "<c/>", "c", SHARE, DAY);
  assertEquals(await read(rows, `${NAME} ref="B3:D7"`), {
    columns: ["id", "GC", "date"],
    rows: [["a", "50", "2013-05-05"], ["b", "50", ""], ["c", "50", "2013-05-05"]],
    entries: [
      `outside-table: 4 cells outside the table object "Samples" (B3:D7) ${SHEET} left out: A1, B1, C1, A4`,
      `percents-read: the column "GC" ${SHEET} shows percent: 50% in C4 is read as 50, and so on (3 cells)`,
    ],
  });
});

Deno.test("readWorkbookTable() leaves out totals and remarks below a table object, and reads rows of data there", async () => {
  const table = row(1, "id", "n") + row(2, "a", "1");
  const below = `the table object "Samples" (A1:B2) ${SHEET}`;
  assertEquals(await read(table + row(3, "sum", "1"), `${NAME} ref="A1:B3" totalsRowCount="1"`), {
    columns: ["id", "n"],
    rows: [["a", "1"]],
    entries: [`outside-table: 2 cells outside the table object "Samples" (A1:B3) ${SHEET} left out: A3, B3`],
  });
  assertEquals(await read(table + row(3, "b", "2") + row(4, "c", "3") + row(5, "* old"), `${NAME} ref="A1:B2"`), {
    columns: ["id", "n"],
    rows: [["a", "1"], ["b", "2"], ["c", "3"]],
    entries: [
      `outside-table: 1 cell outside ${below} left out: A5`,
      `outside-table: 2 rows right below ${below} read as part of it`,
    ],
  });
});

Deno.test("readWorkbookTable() finds the header itself without a table object, or with several", async () => {
  const rows = row(1, "Samples of the lab") + row(2, "id", "x", "y") + row(3, "a", "1", "2");
  const expected = { columns: ["id", "x", "y"], rows: [["a", "1", "2"]] };
  for (const objects of [[], ['ref="A2:A3"', 'ref="B2:C3"'], ['ref="A3:A3" headerRowCount="0"'], ['ref="x"']]) {
    const { columns, rows: found } = await read(rows, ...objects);
    assertEquals({ columns, rows: found }, expected, objects.join());
  }
});
