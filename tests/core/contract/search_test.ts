import { assert, assertEquals } from "@std/assert";
import { checkSearchResponse } from "../../../src/core/contract/validation.ts";
import { FIELDS } from "./_archives.ts";
import { assertInvalid } from "./_assert.ts";
import { type Face, onBothFaces } from "./_registry.ts";

const PATH = "/v2/search";

async function search({ post }: Face, body: unknown) {
  const response = await post(PATH, body);
  const json = await response.json();
  assertEquals(response.status, 200, JSON.stringify(json));
  assertEquals(response.headers.get("content-type"), "application/json");
  const checked = checkSearchResponse(json);
  assert(checked.ok, JSON.stringify(json).slice(0, 500));
  return checked.value;
}

Deno.test("POST /v2/search answers as sections 2.2, 2.3 and 4.4 have it", async (t) => {
  await onBothFaces(t, {
    "an empty query matches everything; pages hold 50 by default": async (face) => {
      const found = await search(face, { query: "" });
      assertEquals(Object.keys(found), ["total", "results", "facets", "query"]);
      assertEquals(found.total, face.records.length);
      assertEquals(found.results.length, 50);
      assertEquals(found.query, "");
    },
    "a hit has id, score and source; source has every public field": async (face) => {
      const { results } = await search(face, { query: "", pageSize: 1 });
      assertEquals(Object.keys(results[0]), ["id", "score", "source"]);
      assertEquals(typeof results[0].score, "number");
      assertEquals(Object.keys(results[0].source), ["Registry Accession", ...Object.keys(FIELDS)]);
    },
    "values have their type only where nothing is lost": async (face) => {
      const { results } = await search(face, { query: "", pageSize: 9, sortColumn: "registry_accession" });
      const column = (name: string) => results.map(({ source }) => source[name]);
      assertEquals(column("Sequence Length"), [10, 9, 2, 3, 1, 4, 5, "37 years", 10]);
      assertEquals(column("Isolate")[1], "0042");
      assertEquals(column("GC Content").slice(3, 7), [1, null, "0.50", 12.5]);
      assertEquals(column("Segmented").slice(2, 6), [true, false, null, "yes"]);
      assertEquals(column("Sequence Name")[4], "<b>&amp;</b> ]]> \u0000\u0007\u001b[2J\ufffe");
      assertEquals(column("Collection Date")[0], "2013-12-XX");
    },
    "clauses in one string all hold": async (face) => {
      const found = await search(face, { query: "country:Kenya segmented:true" });
      assertEquals(found.results.map(({ id }) => id), ["vj000000000003"]);
      assertEquals(found.query, "country:Kenya segmented:true");
    },
    "filters take the public name or the alias; several all hold": async (face) => {
      const filter = [{ field: "Country", value: "Peru" }, { field: "sequence_length", value: 4 }];
      assertEquals((await search(face, { query: "", filter })).results.map(({ id }) => id), ["vj000000000006"]);
    },
    "an array in a filter lists alternatives": async (face) => {
      const filter = [{ field: "Country", value: ["Kenya", "Peru"] }];
      assertEquals((await search(face, { query: "", filter })).total, 7);
    },
    "an explicit sort makes every score null and puts records in order": async (face) => {
      const found = await search(face, { query: "country:Kenya", sortColumn: "sequence_length", sortOrder: "desc" });
      assertEquals(found.results.map(({ source }) => source["Sequence Length"]), [10, 3, 2]);
      assertEquals(found.results.map(({ score }) => score), [null, null, null]);
    },
    "sortOrder is asc by default, and harmless without sortColumn": async (face) => {
      const found = await search(face, { query: "country:Kenya", sortColumn: "Sequence Length" });
      assertEquals(found.results.map(({ source }) => source["Sequence Length"]), [2, 3, 10]);
      assertEquals((await search(face, { query: "", sortOrder: "desc", pageSize: 1 })).results.length, 1);
    },
    "pages are disjoint and cover the total": async (face) => {
      const ids = new Set<string>();
      for (let pageNumber = 1; pageNumber <= 5; pageNumber++) {
        const { results } = await search(face, { query: "", pageSize: 70, pageNumber });
        for (const { id } of results) ids.add(id);
      }
      assertEquals(ids.size, face.records.length);
    },
    "a page past the last record is empty": async (face) => {
      const found = await search(face, { query: "country:Kenya", pageNumber: 2 });
      assertEquals([found.total, found.results.length], [3, 0]);
    },
    "nothing found is no error": async (face) => {
      const found = await search(face, { query: "country:Atlantis" });
      assertEquals([found.total, found.results.length], [0, 0]);
    },
    "facets count values of a field, most frequent first": async (face) => {
      const { facets } = await search(face, { query: "", pageSize: 1 });
      assert(typeof facets === "object" && facets !== null && "Country" in facets && Array.isArray(facets.Country));
      for (const entry of facets.Country) assertEquals(Object.keys(entry), ["value", "count"]);
      const counts: number[] = facets.Country.map(({ count }: { count: number }) => count);
      assertEquals(counts, counts.toSorted((a, b) => b - a));
    },
    "unknown request fields are ignored": async (face) => {
      assertEquals((await search(face, { query: "", colour: "red", pageSize: 1 })).results.length, 1);
    },
    "of duplicate keys the last wins": async (face) => {
      assertEquals((await search(face, '{"query":"country:Peru","query":"country:Kenya"}')).total, 3);
    },
    "__proto__ is a key like any other": async (face) => {
      const body = '{"__proto__":{"pageSize":1},"query":"","constructor":{"prototype":{"pageSize":1}}}';
      assertEquals((await search(face, body)).results.length, 50);
      assertEquals(({} as Record<string, unknown>).pageSize, undefined);
    },
  });
});

