/** Workbooks as programs write them, and what is no workbook. */
import { assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { openWorkbook } from "../../../../src/core/io/workbook/workbook.ts";
import { makeWorkbook, row, workbookParts, zipOf } from "./_workbook.ts";

async function readTexts(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, string[][]>> {
  using workbook = await openWorkbook(bytes, { name: "a.xlsx" });
  const found: Record<string, string[][]> = {};
  for (const sheet of workbook.sheets) {
    const batches = await Array.fromAsync(workbook.readSheet(sheet).rows);
    found[sheet.name] = batches.flat().map(({ texts }) => [...texts]);
  }
  return found;
}

const ROWS = row(1, "id", "é") + row(2, "a", "<c><v>1</v></c>");
const TEXTS = { Sheet1: [["id", "é"], ["a", "1"]] };

Deno.test("openWorkbook() finds the parts by their relationships", async (t) => {
  const parts = workbookParts([{ rows: ROWS }]);
  const replaced = (from: string | RegExp, to: string | ((...found: string[]) => string)) =>
    Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, text.replaceAll(from, to as string)]));
  const moved = Object.fromEntries(
    Object.entries(parts).map(([path, text]) => [path.replace("xl/", "Excel\\"), text.replace("xl/", "/Excel/")]),
  );
  const chart = '<sheet name="chart" sheetId="9" r:id="rId9"/><sheet name="Sheet1"';
  const cases: Record<string, Record<string, string>> = {
    "as usual": parts,
    "the strict edition": replaced(
      "schemas.openxmlformats.org/officeDocument/2006",
      "purl.oclc.org/ooxml/officeDocument",
    ),
    "absolute targets": replaced('Target="worksheets/', 'Target="/xl/worksheets/'),
    "other folders, with backslashes": moved,
    "names in other case": replaced("worksheets/sheet1.xml", "Worksheets/Sheet1.xml"),
    "another prefix of relationships": replaced(/\b(xmlns:)?r([:=])/g, (_, xmlns = "", end) => `${xmlns}rel${end}`),
    "prefixes of their own": Object.fromEntries(
      Object.entries(parts).map(([path, text]) => [
        path,
        text.replaceAll(/<(\/?)(\w)/g, "<$1p:$2").replace("xmlns=", "xmlns:p="),
      ]),
    ),
    "elements of extensions with the same names": {
      ...parts,
      "xl/workbook.xml": parts["xl/workbook.xml"].replace(
        "</sheets>",
        '</sheets><extLst xmlns:e="urn:e"><e:sheet name="x"/><ext xmlns="urn:e"><sheet name="y"/></ext></extLst>',
      ),
      "xl/worksheets/sheet1.xml": parts["xl/worksheets/sheet1.xml"].replace(
        "</row>",
        '<e:c xmlns:e="urn:e"><v>7</v></e:c><c xmlns="urn:e"><v>8</v></c></row>',
      ),
    },
    "a sheet of a chart": {
      ...parts,
      "xl/workbook.xml": parts["xl/workbook.xml"].replace('<sheet name="Sheet1"', chart),
      "xl/_rels/workbook.xml.rels": parts["xl/_rels/workbook.xml.rels"].replace(
        "</Rel",
        '<Relationship Id="rId9" Type="x/chartsheet" Target="chartsheets/sheet1.xml"/></Rel',
      ),
    },
    "without styles and shared texts": Object.fromEntries(
      Object.entries(parts).filter(([path]) => !/styles|shared/.test(path)),
    ),
  };
  for (const [what, files] of Object.entries(cases)) {
    await t.step(what, async () => assertEquals(await readTexts(await zipOf(files)), TEXTS));
  }
});

Deno.test("openWorkbook() reads parts in UTF-16", async () => {
  const parts = workbookParts([{ rows: ROWS }]);
  const path = "xl/worksheets/sheet1.xml";
  const codes = Array.from(`\ufeff${parts[path]}`, (character) => character.charCodeAt(0));
  const little = new Uint8Array(Uint16Array.from(codes).buffer);
  const big = Uint8Array.from(codes.flatMap((code) => [code >> 8, code & 0xff]));
  for (const bytes of [little, big, little.slice(2), big.slice(2)]) {
    assertEquals(await readTexts(await zipOf({ ...parts, [path]: bytes })), TEXTS);
  }
  const latin = Uint8Array.from(codes.slice(1));
  await assertRejects(async () => readTexts(await zipOf({ ...parts, [path]: latin })), ParseError, "not valid utf-8");
});

