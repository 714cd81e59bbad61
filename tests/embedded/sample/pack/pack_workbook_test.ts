/** packArchives() with a workbook for its table. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { makeWorkbook, row, type SheetXml, type WorkbookXml } from "../../../core/io/workbook/_workbook.ts";
import { pack } from "./_pack.ts";

const FASTA = ">a\nACGT\n>b\nAC\n";

async function packWorkbook(sheets: readonly SheetXml[], xml: WorkbookXml & { readonly sheet?: string | number } = {}) {
  const names = { metadata: "m.xlsx" };
  const metadata = await makeWorkbook(sheets, xml);
  return await pack(FASTA, "", { metadata, names, ...xml.sheet !== undefined && { sheet: xml.sheet } });
}

Deno.test("packArchives() keeps the times of a workbook's dates, and counts its bytes", async () => {
  const date = (serial: number) => `<c s="1"><v>${serial}</v></c>`;
  const rows = row(1, "strain", "date") + row(2, "a", date(41399.0097222222)) + row(3, "b", date(41400));
  const { packed, records } = await packWorkbook([{ rows }], { formats: [22] });
  assertEquals(records.map((record) => record["Collection Date"]), ["2013-05-05T00:14:00", "2013-05-06T00:00:00"]);
  const size = (await makeWorkbook([{ rows }], { formats: [22] })).length;
  assertEquals(packed.provenance.bytes, FASTA.length + size);
});

Deno.test("packArchives() reports a workbook's formulas without values and its errors in the ledger", async () => {
  const rows = row(1, "strain", "host", "note") + row(2, "a", "<c><f>C2</f></c>", "x") +
    row(3, "b", '<c t="e"><v>#N/A</v></c>', "y");
  const { packed, records } = await packWorkbook([{ rows }]);
  assertEquals(records.map((record) => record["Host Species"]), ["", ""]);
  assertEquals([packed.ledger.complete, packed.ledger.reasons.length], [false, 1]);
  assertStringIncludes(packed.ledger.reasons[0], "1 formula without a stored value read as empty (B2)");
  assertEquals(packed.ledger.warnings, ["1 cell with an error read as empty: B3 (#N/A)"]);
});

Deno.test("packArchives() reads the sheet that is named", async () => {
  const sheet = (country: string) => row(1, "strain", "country") + row(2, "a", country) + row(3, "b", country);
  const sheets: SheetXml[] = [{ rows: sheet("Peru") }, { name: "new", rows: sheet("Chile") }];
  const first = await packWorkbook(sheets);
  assertEquals(first.records.map((record) => record["Country"]), ["Peru", "Peru"]);
  assertEquals([first.packed.ledger.complete, first.packed.ledger.warnings.length], [true, 1]);
  assertStringIncludes(first.packed.ledger.warnings[0], '"Sheet1" was read, and not 2 "new"');
  for (const sheet of ["new", "2", 2]) {
    const { packed, records } = await packWorkbook(sheets, { sheet });
    assertEquals(records.map((record) => record["Country"]), ["Chile", "Chile"]);
    assertEquals(packed.ledger.warnings, []);
  }
  await assertRejects(() => packWorkbook(sheets, { sheet: "old" }), RangeError, "there is no such sheet");
  await assertRejects(() => pack(FASTA, "id\na\n", { sheet: 1 }), RangeError, "the table is not a workbook");
});
