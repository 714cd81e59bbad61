/** What number formats add to a number, and what is reported of it. */
import { assertEquals } from "@std/assert";
import { readWorkbookTable } from "../../../../src/core/io/workbook/workbook_table.ts";
import { makeWorkbook, row } from "./_workbook.ts";

const number = (value: number | string, style = 1) => `<c s="${style}"><v>${value}</v></c>`;

/** Reads a column of cells by their XML: texts, and codes and texts of what is reported. */
async function readColumn(
  cells: readonly string[],
  formats: readonly (string | number)[],
  name = "value",
): Promise<{ readonly texts: readonly string[]; readonly codes: readonly string[]; readonly said: string }> {
  const rows = cells.map((cell, index) => row(index + 2, `row ${index + 2}`, cell)).join("");
  const bytes = await makeWorkbook([{ rows: row(1, "id", name) + rows }], { formats });
  const { table, entries } = await readWorkbookTable(bytes, { name: "a.xlsx" });
  const said = entries.map(({ text }) => text).join();
  return { texts: table.rows.map(([, value]) => value), codes: entries.map(({ code }) => code), said };
}

Deno.test("readWorkbookTable() reads identifiers as their cells show them", async (t) => {
  const cases: Record<string, [format: string, values: (number | string)[], texts: string[]]> = {
    "leading zeros": ["00007".replaceAll(/\d/g, "0"), [7, 0, 123456], ["00007", "00000", "123456"]],
    "a prefix": ['"EPI_"0', [7, "402124"], ["EPI_7", "EPI_402124"]],
    "a prefix with zeros": ['"EPI_ISL_"000000', [7], ["EPI_ISL_000007"]],
    "an escaped prefix": ["\\I\\D\\-0", [7], ["ID-7"]],
    "a prefix and a suffix": ['"S"00".1"', [7], ["S07.1"]],
    "a prefix of any number": ['"S"General', [7], ["S7"]],
    "a prefix with digits": ['"2020-"0', [7], ["2020-7"]],
    "a prefix that is like a placeholder": ['"0"0', [7], ["07"]],
    "digits in groups": ["000\\-0000", [5551234, 12], ["555-1234", "000-0012"]],
    "digits in groups without zeros": ["##\\-####", [130457, 12, 1234567], ["13-0457", "-12", "123-4567"]],
    "digits in groups of three": ["###\\-###\\-####", [5551234567], ["555-123-4567"]],
    "digits in groups of which the last has zeros": ["##\\.###\\-#00", [12345678, 7], ["12.345-678", ".-07"]],
    "groups with zeros and a blank": ["000\\ 000", [12345], ["012 345"]],
    "digits after a point": ['"v"0.00', [1.1], ["v1.10"]],
    "other sections": ['"S"0;-0;;@', [7], ["S7"]],
    "a colour": ["[Red]000", [7], ["007"]],
  };
  for (const [what, [format, values, texts]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const found = await readColumn(values.map((value) => number(value)), [format]);
      assertEquals([found.texts, found.codes], [texts, []]);
    });
  }
});

Deno.test("readWorkbookTable() reads numbers as numbers, whatever their format adds", async (t) => {
  const blanks = [
    "# ##0",
    "#\\ ##0",
    '#" "##0',
    "#\\ ###\\ ##0",
    "#'##0",
    "#\\.##0",
    '"$"# ##0',
    "[$€-407] #\u00a0##0",
  ];
  const formats = [
    ...blanks,
    "0.00",
    "#,##0",
    '"$"#,##0.00',
    "[$€-407] 0.00",
    "# ?/?",
    "0.00E+00",
    "[>1]000;0",
    "@",
    "00.00",
  ];
  for (const format of formats) {
    await t.step(format, async () => {
      const cells = [7, 0.5, -7, 12345].map((value) => number(value));
      const { texts, codes } = await readColumn(cells, [format]);
      assertEquals([texts, codes], [["7", "0.5", "-7", "12345"], []]);
    });
  }
  await t.step("what a cell does not show as an identifier", async () => {
    assertEquals((await readColumn([number(7.5), number(-7)], ["00000"])).texts, ["7.5", "-7"]);
  });
});

Deno.test("readWorkbookTable() says which text of number formats it left out", async () => {
  const { texts, codes, said } = await readColumn([number(29903), number(3, 2)], ['0" bp"', "0.0\\x"]);
  assertEquals([texts, codes], [["29903", "3"], ["units-left-out"]]);
  assertEquals(said, '2 cells with text of their number format, left out: B2 ("bp"), B3 ("x")');
  const rounded = await readColumn([number(7), number(7.5), number(-7)], ['"EPI_"0']);
  assertEquals(rounded.texts, ["EPI_7", "7.5", "-7"]);
  assertEquals(rounded.said, '2 cells with text of their number format, left out: B3 ("EPI_"), B4 ("EPI_")');
});

Deno.test("readWorkbookTable() says which months and years hold a day", async () => {
  const { texts, codes, said } = await readColumn([43845, 43831, 43850.5].map((each) => number(each)), [17]);
  assertEquals([texts, codes], [["2020-01", "2020-01", "2020-01"], ["dates-shortened"]]);
  assertEquals(
    said,
    "2 cells that show a month or a year, and hold a day, read as shown: B2 (2020-01-15), B4 (2020-01-20)",
  );
  assertEquals((await readColumn([number(0.5)], ["yyyy"])).codes, ["dates-outside-calendar"]);
});

Deno.test("readWorkbookTable() says which dates are among texts, and may have been names", async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const names = await readColumn([number(44256), text("TP53"), text("NA"), text("BRCA1")], [16], "gene");
  assertEquals([names.texts, names.codes], [["2021-03-01", "TP53", "NA", "BRCA1"], ["dates-among-texts"]]);
  assertEquals(
    names.said,
    'the column "gene" of the sheet "Sheet1" of the table a.xlsx has dates among texts, such as 2021-03-01 in B2 ' +
      "(1 cell): a spreadsheet program may have made them of names such as MARCH1 or 3-1",
  );
  const dates = await readColumn([number(44256), number(44257), text("2021-03"), text("unknown"), text("in May")], [
    14,
  ]);
  assertEquals(dates.codes, []);
});

Deno.test("readWorkbookTable() reads percents as the numbers that their cells show", async (t) => {
  const typed = '<c t="inlineStr"><is><t>51%</t></is></c>';
  const cells = [0.4812, 1, 0, -0.07, "0.28999999999999998", 1e-9].map((value) => number(value));
  for (const format of [9, 10, "0.0%", "0 %;[Red]-0 %"]) {
    await t.step(String(format), async () => {
      const { texts, codes, said } = await readColumn([...cells, typed], [format], "GC");
      assertEquals([texts, codes], [["48.12", "100", "0", "-7", "29", "1e-7", "51"], ["percents-read"]]);
      assertEquals(
        said,
        'the column "GC" of the sheet "Sheet1" of the table a.xlsx shows percent: 48.12% in B2 is read as 48.12, and ' +
          "so on (6 cells)",
      );
    });
  }
  await t.step("among other numbers", async () => {
    const { texts, said } = await readColumn([number(0.4812), "<c><v>51</v></c>"], ["0.00%"], "GC");
    assertEquals(texts, ["48.12%", "51"]);
    assertEquals(
      said,
      'the column "GC" of the sheet "Sheet1" of the table a.xlsx has other numbers too, which mean something else: ' +
        "percents keep their sign, as 48.12% in B2 (1 cell)",
    );
  });
  await t.step("a percent sign in quotes", async () => {
    assertEquals((await readColumn([number(48)], ['0"%"'])).texts, ["48"]);
  });
});
