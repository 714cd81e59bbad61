import { assert, assertEquals, assertFalse } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { accessionsXml, metadataXml, xmlName } from "../../../../src/embedded/service/operations/export_xml.ts";
import { batchesOf, columnsOf, join, RUNS, table, text } from "../_random_tables.ts";

Deno.test("XML is well-formed whatever names and values are", async () => {
  await fc.assert(
    fc.asyncProperty(table, async ([names, rows]) => {
      for (
        const xml of [
          await join(metadataXml(batchesOf(rows), columnsOf(names))),
          await join(accessionsXml(batchesOf(rows), names[0])),
        ]
      ) {
        assertEquals(XMLValidator.validate(xml), true, xml);
        // deno-lint-ignore no-control-regex
        assertFalse(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(xml), JSON.stringify(xml));
        assertEquals(xml.split("<record>").length - 1, rows.length);
      }
    }),
    RUNS,
  );
});

Deno.test("xmlName() gives names that XML allows", () => {
  fc.assert(fc.property(text, (name) => assert(/^(?!xml)[A-Za-z_][A-Za-z0-9._-]*$/i.test(xmlName(name)))), RUNS);
});
