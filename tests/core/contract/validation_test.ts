import { assert, assertEquals } from "@std/assert";
import {
  checkDefinitionsRequest,
  checkDownloadRequest,
  type Checked,
  checkSearchRequest,
  checkSearchResponse,
  checkSequenceRequest,
  checkSequenceResponse,
} from "../../../src/core/contract/validation.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";

function locsOf(checked: Checked<unknown>): string[] {
  return checked.ok ? [] : checked.issues.map(({ loc }) => loc.join("."));
}

Deno.test("a search's body is checked field by field", async (t) => {
  const cases: Record<string, [body: unknown, locs: string[]]> = {
    "all fields": [
      {
        query: "a:b",
        filter: [{ field: "F", value: [1] }],
        pageSize: 1,
        pageNumber: 2,
        sortColumn: "F",
        sortOrder: "asc",
      },
      [],
    ],
    "an empty query": [{ query: "" }, []],
    "an unknown field": [{ query: "", colour: 1 }, []],
    "a null filter value": [{ query: "", filter: [{ field: "F", value: null }] }, []],
    "no body": [undefined, ["body"]],
    "an array": [[], ["body"]],
    "no query": [{}, ["body.query"]],
    "an array of clauses": [{ query: ["a:b"] }, ["body.query"]],
    "an object": [{ query: { query: "a" } }, ["body.query"]],
    "a filter without a value": [{ query: "", filter: [{ field: "F" }] }, ["body.filter.0.value"]],
    "a filter without a field": [{ query: "", filter: [{ value: 1 }] }, ["body.filter.0.field"]],
    "a filter that is an object": [{ query: "", filter: { field: "F", value: 1 } }, ["body.filter"]],
    "a page size that is a text": [{ query: "", pageSize: "50" }, ["body.pageSize"]],
    "a page size of 0": [{ query: "", pageSize: 0 }, ["body.pageSize"]],
    "half a page": [{ query: "", pageNumber: 1.5 }, ["body.pageNumber"]],
    "another order": [{ query: "", sortOrder: "up" }, ["body.sortOrder"]],
    "two faults": [{ query: 1, pageSize: true }, ["body.query", "body.pageSize"]],
  };
  for (const [name, [body, locs]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(locsOf(checkSearchRequest(body)), locs));
  }
});

Deno.test("a long list of faults ends after a hundred of them", async (t) => {
  const wrong = Array.from({ length: 1000 }, (_, index) => index % 2 === 0 ? "vj1" : "vj000000000001");
  const cases: Record<string, [checked: Checked<unknown>, first: string, last: string]> = {
    "accessions": [
      checkSequenceRequest({ registry_accessions: wrong }),
      "body.registry_accessions.0",
      "body.registry_accessions.198",
    ],
    "a selection": [
      checkDownloadRequest({
        search: { query: "" },
        download: { scope: "selection", information: "metadata", fileType: "csv", selected_ids: wrong },
      }),
      "body.download.selected_ids.0",
      "body.download.selected_ids.198",
    ],
    "filters": [checkSearchRequest({ query: "", filter: wrong }), "body.filter.0", "body.filter.99"],
    "names": [checkDefinitionsRequest({ fields: wrong.map(() => 1) }), "body.fields.0", "body.fields.99"],
  };
  for (const [name, [checked, first, last]] of Object.entries(cases)) {
    await t.step(name, () => {
      const locs = locsOf(checked);
      assertEquals([locs.length, locs[0], locs[99]], [101, first, last]);
    });
  }
});

Deno.test("a download's body is checked field by field", async (t) => {
  const search = { query: "" };
  const download = { scope: "max", information: "metadata", fileType: "csv" };
  const cases: Record<string, [body: unknown, locs: string[]]> = {
    "the least": [{ search, download }, []],
    "nulls where they are allowed": [{ search, download: { ...download, keys: null, metadata: null } }, []],
    "a selection": [{ search, download: { ...download, scope: "selection", selected_ids: ["vj000000000001"] } }, []],
    "a selection of nothing": [{ search, download: { ...download, scope: "selection" } }, [
      "body.download.selected_ids",
    ]],
    "a malformed accession": [
      { search, download: { ...download, selected_ids: ["vj1"] } },
      ["body.download.selected_ids.0"],
    ],
    "another scope": [{ search, download: { ...download, scope: "all" } }, ["body.download.scope"]],
    "another information": [{ search, download: { ...download, information: "all" } }, ["body.download.information"]],
    "another file type": [{ search, download: { ...download, fileType: "zip" } }, ["body.download.fileType"]],
    "other keys": [{ search, download: { ...download, keys: "names" } }, ["body.download.keys"]],
    "metadata as a text": [{ search, download: { ...download, metadata: "Country" } }, ["body.download.metadata"]],
    "no search": [{ download }, ["body.search"]],
    "no download": [{ search }, ["body.download"]],
  };
  for (const [name, [body, locs]] of Object.entries(cases)) {
    await t.step(name, () => assertEquals(locsOf(checkDownloadRequest(body)), locs));
  }
});

Deno.test("information for accession lists travels as the naming spells it", () => {
  const naming = namingOf({ registry: "genomebank" });
  const body = (information: string) => ({
    search: { query: "a" },
    download: { scope: "max", information, fileType: "tsv" },
  });
  const checked = checkDownloadRequest(body("genomebank_accessions"), naming);

  assert(checked.ok);
  assertEquals(checked.value.download.information, "registry_accessions");
  assertEquals(locsOf(checkDownloadRequest(body("registry_accessions"), naming)), ["body.download.information"]);
});

Deno.test("a sequence request is a list of accessions under the naming's key", () => {
  const naming = namingOf({ registry: "genomebank" });

  assertEquals(locsOf(checkSequenceRequest({ registry_accessions: ["vj000000000001"] })), []);
  assertEquals(locsOf(checkSequenceRequest({ registry_accessions: [] })), []);
  assertEquals(locsOf(checkSequenceRequest({ genomebank_accessions: ["vj000000000001"] }, naming)), []);
  assertEquals(locsOf(checkSequenceRequest({})), ["body.registry_accessions"]);
  assertEquals(locsOf(checkSequenceRequest({ registry_accessions: ["vj0000000000012"] })), [
    "body.registry_accessions.0",
  ]);
});

Deno.test("a definitions request is a list of names", () => {
  assertEquals(locsOf(checkDefinitionsRequest({ fields: [] })), []);
  assertEquals(locsOf(checkDefinitionsRequest({})), ["body.fields"]);
  assertEquals(locsOf(checkDefinitionsRequest({ fields: ["Country", 1] })), ["body.fields.1"]);
});

Deno.test("unknown fields of an answer survive, facets of any shape pass", () => {
  const answer = {
    total: 1,
    results: [{ id: "1", score: null, source: { "Registry Accession": "vj000000000001" }, highlight: ["x"] }],
    facets: [["odd", 1]],
    query: { text: "a" },
    took: 3,
  };
  const checked = checkSearchResponse(answer);

  assert(checked.ok);
  assertEquals(checked.value, answer);
  assertEquals(locsOf(checkSearchResponse({ ...answer, total: "1" })), ["body.total"]);
  assertEquals(locsOf(checkSearchResponse({ ...answer, results: [{ id: 1, score: null, source: {} }] })), [
    "body.results.0.id",
  ]);
  assertEquals(locsOf(checkSequenceResponse({ vj000000000001: 1 })), ["body.vj000000000001"]);
});
