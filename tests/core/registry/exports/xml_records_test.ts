/** Which records an XML export holds, whatever its namespaces. */
import { assertEquals } from "@std/assert";
import { XmlWatch } from "../../../../src/core/registry/exports/xml_records.ts";

function accessionsIn(xml: string): string[] {
  const found: string[] = [];
  const records = new XmlWatch({ onAccession: (accession) => void found.push(accession) });
  records.push(xml);
  records.end();
  return found;
}

Deno.test("XmlRecords finds accessions by the names of the root's namespace", async (t) => {
  const [first, second] = ["vj000000000001", "vj000000000002"];
  const cases: Readonly<Record<string, readonly [xml: string, accessions: string[]]>> = {
    "without a namespace": [`<r><x><registry_accession>${first}</registry_accession></x></r>`, [first]],
    "a prefix": [
      `<p:r xmlns:p="urn:p"><p:x><p:registry_accession>${first}</p:registry_accession></p:x></p:r>`,
      [first],
    ],
    "an accession of another namespace before its own": [
      `<r xmlns:n="urn:n"><x><n:registry_accession>${second}</n:registry_accession>` +
      `<registry_accession>${first}</registry_accession></x></r>`,
      [first],
    ],
    "an accession of another namespace alone": [
      `<r xmlns:n="urn:n"><x><n:registry_accession>${second}</n:registry_accession></x></r>`,
      [second],
    ],
  };
  for (const [what, [xml, accessions]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals(accessionsIn(xml), accessions));
  }
});
