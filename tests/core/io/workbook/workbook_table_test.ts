/** Tables of workbooks: what cells become, and what is refused. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { textsOf } from "../../../../src/core/contract/ledger_entries.ts";
import { ParseError } from "../../../../src/core/errors.ts";
import { readWorkbookTable } from "../../../../src/core/io/workbook/workbook_table.ts";
import { makeWorkbook, row, type SheetXml, workbookParts, type WorkbookXml } from "./_workbook.ts";

async function read(
  sheets: readonly SheetXml[] | string,
  xml: WorkbookXml & { readonly sheet?: string | number; readonly maxCells?: number } = {},
) {
  const bytes = await makeWorkbook(typeof sheets === "string" ? [{ rows: sheets }] : sheets, xml);
  const { sheet, maxCells } = xml;
  const found = await readWorkbookTable(bytes, { name: "a.xlsx", sheet, maxCells });
  return { ...found, reasons: textsOf(found.entries, "reason"), warnings: textsOf(found.entries, "warning") };
}

/** Reads a column of cells by their XML. */
async function readColumn(cells: readonly string[], xml: WorkbookXml = {}): Promise<readonly string[]> {
  const rows = cells.map((cell, index) => row(index + 2, `row ${index + 2}`, cell)).join("");
  const { table } = await read(row(1, "id", "value") + rows, xml);
  return table.rows.map(([, value]) => value);
}

const number = (value: number | string, style = 1) => `<c s="${style}"><v>${value}</v></c>`;

Deno.test("readWorkbookTable() rounds date-times to the second", async () => {
  const minutes = Array.from({ length: 24 * 60 }, (_, minute) => minute);
  const formats = ["yyyy\\-mm\\-dd\\ hh:mm"];
  // As spreadsheet programs store them, and cut as some exports do.
  const stored = minutes.map((minute) => number(41399 + minute / 1440));
  const cut = minutes.map((minute) => number(Math.floor((41399 + minute / 1440) * 1e9) / 1e9));
  const expected = minutes.map((minute) => new Date(Date.UTC(2013, 4, 5, 0, minute)).toISOString().slice(0, 19));
  assertEquals(await readColumn(stored, { formats }), expected);
  assertEquals(await readColumn(cut, { formats }), expected);
});

Deno.test("readWorkbookTable() writes dates as their format shows them", async (t) => {
  const cases: Record<string, [format: string | number, values: (number | string)[], texts: string[]]> = {
    "days": [14, [41399, 1, 59, 61, 2958465], ["2013-05-05", "1900-01-01", "1900-02-28", "1900-03-01", "9999-12-31"]],
    "days that have a time": ["yyyy-mm-dd", [41399.5, 41400], ["2013-05-05T12:00:00", "2013-05-06"]],
    "date-times": [22, [41399.5625, 41400], ["2013-05-05T13:30:00", "2013-05-06T00:00:00"]],
    "date-times that are all at midnight": ["d.m.yy h:mm", [41399, 41400], ["2013-05-05", "2013-05-06"]],
    "the end of a day": [22, [41399.999999], ["2013-05-06"]],
    "times alone": ["h:mm AM/PM", [0.520833333333333, 0], ["12:30:00", "00:00:00"]],
    "a day below 1 is a time": ["yyyy-mm-dd", [0.25], ["06:00:00"]],
    "a time with a day": [20, [1.5], ["1900-01-01T12:00:00"]],
    "minutes and seconds": ["mm:ss", [0.0104166666666667], ["00:15:00"]],
    "fractions of seconds": ["hh:mm:ss.000", [0.5000029, 0.5], ["12:00:00.251", "12:00:00"]],
    "durations": ["[h]:mm:ss", [1.5, 0.25, -0.5], ["36:00:00", "06:00:00", "-12:00:00"]],
    "a month": ["[$-409]mmm\\-yy;@", [43831, 41395], ["2020-01", "2013-05"]],
    "a month, built in": [17, [43831], ["2020-01"]],
    "a month in numbers": ["yyyy\\-mm", [43862], ["2020-02"]],
    "a month alone": ["mmmm", [43862], ["2020-02"]],
    "a year": ["yyyy", [42005, 42005.5], ["2015", "2015"]],
    "a day and a month": [16, [43862], ["2020-02-01"]],
    "a month with a time": ["yyyy-mm hh:mm", [43862.5], ["2020-02-01T12:00:00"]],
    "text in quotes": ['0 "days"', [3], ["3"]],
    "a colour": ["[Red]0.0", [3.25], ["3.25"]],
    "an escaped letter": ["0\\d", [3], ["3"]],
    "general": ["General", [41399.5], ["41399.5"]],
    "in exponents": ["yyyy-mm-dd", ["4.1399E4"], ["2013-05-05"]],
  };
  for (const [what, [format, values, texts]] of Object.entries(cases)) {
    await t.step(what, async () => {
      assertEquals(await readColumn(values.map((value) => number(value)), { formats: [format] }), texts);
    });
  }
});

