/**
 * The records of one XML export as its three readers see them: the watch that counts accessions while text goes by, the
 * table, and what tells of a naming that does not fit.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { ExportHead } from "../../../../src/core/registry/exports/export_naming.ts";
import { XmlWatch } from "../../../../src/core/registry/exports/xml_records.ts";
import { tableFromXml } from "../../../../src/core/tables/from/from_xml.ts";

const ONE = "vj000000000001";
const TWO = "vj000000000002";
const OTHER = "vj000000000099";
const FIELD = SPECIFICATION_NAMING.accessionField;

interface Form {
  /** What a record is, by its accession. */
  readonly record: (accession: string) => string;
  /** Accessions that are counted for a record; its own by default. */
  readonly counted?: (accession: string) => readonly string[];
  /** What the table calls the column of accessions, or its rows without one, or words of its error. */
  readonly table: string | number | { readonly error: string };
  /** What the accession is called in the line that a naming lacks. */
  readonly spelled?: string;
}

const host = "<Host>bat</Host>";

const FORMS: Readonly<Record<string, Form>> = {
  "elements": {
    record: (id) => `<record><Registry_Accession>${id}</Registry_Accession>${host}</record>`,
    table: FIELD,
  },
  "elements called by aliases": {
    record: (id) => `<record><registry_accession>${id}</registry_accession><host>bat</host></record>`,
    table: "registry_accession",
  },
  "labels": {
    record: (id) => `<row><field name="${FIELD}">${id}</field><field name="Host">bat</field></row>`,
    table: FIELD,
  },
  "keys": {
    record: (id) => `<row><value key="registry_accession">${id}</value><value key="host">bat</value></row>`,
    table: "registry_accession",
  },
  "groups of records": {
    record: (id) => `<group><record><Registry_Accession>${id}</Registry_Accession>${host}</record></group>`,
    table: FIELD,
  },
  "CDATA": {
    record: (id) => `<record><Registry_Accession><![CDATA[${id}]]></Registry_Accession>${host}</record>`,
    table: FIELD,
  },
  "references, and line breaks around the accession": {
    record: (id) => `<record><Registry_Accession>\n  &#x76;${id.slice(1)}\n</Registry_Accession>${host}</record>`,
    table: FIELD,
  },
  "no other field": { record: (id) => `<record><Registry_Accession>${id}</Registry_Accession></record>`, table: FIELD },
  "another accession after it": {
    record: (id) =>
      `<record><Registry_Accession>${id}</Registry_Accession><Host_Accession>${OTHER}</Host_Accession></record>`,
    table: FIELD,
  },
  "another accession before it": {
    record: (id) =>
      `<record><Host_Accession>${OTHER}</Host_Accession><Registry_Accession>${id}</Registry_Accession></record>`,
    table: FIELD,
  },
  "a note that is an accession": {
    record: (id) => `<record><Registry_Accession>${id}</Registry_Accession><Note>${OTHER}</Note></record>`,
    table: FIELD,
  },
  "another spelling": {
    record: (id) => `<record><GenomeBank_Accession>${id}</GenomeBank_Accession>${host}</record>`,
    table: "GenomeBank_Accession",
    spelled: '"Registry Accession": "GenomeBank Accession"',
  },
  "another spelling of a label": {
    record: (id) => `<row><field name="GenomeBank Accession">${id}</field><field name="Host">bat</field></row>`,
    table: "GenomeBank Accession",
    spelled: '"Registry Accession": "GenomeBank Accession"',
  },
  "an element called accession": {
    record: (id) => `<record><accession>${id}</accession>${host}</record>`,
    table: "accession",
    spelled: '"registry_accession": "accession"',
  },
  // Only the values show it: what passes by counts the elements below the root, and the naming has to be corrected.
  "a name that is nothing like it": {
    record: (id) => `<record><code>${id}</code>${host}</record>`,
    counted: () => [],
    table: "code",
    spelled: '"registry_accession": "code"',
  },
  // A table has the texts of elements: what an attribute has is counted, and names a record in the ledger.
  "an attribute": { record: (id) => `<record accession="${id}">${host}</record>`, table: 2 },
  "attributes alone": { record: (id) => `<record accession="${id}" host="bat"/>`, table: 0 },
  // A list of accessions is no table of metadata: it is one record with a value for each.
  "accessions directly below the root": {
    record: (id) => `<id>${id}</id>`,
    table: 1,
    spelled: '"registry_accession": "id"',
  },
  "two accessions in a record": {
    record: (id) =>
      `<record><Registry_Accession>${id}</Registry_Accession><Registry_Accession>${OTHER}</Registry_Accession></record>`,
    counted: (id) => [id, OTHER],
    table: 2,
  },
  "an empty accession": { record: () => `<record><Registry_Accession/>${host}</record>`, counted: () => [], table: 2 },
  "no accession": { record: () => `<record><Country>Peru</Country>${host}</record>`, counted: () => [], table: 2 },
  // No column holds what is within an element, and its parts are no records.
  "a list within a record": {
    record: (id) =>
      `<record><Registry_Accession>${id}</Registry_Accession><Hosts><Host>bat</Host><Host>cat</Host></Hosts></record>`,
    table: { error: "<record> has the value <Registry_Accession> next to elements" },
  },
  "an object within a record, before its accession": {
    record: (id) =>
      `<record><Host><Order>bat</Order><Age>3</Age></Host><Registry_Accession>${id}</Registry_Accession></record>`,
    table: { error: "<record> has the value <Registry_Accession> next to elements" },
  },
};

const ownAlone = (id: string): readonly string[] => [id];

function countAccessions(xml: string): string[] {
  const found: string[] = [];
  const watch = new XmlWatch({ onAccession: (accession) => void found.push(accession) });
  watch.push(xml);
  watch.end();
  return found;
}

async function findSpelling(xml: string): Promise<string | undefined> {
  const head = new ExportHead();
  head.add(new TextEncoder().encode(xml));
  return await head.findMismatch("xml", { separator: ",", naming: SPECIFICATION_NAMING, isList: false });
}

Deno.test("the readers of XML exports count and name the same records, or a table refuses them", async (t) => {
  for (const [name, { record, counted = ownAlone, table, spelled }] of Object.entries(FORMS)) {
    await t.step(name, async () => {
      const xml = `<?xml version="1.0"?>\n<records>\n${record(ONE)}\n${record(TWO)}\n</records>\n`;
      const bytes = new TextEncoder().encode(xml);

      assertEquals(countAccessions(xml), [ONE, TWO].flatMap(counted));
      const mismatch = await findSpelling(xml);
      assert(spelled === undefined ? mismatch === undefined : mismatch?.includes(spelled), mismatch);
      if (typeof table === "string") assertEquals((await tableFromXml(bytes)).texts(table), [ONE, TWO]);
      else if (typeof table === "number") assertEquals((await tableFromXml(bytes)).rows, table);
      else await assertRejects(() => tableFromXml(bytes), ParseError, table.error);
    });
  }
});
