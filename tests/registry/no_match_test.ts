import { assertEquals } from "@std/assert";
import { suggestForNoMatch } from "../../src/registry/plan/no_match.ts";

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
