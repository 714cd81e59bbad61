import { assertEquals, assertNotEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { RegistryClient } from "../../../../src/core/client/mod.ts";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
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

const ONE = "Registry Accession\nvj000000000001";

Deno.test("an export may be cut where it ends within a line without a length, whatever identity is called", async () => {
  const headers: Record<string, [headers: Record<string, string>, warnings: number]> = {
    "no coding": [{}, 1],
    "a coding that is none": [{ "content-encoding": "Identity" }, 1],
    "a length": [{ "content-length": String(ONE.length) }, 0],
  };
  for (const [what, [added, warnings]] of Object.entries(headers)) {
    const client = new RegistryClient("http://127.0.0.1", {
      fetch: () =>
        Promise.resolve(new Response(ONE, { headers: { "content-type": "text/tab-separated-values", ...added } })),
    });
    const scope = { query: "country:Kenya" };
    const run = new ExportRun(client, { scope, information: "registry_accessions", fileType: "tsv" });
    for await (const _ of run.bytes());
    assertEquals(run.ledger().entries.filter(({ code }) => code === "line-end-absent").length, warnings, what);
  }
});

Deno.test("an XML document that is an error without elements is no empty export", async () => {
  const read = async (body: string) => {
    const client = new RegistryClient("http://127.0.0.1", {
      fetch: () => Promise.resolve(new Response(body, { headers: { "content-type": "application/xml" } })),
    });
    const run = new ExportRun(client, { scope: { query: "x" }, information: "metadata", fileType: "xml" });
    for await (const _ of run.bytes());
    return run;
  };
  for (const root of ["error", "ErrorResponse", "ns:Exception", "fault"]) {
    const body = `<${root} xmlns:ns="urn:x" message="the index is down"/>`;
    await assertRejects(() => read(body), ParseError, "expected metadata as XML");
  }
  assertEquals((await read('<records count="0"/>')).matched, false);
});

Deno.test("the provenance of an export in batches tells one list from another", async () => {
  const requests = await Promise.all([ACCESSIONS.slice(0, 2), ACCESSIONS.slice(1)].map(async (ids) => {
    const client = new RegistryClient("http://127.0.0.1", {
      fetch: async (request) => {
        const { download } = await request.json();
        return tsv(`Registry Accession\n${download.selected_ids.join("\n")}\n`);
      },
    });
    const scope = { list: checkAccessions(ids) };
    const request = { scope, information: "registry_accessions", fileType: "tsv" } as const;
    const run = new ExportRun(client, request, { batchSize: 1 });
    for await (const _ of run.bytes());
    return run.provenance().request;
  }));
  assertNotEquals(requests[0], requests[1]);
});

Deno.test("a refusal that repeats the whole list is understood, and the list divided", async () => {
  const ids = Array.from({ length: 6000 }, (_, index) => formatAccession(index + 1));
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: async (request) => {
      const { download: { selected_ids: input } } = await request.json();
      const issue = { loc: ["body", "download", "selected_ids"], msg: "at most 3000 items", type: "too_long", input };
      return input.length > 3000
        ? Response.json({ detail: [issue] }, { status: 422 })
        : tsv(`Registry Accession\n${input.join("\n")}\n`);
    },
  });
  const scope = { list: checkAccessions(ids) };
  const run = new ExportRun(client, { scope, information: "registry_accessions", fileType: "tsv" });
  for await (const _ of run.bytes());
  assertEquals([run.requests, run.ledger().received, run.ledger().complete], [2, 6000, true]);
});