Deno.test("readWorkbookTable() counts days from 1904 if the workbook does", async () => {
  const xml = { formats: [14, 20, 22], properties: 'date1904="1"' };
  const cells = [number(39937), number(0), number(0.5, 2), number(39937.75, 3), number(2957003), number(2957004)];
  assertEquals(await readColumn(cells, xml), [
    "2013-05-05",
    "1904-01-01",
    "12:00:00",
    "2013-05-05T18:00:00",
    "9999-12-31",
    "2957004",
  ]);
});

Deno.test("readWorkbookTable() counts days from 1904 in workbooks with the extensions of newer programs", async () => {
  const extension = '<extLst><ext xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main">' +
    '<x15:workbookPr chartTrackingRefBase="1"/><x15:calcPr/></ext></extLst>';
  const rows = row(1, "id", "date", "sum") + row(2, "a", number(39937), "<c><f>1+1</f><v>0</v></c>");
  const xml = { formats: [14], properties: 'date1904="1"', calculation: 'fullCalcOnLoad="1"' };
  const main = workbookParts([{ rows }], xml)["xl/workbook.xml"];
  const parts = { "xl/workbook.xml": main.replace("</workbook>", `${extension}</workbook>`) };
  const { table, warnings } = await read(rows, { ...xml, parts });
  assertEquals([table.rows, warnings.length], [[["a", "2013-05-05", "0"]], 1]);
});

Deno.test("readWorkbookTable() keeps numbers that are no date, and names their cells", async () => {
  const cells = [60, -1, 2958466, 1e300].map((value) => number(value));
  const rows = cells.map((cell, index) => row(index + 2, "a", cell)).join("");
  const { table, warnings } = await read(row(1, "id", "date") + rows, { formats: [14] });
  assertEquals(table.rows.map(([, date]) => date), ["60", "-1", "2958466", "1e+300"]);
  assertEquals(warnings, [
    "4 cells shown as dates, outside the calendar of a workbook, kept as numbers: B2, B3, B4, B5",
  ]);
});

