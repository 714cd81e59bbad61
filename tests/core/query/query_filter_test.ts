import { assertEquals, assertThrows } from "@std/assert";
import { lookupFields } from "../../../src/core/query/fields.ts";
import { evaluateQuery } from "../../../src/core/query/query_evaluate.ts";
import { MAX_FILTER_ENTRIES, MAX_FILTER_VALUES, readFilters } from "../../../src/core/query/query_filter.ts";
import { CriteriaError } from "../../../src/core/query/criteria_error.ts";
import type { SearchFilter } from "../../../src/core/contract/search.ts";
import { definitionsOf } from "../../embedded/service/_archives.ts";

const LOOKUP = lookupFields(definitionsOf({
  columns: ["Country", "Sequence Length", "Segmented", "Tags"],
  rows: [],
  types: { "Sequence Length": "integer", Segmented: "boolean", Tags: "list" },
}));

const RECORDS: readonly (readonly string[])[] = [
  ["vj000000000001", "Germany", "1000", "true", "a; b"],
  ["vj000000000002", "germany", "1e3", "false", "b"],
  ["vj000000000003", "", "1000 nt", "", ""],
];

const one = (field: string, value: unknown): SearchFilter[] => [{ field, value }];

Deno.test("readFilters() holds all fields, and any value of one field", async (t) => {
  const cases: readonly (readonly [what: string, filter: SearchFilter[], found: readonly number[]])[] = [
    ["nothing", [], [1, 2, 3]],
    ["a text exactly as it stands", one("Country", "Germany"), [1]],
    ["an alias", one("country", "germany"), [2]],
    ["no value", one("Country", ""), [3]],
    ["alternatives in an array", one("Country", ["Germany", "germany"]), [1, 2]],
    ["alternatives in entries", [...one("Country", "Germany"), ...one("country", "")], [1, 3]],
    ["two fields", [...one("Country", ["Germany", "germany"]), ...one("Segmented", false)], [2]],
    ["a boolean", one("Segmented", true), [1]],
    ["a number as a number", one("Sequence Length", 1000), [1, 2]],
    ["a number as a text", one("Sequence Length", "1000"), [1]],
    ["a number and a text", one("Sequence Length", [1000, "1000 nt"]), [1, 2, 3]],
    ["an element of a list", one("Tags", "b"), [1, 2]],
    ["the whole of a list", one("Tags", "a; b"), [1]],
    ["a wildcard is a letter", one("Country", "*"), []],
  ];
  for (const [what, filter, found] of cases) {
    await t.step(what, () => {
      const node = readFilters(filter, LOOKUP);
      assertEquals(RECORDS.flatMap((values, index) => evaluateQuery(node, values) ? [index + 1] : []), found);
    });
  }
});

Deno.test("readFilters() refuses other values and unknown fields, and names the position", async (t) => {
  const good = { field: "Country", value: "x" };
  const cases: readonly (readonly [what: string, filter: SearchFilter[], loc: (string | number)[], says: string])[] = [
    ["unknown field", [good, ...one("Contry", "x")], ["filter", 1, "field"], 'did you mean "country"?'],
    ["null", [good, ...one("Country", null)], ["filter", 1, "value"], "got null"],
    ["an object", one("Country", {}), ["filter", 0, "value"], "got object"],
    ["nothing", one("Country", undefined), ["filter", 0, "value"], "got undefined"],
    ["an empty array", one("Country", []), ["filter", 0, "value"], "an empty array"],
    ["an array in an array", one("Country", [["x"]]), ["filter", 0, "value"], "an array in an array"],
    ["an object in an array", one("Country", ["x", {}]), ["filter", 0, "value"], "got object"],
    ["not a number", one("Country", NaN), ["filter", 0, "value"], "got number"],
    ["too many values", one("Country", Array(MAX_FILTER_VALUES + 1).fill("x")), ["filter"], "at most"],
    ["too many entries", Array(MAX_FILTER_ENTRIES + 1).fill(good), ["filter"], "at most"],
  ];
  for (const [what, filter, loc, says] of cases) {
    await t.step(what, () => {
      const error = assertThrows(() => readFilters(filter, LOOKUP), CriteriaError, says);
      assertEquals(error.loc, loc);
    });
  }
});
