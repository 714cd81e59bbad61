import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { RegistryClient } from "../../../../src/core/client/mod.ts";
import { checkAccessions } from "../../../../src/core/registry/plan/accession_list.ts";
import { ExportRun } from "../../../../src/core/registry/exports/export_run.ts";

const ACCESSIONS = ["vj000000000001", "vj000000000002", "vj000000000003"];

/** A run for three records at a registry that has two of them, exported without their accessions. */
async function exportCountries(names: () => Response) {
  const asked: string[] = [];
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: async (request) => {
      const { download } = await request.json();
      asked.push(download.information);
      if (download.information === "registry_accessions") return names();
      return new Response("Country\nKenya\nPeru\n", { headers: { "content-type": "text/csv" } });
    },
  });
  const scope = { list: checkAccessions(ACCESSIONS) };
  const run = new ExportRun(client, { scope, information: "metadata", fileType: "csv", metadata: ["Country"] });
  let text = "";
  for await (const chunk of run.bytes()) text += new TextDecoder().decode(chunk);
  assertEquals(text, "Country\nKenya\nPeru\n");
  return { ledger: run.ledger(), provenance: run.provenance(), asked };
}

const tsv = (text: string) => new Response(text, { headers: { "content-type": "text/tab-separated-values" } });

Deno.test("an export without accessions asks the registry for the names of what did not come", async () => {
  const list = () => tsv("Registry Accession\nvj000000000001\nvj000000000003\n");
  const { ledger, provenance, asked } = await exportCountries(list);

  assertEquals([ledger.missing, ledger.received, ledger.complete], [["vj000000000002"], 2, false]);
  assertEquals(ledger.reasons, ["1 of 3 asked for is missing: vj000000000002"]);
  assertEquals(asked, ["metadata", "registry_accessions"]);
  assertEquals(provenance.bytes, 19);
});

Deno.test("it says that names cannot be told when the registry does not tell them", async (t) => {
  const answers: Record<string, [names: () => Response, says: string]> = {
    "a refusal": [() => Response.json({ detail: "not today" }, { status: 400 }), "not today"],
    "more names than records": [() => tsv(`Registry Accession\n${ACCESSIONS.join("\n")}\n`), "asked for is missing"],
  };
  for (const [name, [answer, says]] of Object.entries(answers)) {
    await t.step(name, async () => {
      const { ledger } = await exportCountries(answer);
      assertEquals([ledger.missing, ledger.complete, ledger.reasons.length], [[], false, 1]);
      assertStringIncludes(ledger.reasons[0], "1 of 3 asked for is missing; the export has no accessions");
      assertStringIncludes(ledger.reasons[0], says);
    });
  }
});

Deno.test("an export that is read twice is an error: its ledger would count both readings", async () => {
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: () => Promise.resolve(tsv("Registry Accession\nvj000000000001\n")),
  });
  const run = new ExportRun(client, {
    scope: { query: "country:Kenya" },
    information: "registry_accessions",
    fileType: "tsv",
  });
  for await (const _ of run.bytes());
  assertThrows(() => run.bytes(), TypeError, "Cannot read an export twice");
  assertEquals([run.ledger().received, run.ledger().complete], [1, true]);
});