Deno.test("readWorkbookTable() reads cells of every type", async (t) => {
  const shared = [
    "<t>one</t>",
    "<r><t>t</t></r><r><t>wo</t></r><rPh><t>ni</t></rPh>",
    "<t>a_x000D_&#10;_x005F_x0041_</t>",
  ];
  const cases: Record<string, [cell: string, text: string]> = {
    "a shared text": ['<c t="s"><v>0</v></c>', "one"],
    "a text of several fonts, with a phonetic hint": ['<c t="s"><v>1</v></c>', "two"],
    "escaped characters": ['<c t="s"><v>2</v></c>', "a\r\n_x0041_"],
    "references beyond 16 bits": ['<c t="inlineStr"><is><t>&#x1F9EC;&#129516;&amp;</t></is></c>', "🧬🧬&"],
    "a pair of surrogates": ['<c t="inlineStr"><is><t>_xD83E__xDDEC_</t></is></c>', "🧬"],
    "a text within several elements": ['<c t="inlineStr"><is><r><t> a</t></r><r><t>b </t></r></is></c>', " ab "],
    "an inline text before a value": ['<c t="inlineStr"><is><t>a</t></is><v>7</v></c>', "a"],
    "an inline text after a value": ['<c t="inlineStr"><v>7</v><is><t>a</t></is></c>', "a"],
    "a value of the type for inline texts": ['<c t="inlineStr"><v>a</v></c>', "a"],
    "an inline text of a number": ["<c><v>7</v><is><t>a</t></is></c>", "7"],
    "the text of a formula": ['<c t="str"><f>A1&amp;""</f><v>x &lt; y</v></c>', "x < y"],
    "the number of a formula": ["<c><f>1+1</f><v>2</v></c>", "2"],
    "an empty text of a formula": ['<c t="str"><f>""</f><v></v></c>', ""],
    "a number with noise": ["<c><v>48.119999999999997</v></c>", "48.12"],
    "a number with an exponent": ["<c><v>1E-3</v></c>", "0.001"],
    "a whole number of many digits": ["<c><v>12345678901234567890</v></c>", "12345678901234567890"],
    "true": ['<c t="b"><v>1</v></c>', "true"],
    "false": ['<c t="b"><v>0</v></c>', "false"],
    "an ISO day": ['<c t="d"><v>2013-05-05</v></c>', "2013-05-05"],
    "an ISO date-time": ['<c t="d"><v>2013-05-05T13:30:00.000Z</v></c>', "2013-05-05T13:30:00"],
    "an ISO date-time at midnight": ['<c t="d"><v>2013-05-05T00:00:00</v></c>', "2013-05-05"],
    "a text like a date-time": ['<c t="inlineStr"><is><t>2013-05-05T00:00:00</t></is></c>', "2013-05-05T00:00:00"],
    "a style without a value": ['<c s="1"/>', ""],
  };
  for (const [what, [cell, text]] of Object.entries(cases)) {
    await t.step(what, async () => {
      assertEquals(await readColumn([cell], { shared, formats: [14] }), [text]);
      const prefixed = cell.replaceAll(/<(\/?)(\w)/g, "<$1x:$2").replace("<x:c", '<x:c r="B2"');
      const xml = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>id</x:t>
        </x:is></x:c><x:c r="B1"><x:v>7</x:v></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c>${prefixed}
        </x:row></x:sheetData></x:worksheet>`;
      assertEquals((await read([{ xml }], { shared, formats: [14] })).table.rows[0][1], text);
    });
  }
});

Deno.test("readWorkbookTable() counts and names formulas without a stored value, and errors", async () => {
  const cells = ["<c><f>A2</f></c>", "<c><f>A3</f><v></v></c>", '<c t="str"><f>A4</f></c>', '<c t="e"><v>#N/A</v></c>'];
  const rows = row(1, "id", "x") + cells.map((cell, index) => row(index + 2, "a", cell)).join("");
  const found = await read(rows);
  assertEquals(found.table.rows.map(([, x]) => x), ["", "", "", ""]);
  assertEquals(found.reasons.length, 1);
  assertStringIncludes(found.reasons[0], "3 formulas without a stored value read as empty (B2, B3, B4)");
  assertEquals(found.warnings, ["1 cell with an error read as empty: B5 (#N/A)"]);

  const many = Array.from({ length: 30 }, (_, index) => row(index + 2, "a", cells[0])).join("");
  assertMatch((await read(row(1, "id", "x") + many)).reasons[0], /^30 formulas .*B21 and 10 more\)/);

  const computed = row(1, "id", "x") + row(2, "a", "<c><f>1+1</f><v>0</v></c>");
  assertEquals((await read(computed)).warnings, []);
  const [warning] = (await read(computed, { calculation: 'fullCalcOnLoad="1"' })).warnings;
  assertStringIncludes(warning, "1 formula with the stored value 0 (B2)");
});

Deno.test("readWorkbookTable() reads cells and rows without a position", async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = `<row>${text("id")}${text("x")}</row><row/><row>${text("a")}<c/></row>` +
    `<row><c r="A7"><v>1</v></c>${text("b")}</row>`;
  assertEquals((await read(rows)).table, { columns: ["id", "x"], rows: [["a", ""], ["1", "b"]] });
});

Deno.test("readWorkbookTable() reads names of cells in lower case", async () => {
  const cell = (name: string, value: string) => `<c r="${name}" t="str"><v>${value}</v></c>`;
  const rows = `<row r="1">${cell("a1", "id")}${cell("ab1", "x")}</row><row r="2">${cell("aB2", "7")}</row>`;
  assertEquals((await read(rows)).table, { columns: ["id", "x"], rows: [["", "7"]] });
});

Deno.test("readWorkbookTable() leaves out empty rows and columns, wherever they are", async () => {
  const rows =
    '<row r="3"><c r="C3" t="inlineStr"><is><t>id</t></is></c><c r="E3" t="inlineStr"><is><t>x</t></is></c>' +
    '<c r="F3" t="inlineStr"><is><t> </t></is></c></row>' +
    '<row r="9"><c r="C9"><v>1</v></c></row><row r="1048576"><c r="E1048576"><v>2</v></c><c r="XFD1048576" s="1"/></row>';
  assertEquals((await read(rows)).table, { columns: ["id", "x"], rows: [["1", ""], ["", "2"]] });
});

Deno.test("readWorkbookTable() finds the header below titles and comments, and reports them", async () => {
  const titled = row(1, "Table S1. Samples") + row(3, "updated", "2024-05-05") + row(4, "id", "host", "note", "x") +
    row(5, "a", "", "y") + row(6, "b");
  const found = await read(titled);
  assertEquals(found.table.columns, ["id", "host", "note", "x"]);
  assertEquals(found.table.rows, [["a", "", "y", ""], ["b", "", "", ""]]);
  assertEquals(found.warnings, [
    'the sheet "Sheet1" of the table a.xlsx has its header in row 4: 2 rows above left out, "Table S1. Samples" first',
  ]);
  const commented = row(1, "# exported by ada", "2016") + row(2, "accession", "Country") + row(3, "x1", "Peru");
  assertEquals((await read(commented)).table, { columns: ["accession", "Country"], rows: [["x1", "Peru"]] });
  const hashed = row(1, "#accession", "Country") + row(2, "x1", "Peru");
  assertEquals((await read(hashed)).table, { columns: ["#accession", "Country"], rows: [["x1", "Peru"]] });
  // Rows of one or two cells are no titles if no row is wider, or if there are many of them.
  assertEquals((await read(row(1, "id") + row(2, "a"))).table.rows, [["a"]]);
  assertEquals((await read(row(1, "id", "x") + row(2, "a", "1"))).warnings, []);
  const many = Array.from({ length: 22 }, (_, index) => row(index + 1, `a${index}`)).join("") + row(30, "a", "b", "c");
  await assertRejects(() => read(many), ParseError, "cell B30 has a value, but its column has no name in row 1");
});

Deno.test("readWorkbookTable() keeps a header of two columns above a row that is wider", async () => {
  const rows = Array.from({ length: 5 }, (_, index) => row(index + 2, `a${index}`, "2020")).join("");
  const wider = row(1, "strain", "date") + rows + row(7, "a", "2020", "x", "y");
  await assertRejects(() => read(wider), ParseError, "cell C7 has a value, but its column has no name in row 1");
});

Deno.test("readWorkbookTable() leaves out the row numbers that pandas writes", async () => {
  for (const start of [0, 1]) {
    const rows = ["x", "y", "z"].map((id, index) => row(index + 2, String(index + start), id)).join("");
    const { table, warnings } = await read(row(1, "", "id") + rows);
    assertEquals([table.columns, table.rows], [["id"], [["x"], ["y"], ["z"]]]);
    assertEquals(warnings, [
      'the first column of the sheet "Sheet1" of the table a.xlsx has no name and only counts the rows: left out',
    ]);
  }
  const others: Record<string, string> = {
    "A2": row(1, "", "id") + row(2, "7", "x") + row(3, "8", "y"),
    "A3": row(1, "", "id") + row(2, "0", "x") + row(3, "2", "y"),
    "A2 again": row(1, "", "id") + row(2, "0", "x") + row(3, "", "y"),
    "E2": row(1, "", "id", "host", "n") + row(2, "0", "x", "bat", "5", "0"),
  };
  for (const [cell, rows] of Object.entries(others)) {
    const says = `cell ${cell.slice(0, 2)} has a value, but its column has no name in row 1`;
    await assertRejects(() => read(rows), ParseError, says, cell);
  }
});

Deno.test("readWorkbookTable() refuses cells that are not the table's, and names them", async (t) => {
  const cell = (name: string) => `<c r="${name}"><v>1</v></c>`;
  const cases: Record<string, [rows: string, says: string]> = {
    "a stray cell": [`<row r="1048576">${cell("XFD1048576")}</row>`, "cell XFD1048576 has a value, but its column"],
    "a row beyond all rows": ['<row r="99999999999"/>', "row 99999999999 is beyond the last row of a sheet, 1048576"],
    "a cell beyond all rows": [`<row>${cell("A1048577")}</row>`, "row 1048577 is beyond"],
    "a cell beyond all columns": [
      `<row r="2">${cell("XFE2")}</row>`,
      "cell XFE2 is beyond the last column of a sheet, XFD",
    ],
    "a cell with many letters": [`<row r="2">${cell("ZZZZZZZZZZ2")}</row>`, '"ZZZZZZZZZZ2" is not the name of a cell'],
    "a row that is no number": ['<row r="x"/>', '"x" is not the number of a row'],
    "a row that comes late": ['<row r="5"/><row r="4"/>', "row 4 comes after row 5"],
    "a cell that comes twice": [`<row r="2">${cell("A2")}${cell("A2")}</row>`, "cell A2 comes after A2"],
    "a cell of another row": [`<row r="2">${cell("A3")}</row>`, "cell A3 is in row 2"],
    "a shared text that is absent": ['<row r="2"><c r="A2" t="s"><v>7</v></c></row>', "cell A2 has the shared text 7"],
    "a number that is none": ['<row r="2"><c r="A2"><v>x</v></c></row>', 'cell A2 has "x" where a number is expected'],
    "NUL by reference": ['<row r="2"><c r="A2" t="inlineStr"><is><t>&#0;</t></is></c></row>', "&#0;"],
    "a giant text": [`<row r="2"><c r="A2" t="str"><v>${"x".repeat(1_100_000)}</v></c></row>`, "cell A2 has more than"],
    "a tag that is cut": ["<row", "sheet1.xml"],
  };
  for (const [what, [rows, says]] of Object.entries(cases)) {
    await t.step(what, async () => void await assertRejects(() => read(row(1, "id") + rows), ParseError, says));
  }
  const large = row(1, "id", "x") + row(2, "a") + row(3, "b");
  assertEquals((await read(large, { maxCells: 4 })).table.rows.length, 2);
  await assertRejects(() => read(large, { maxCells: 3 }), ParseError, "it has more than 3 cells");
  const twice = () => read(row(1, "id", "x", "id"));
  await assertRejects(twice, ParseError, 'two columns are called "id", in A1 and C1');
});

Deno.test("readWorkbookTable() reads the first visible sheet with data, and names the others", async () => {
  const data = (id: string) => row(1, "id") + row(2, id);
  const sheets: SheetXml[] = [
    { name: "codes", state: "hidden", rows: data("hidden") },
    { name: "empty", rows: '<row r="1"><c r="A1" s="1"/></row>' },
    { name: "samples", rows: data("visible") },
    { name: "more &amp; more", rows: data("other") },
  ];
  const found = await read(sheets);
  assertEquals([found.sheet, found.table.rows], ["samples", [["visible"]]]);
  assertEquals(found.warnings, [
    'a.xlsx has 3 sheets with data: "samples" was read, and not 1 "codes" (hidden), 4 "more & more"; the option ' +
    "sheet (--sheet) chooses another",
  ]);
  for (const sheet of ["codes", "CODES", "1", 1]) {
    const { table, warnings } = await read(sheets, { sheet });
    assertEquals([table.rows, warnings], [[["hidden"]], []]);
  }
  assertEquals((await read([{ name: "2", rows: data("by name") }, { rows: data("x") }], { sheet: "2" })).table.rows, [
    ["by name"],
  ]);
  // Whether a sheet that is not read is whole does not matter.
  assertEquals((await read([{ rows: data("a") }, { rows: '<row r="x"/>' }])).table.rows, [["a"]]);
});

Deno.test("readWorkbookTable() reads another sheet than one whose file is missing, and names that", async () => {
  const sheets: SheetXml[] = [{ name: "lost", rows: "" }, { name: "kept", rows: row(1, "id") + row(2, "a") }];
  const parts = { "xl/worksheets/sheet1.xml": undefined };
  const found = await read(sheets, { parts });
  assertEquals([found.sheet, found.table.rows], ["kept", [["a"]]]);
  assertStringIncludes(found.warnings[0], '"kept" was read, and not 1 "lost" (its file is missing)');
  for (const read1 of [() => read(sheets, { parts, sheet: "lost" }), () => read(sheets.slice(0, 1), { parts })]) {
    await assertRejects(read1, ParseError, 'the file of its sheet "lost" is missing');
  }
});

Deno.test("readWorkbookTable() refuses sheets that do not exist or hold nothing", async () => {
  const sheets: SheetXml[] = [{ name: "first", state: "veryHidden", rows: row(1, "id") }, { name: "second" }];
  await assertRejects(() => read(sheets), ParseError, 'only hidden sheets have values, 1 "first" (hidden)');
  await assertRejects(() => read([{}]), ParseError, "it is empty, none of its sheets has a cell with a value");
  await assertRejects(
    () => read(sheets, { sheet: "frist" }),
    RangeError,
    'did you mean "first"; the sheets are 1 "first" (hidden), 2',
  );
  await assertRejects(() => read(sheets, { sheet: 3 }), RangeError, "there is no such sheet");
  await assertRejects(
    () => read(sheets, { sheet: 2 }),
    ParseError,
    'the sheet "second" of the table a.xlsx: it is empty',
  );
});

Deno.test("readWorkbookTable() leaves out rows that repeat the header, and says where", async () => {
  const rows = row(1, "strain", "day") + row(2, "A", number(41399)) + row(3, "strain", "day") +
    row(4, "B", number(41400)) + row(5, "strain", "x");
  const { table, entries } = await read(rows, { formats: [14] });
  assertEquals(table.rows, [["A", "2013-05-05"], ["B", "2013-05-06"], ["strain", "x"]]);
  const [{ code, count, text }] = entries;
  assertEquals([code, count], ["header-repeated", 1]);
  assertStringIncludes(text, "repeats the header: left out, row 3");
});