Deno.test("openWorkbook() reads streams", async () => {
  const bytes = await makeWorkbook([{ rows: ROWS }]);
  using workbook = await openWorkbook(new Response(bytes));
  assertEquals(workbook.sheets.map(({ name, number, isHidden }) => [name, number, isHidden]), [["Sheet1", 1, false]]);
});

Deno.test("openWorkbook() reads a sheet of 200,000 rows in batches", async () => {
  const count = 200_000;
  const rows = Array.from({ length: count }, (_, index) => `<row r="${index + 1}"><c><v>${index}</v></c></row>`);
  using workbook = await openWorkbook(await makeWorkbook([{ rows: rows.join("") }]));
  let [read, batches] = [0, 0];
  for await (const batch of workbook.readSheet(workbook.sheets[0]).rows) {
    batches++;
    for (const { number, texts } of batch) if (number === ++read) assertEquals(texts, [String(read - 1)]);
  }
  assertEquals([read, batches > 10], [count, true]);
});

Deno.test("openWorkbook() refuses what is no workbook, and says what it is", async (t) => {
  const parts = workbookParts([{ rows: ROWS }]);
  const without = (path: string) => Object.fromEntries(Object.entries(parts).filter(([name]) => name !== path));
  const cases: Record<string, [files: Record<string, string>, says: string]> = {
    "another archive": [{ "a.csv": "id\n" }, "it is a ZIP archive, and not an Excel workbook"],
    "a binary workbook": [{ "xl/workbook.bin": "" }, "it is a binary workbook (.xlsb)"],
    "an OpenDocument file": [{ "mimetype": "", "content.xml": "<a/>" }, "it is an OpenDocument file"],
    "a document": [{ ...parts, "xl/workbook.xml": "<document/>" }, "it is a ZIP archive, and not an Excel workbook"],
    "a sheet that is missing": [without("xl/worksheets/sheet1.xml"), 'the file of its sheet "Sheet1" is missing'],
    "a list of sheets that is cut": [
      { ...parts, "xl/workbook.xml": "<workbook><sheets>" },
      "xl/workbook.xml in a.xlsx",
    ],
    "styles that are cut": [{ ...parts, "xl/styles.xml": "<styleSheet>" }, "xl/styles.xml in a.xlsx"],
    "shared texts that are cut": [{ ...parts, "xl/sharedStrings.xml": "<sst" }, "xl/sharedStrings.xml in a.xlsx"],
    "a DOCTYPE": [{ ...parts, "xl/worksheets/sheet1.xml": "<!DOCTYPE x><worksheet/>" }, "it declares a DOCTYPE"],
  };
  for (const [what, [files, says]] of Object.entries(cases)) {
    await t.step(what, async () => {
      const bytes = await zipOf(files);
      await assertRejects(() => readTexts(bytes), ParseError, says);
    });
  }
});

Deno.test("openWorkbook() refuses texts that inflate to far more than their file", async () => {
  const giant = " ".repeat(1 << 26);
  const cases: Record<string, [rows: string, shared: string[]]> = {
    "cell A3 has more than a million characters": [`<row r="3"><c t="str"><v>${giant}</v></c></row>`, []],
    "text 1 has more than a million characters": [ROWS, [`<t>${giant}</t>`]],
  };
  for (const [says, [rows, shared]] of Object.entries(cases)) {
    const bytes = await makeWorkbook([{ rows }], { shared });
    assertEquals(bytes.length < 200_000, true, `${bytes.length} bytes`);
    await assertRejects(() => readTexts(bytes), ParseError, says);
  }
});

Deno.test("openWorkbook() ends with the signal's reason", async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => `<row r="${index + 1}"><c><v>1</v></c></row>`).join("");
  const controller = new AbortController();
  using workbook = await openWorkbook(await makeWorkbook([{ rows }]), { signal: controller.signal });
  const reading = workbook.readSheet(workbook.sheets[0]).rows;
  await reading.next();
  controller.abort(new Error("stopped"));
  await assertRejects(() => Array.fromAsync(reading), Error, "stopped");
});