Deno.test("POST /v2/search refuses with 422, points at the field and says what was expected", async (t) => {
  const query = "";
  const refusals: Record<string, [body: unknown, loc: (string | number)[], says: string]> = {
    "no query": [{}, ["body", "query"], "expected a string"],
    "query is an array": [{ query: ["country:Kenya"] }, ["body", "query"], "expected a string"],
    "query is wrapped": [{ query: { query: "" } }, ["body", "query"], "expected a string"],
    "query is null": [{ query: null }, ["body", "query"], "expected a string"],
    "body is an array": [[], ["body"], "expected an object"],
    "body is null": ["null", ["body"], "expected an object"],
    "body is a number": ["7", ["body"], "expected an object"],
    "unknown field in the query": [{ query: "colour:red" }, ["body", "query"], "colour"],
    "filter is an object": [{ query, filter: {} }, ["body", "filter"], "expected an array"],
    "filter entry is a text": [{ query, filter: ["a"] }, ["body", "filter", 0], "expected an object"],
    "filter without field": [{ query, filter: [{ value: 1 }] }, ["body", "filter", 0, "field"], "expected a string"],
    "filter without value": [{ query, filter: [{ field: "Country" }] }, ["body", "filter", 0, "value"], "expected"],
    "filter of an unknown field": [
      { query, filter: [{ field: "Country", value: "x" }, { field: "Countri", value: "x" }] },
      ["body", "filter", 1, "field"],
      "Countri",
    ],
    "filter value null": [
      { query, filter: [{ field: "Country", value: null }] },
      ["body", "filter", 0, "value"],
      "expected a string, a number, a boolean or an array",
    ],
    "filter value an object": [
      { query, filter: [{ field: "Country", value: { eq: 1 } }] },
      ["body", "filter", 0, "value"],
      "expected",
    ],
    "filter value a nested array": [
      { query, filter: [{ field: "Country", value: ["a", ["b"]] }] },
      ["body", "filter", 0, "value", 1],
      "expected a string, a number or a boolean",
    ],
    "filter value infinite": [
      '{"query":"","filter":[{"field":"sequence_length","value":1e999}]}',
      ["body", "filter", 0, "value"],
      "expected",
    ],
    "pageSize 0": [{ query, pageSize: 0 }, ["body", "pageSize"], "at least 1"],
    "pageSize negative": [{ query, pageSize: -1 }, ["body", "pageSize"], "at least 1"],
    "pageSize 10001": [{ query, pageSize: 10_001 }, ["body", "pageSize"], "10000"],
    "pageSize a fraction": [{ query, pageSize: 1.5 }, ["body", "pageSize"], "integer"],
    "pageSize a text": [{ query, pageSize: "50" }, ["body", "pageSize"], "integer"],
    "pageSize a boolean": [{ query, pageSize: true }, ["body", "pageSize"], "integer"],
    "pageSize 1e999": ['{"query":"","pageSize":1e999}', ["body", "pageSize"], "integer"],
    "pageNumber 0": [{ query, pageNumber: 0 }, ["body", "pageNumber"], "at least 1"],
    "pageNumber beyond 2^53": ['{"query":"","pageNumber":9007199254740993}', ["body", "pageNumber"], "integer"],
    "page begins past record 10,000": [{ query, pageNumber: 201 }, ["body", "pageNumber"], "past record 10000"],
    "the greatest page number": [
      { query, pageNumber: Number.MAX_SAFE_INTEGER, pageSize: 10_000 },
      ["body", "pageNumber"],
      "past record 10000",
    ],
    "sortColumn unknown": [{ query, sortColumn: "Countri" }, ["body", "sortColumn"], "Countr"],
    "sortColumn empty": [{ query, sortColumn: "" }, ["body", "sortColumn"], "no field"],
    "sortColumn __proto__": [{ query, sortColumn: "__proto__" }, ["body", "sortColumn"], "__proto__"],
    "sortColumn SQL": [{ query, sortColumn: 'Country"; DROP TABLE x' }, ["body", "sortColumn"], "no field"],
    "sortOrder unknown": [{ query, sortOrder: "up" }, ["body", "sortOrder"], "asc, desc"],
    "sortOrder in capitals": [{ query, sortOrder: "ASC" }, ["body", "sortOrder"], "asc, desc"],
  };
  const rules = Object.entries(refusals).map(([name, [body, loc, says]]) =>
    [name, async ({ post }: Face) => await assertInvalid(await post(PATH, body), loc, says)] as const
  );
  await onBothFaces(t, Object.fromEntries(rules), { count: 20 });
});

