import { assertEquals } from "@std/assert";
import { closeLedger } from "../../../../src/core/contract/ledger.ts";
import { suggestForNoMatch, suggestValue, withSuggestion } from "../../../../src/core/registry/plan/no_match.ts";
import { noteEntry } from "../../../../src/core/contract/ledger_entries.ts";

const NAMES = ["Registry Accession", "Country", "Host Species", "Sequence Length"];
const VALUES = "no records match: check how the values are spelt, or leave out one clause or filter at a time";

Deno.test("suggestForNoMatch() names a field that is unknown, and the nearest one", async (t) => {
  const rows: Record<string, [query: string, filter: { field: string; value: unknown }[], expected: string]> = {
    "alias": ["contry:Kenya", [], 'no field is called "contry", did you mean "country"?'],
    "public name": [
      "",
      [{ field: "Host Specis", value: "x" }],
      'no field is called "Host Specis", did you mean "Host Species"?',
    ],
    "second clause": ["country:Kenya host:bat", [], 'no field is called "host", did you mean "host_species"?'],
    "in brackets": ["(lenght:>5 OR country:Kenya)", [], 'no field is called "lenght"'],
    "negated": ["-contry:Kenya", [], 'no field is called "contry"'],
    "known fields": ["country:Kenia sequence_length:>5", [{ field: "Country", value: "x" }], VALUES],
    "known fields in capitals": ["COUNTRY:HAITI", [{ field: "HOST SPECIES", value: "x" }], VALUES],
    "quoted": ['"contry:Kenya"', [], VALUES],
    "free text": ["kenia", [], VALUES],
    "a value with a colon": ['country:"a b:c"', [], VALUES],
  };
  for (const [name, [query, filter, expected]] of Object.entries(rows)) {
    await t.step(name, () => {
      const suggestion = suggestForNoMatch({ query, filter }, NAMES);
      assertEquals(suggestion.includes(expected), true, suggestion);
    });
  }
});

Deno.test("suggestForNoMatch() guesses no field of a registry whose fields are not known", () => {
  assertEquals(suggestForNoMatch({ query: "contry:Kenya" }, ["Registry Accession"]), VALUES);
});

Deno.test("suggestValue() names the value that is near, of facets and of records", async (t) => {
  const results = [{ id: "1", score: null, source: { "Host Species": "Homo sapiens", "Country": "Côte d'Ivoire" } }];
  const sample = { results, facets: { Country: { Kenya: 3, Germany: 9 } } };
  const rows: Record<
    string,
    [query: string, filter: { field: string; value: unknown }[], expected: string | undefined]
  > = {
    "facet value": ["country:Kenia", [], "country:Kenya?"],
    "value of a record, quoted": ['host_species:"homo sapien"', [], 'host_species:"Homo sapiens"?'],
    "filter": ["", [{ field: "Country", value: "Kenia" }], "Country=Kenya?"],
    "second clause": ["country:Kenya host_species:homo", [], 'host_species:"Homo sapiens"?'],
    "a value that there is": ["country:kenya", [], undefined],
    "nothing near": ["country:Xyzzy", [], undefined],
    "a range": ["sequence_length:[1 TO 2]", [], undefined],
    "a wildcard": ["country:Keni*", [], undefined],
    "a number": ["", [{ field: "Country", value: 3 }], undefined],
  };
  for (const [name, [query, filter, expected]] of Object.entries(rows)) {
    await t.step(name, () => {
      const suggestion = suggestValue({ query, filter }, sample);
      if (expected === undefined) assertEquals(suggestion, undefined);
      else assertEquals(suggestion?.endsWith(expected), true, suggestion);
    });
  }
});

Deno.test("withSuggestion() asks for values only where the fields are known, and never of a ledger with records", async (t) => {
  const none = closeLedger({ promised: 0, received: 0, unique: 0, entries: [noteEntry("unchanged", "odd")] });
  const some = closeLedger({ promised: 1, received: 1, unique: 1 });
  const sample = { results: [], facets: { Country: { Kenya: 3 } } };
  const gone = () => Promise.reject(new Error("the registry is gone"));
  const rows: Record<string, [query: string, names: boolean, samples: boolean, warning: string, asked: string[]]> = {
    "a value": ["country:Kenia", true, true, "no records match: no record has country:Kenia, did you mean", [
      "names",
      "sample",
    ]],
    "a field": ["contry:Kenia", true, true, 'no records match: no field is called "contry"', ["names"]],
    "nothing near": ["country:Xyzzy", true, true, VALUES, ["names", "sample"]],
    "a registry that does not answer": ["contry:Kenia", false, false, VALUES, ["names", "sample"]],
  };
  for (const [name, [query, names, samples, warning, expected]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const asked: string[] = [];
      const registry = {
        names: () => (asked.push("names"), names ? Promise.resolve(NAMES) : gone()),
        sample: () => (asked.push("sample"), samples ? Promise.resolve(sample) : gone()),
      };
      const { warnings } = await withSuggestion(none, { query }, registry);
      assertEquals([warnings.length, warnings[0], warnings[1].startsWith(warning)], [2, "odd", true], warnings[1]);
      assertEquals(asked, expected);
      assertEquals(await withSuggestion(some, { query }, registry), some);
      assertEquals(asked, expected);
    });
  }
});
