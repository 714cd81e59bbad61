import { assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { tableFromXml } from "../../../../src/core/tables/mod.ts";
import { bytesOf } from "../_frames.ts";

Deno.test("tableFromXml() reads other structures", async (t) => {
  const forms: Record<string, string> = {
    "fields with names": `<r><row><field name="Country">Kenya</field><field name="Host">bat</field></row></r>`,
    "nested":
      `<response><total>1</total><records><record><Country>Kenya</Country><Host>bat</Host></record></records></response>`,
    "CDATA": `<r><row><Country><![CDATA[Kenya]]></Country><Host>bat</Host></row></r>`,
    "a prefix": `<x:r xmlns:x="urn:x"><x:row><x:Country>Kenya</x:Country><x:Host>bat</x:Host></x:row></x:r>`,
    "references": `<r><row><Country>K&#101;ny&#x61;</Country><Host>bat</Host></row></r>`,
  };
  for (const [form, xml] of Object.entries(forms)) {
    await t.step(form, async () => {
      const table = await tableFromXml(bytesOf(xml));
      assertEquals((await table.frame()).toRecords(), [{ Country: "Kenya", Host: "bat" }]);
    });
  }
  await t.step("a record of empty fields is a record", async () => {
    assertEquals((await tableFromXml(bytesOf("<r><row><a/><b/></row></r>"))).rows, 1);
  });
  await t.step("no records", async () => {
    for (const xml of ["<records/>", "<records>\n</records>", "<records><record/></records>"]) {
      assertEquals((await tableFromXml(bytesOf(xml))).rows, 0);
    }
  });
});

Deno.test("tableFromXml() refuses records of which a field holds elements, and passes over what is around records", async () => {
  const nested = (id: string) => `<record><id>${id}</id><hosts><host>bat</host></hosts></record>`;
  const documents = {
    "an accession": `<r>${nested("vj000000000001")}</r>`,
    "two records": `<r>${nested("a")}${nested("b")}</r>`,
    "a record as the root": "<record><id>vj000000000001</id><hosts><host>bat</host></hosts></record>",
    "a field that comes later": "<r><record><hosts><host>bat</host></hosts><id>vj000000000001</id></record></r>",
  };
  for (const [what, xml] of Object.entries(documents)) {
    const refused = () => tableFromXml(bytesOf(xml), { name: "a.xml" });
    await assertRejects(refused, ParseError, "<record> has the value <id> next to elements", what);
  }
  const page = (number: number) => `<page><number>${number}</number><rows><row><a>1</a></row></rows></page>`;
  const pages = () => tableFromXml(bytesOf(`<r>${page(1)}${page(2)}</r>`));
  await assertRejects(pages, ParseError, "<page> has the value <number> next to elements");
  const wrapped = "<r><answer><total>2</total><time>3</time>" +
    "<records><row><a>1</a></row><row><a>2</a></row></records><end>0</end></answer></r>";
  assertEquals((await tableFromXml(bytesOf(wrapped))).texts("a"), ["1", "2"]);
});

Deno.test("tableFromXml() refuses what is not XML, and what is dangerous", async (t) => {
  const faults: Record<string, string> = {
    "cut short": "<records><record><a>1</a></record>",
    "a CSV": "a,b\n1,2\n",
    "nothing": "  ",
    "entities of its own": '<!DOCTYPE r [<!ENTITY a "aaaa">]><r><x><y>&a;</y></x></r>',
  };
  for (const [fault, xml] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await assertRejects(() => tableFromXml(bytesOf(xml), { name: "a.xml" }), ParseError, "Cannot read a.xml");
    });
  }
  await t.step("too large", async () => {
    const long = bytesOf(`<r><x><y>${"long ".repeat(100)}</y></x></r>`);
    await assertRejects(() => tableFromXml(long, { maxRecordLetters: 50 }), RangeError, "ask for CSV");
    const many = bytesOf(`<r>${"<x>\n <y>short</y>\n</x>\n".repeat(100)}</r>`);
    assertEquals((await tableFromXml(many, { maxRecordLetters: 50 })).rows, 100);
  });
});