Deno.test("search reaches the first 10,000 matching records", async (t) => {
  await onBothFaces(t, {
    "the last page that begins before the end": async (face) => {
      const found = await search(face, { query: "", pageSize: 50, pageNumber: 200 });
      assertEquals([found.total, found.results.length], [10_040, 50]);
    },
    "a page that crosses the end is cut there": async (face) => {
      const found = await search(face, { query: "", pageSize: 3000, pageNumber: 4 });
      assertEquals(found.results.length, 1000);
    },
    "the greatest page": async (face) => {
      assertEquals((await search(face, { query: "", pageSize: 10_000 })).results.length, 10_000);
    },
    "a max download is not cut": async ({ post }) => {
      const response = await post("/v2/download", {
        search: { query: "*" },
        download: { scope: "max", information: "registry_accessions", fileType: "tsv" },
      });
      assertEquals((await response.text()).split("\n").length, 10_042);
    },
    "a selection is: only its first 10,000 IDs are processed": async ({ post, records }) => {
      const unknown = Array.from({ length: 9990 }, (_, index) => `vj9${String(index).padStart(11, "0")}`);
      const selected_ids = [...unknown, ...records.slice(0, 20).map(({ accession }) => accession)];
      const response = await post("/v2/download", {
        search: { query: "" },
        download: { scope: "selection", information: "registry_accessions", fileType: "tsv", selected_ids },
      });
      const lines = (await response.text()).trimEnd().split("\n");
      assertEquals(lines, ["Registry Accession", ...records.slice(0, 10).map(({ accession }) => accession)]);
    },
  }, { count: 10_040 });
});
