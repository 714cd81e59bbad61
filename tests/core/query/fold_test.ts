import { assertEquals } from "@std/assert";
import { evaluateQuery } from "../../../src/core/query/query_evaluate.ts";
import { fold } from "../../../src/core/query/fold.ts";
import { lookupFields } from "../../../src/core/query/fields.ts";
import { parseQuery } from "../../../src/core/query/query_parser.ts";
import { definitionsOf } from "../../embedded/service/_archives.ts";

const LOOKUP = lookupFields(definitionsOf({ columns: ["Isolate"], rows: [] }));
const holds = (query: string, value: string) => evaluateQuery(parseQuery(query, LOOKUP), ["vj000000000001", value]);

Deno.test("fold() makes texts equal that differ in case or in their form alone", () => {
  for (
    const [one, other] of [["ZIKA", "zika"], ["CO\u0302TE", "côte"], ["H\u0331efa", "\u1e96EFA"], ["ΟΔΟΣ", "οδοσ"]]
  ) {
    assertEquals(fold(one), fold(other));
  }
});

Deno.test("a pattern or a word in capitals finds what it is in lower case, whatever follows it in the value", () => {
  const cases: readonly (readonly [query: string, value: string])[] = [
    ["isolate:ΟΔΟΣ*", "ΟΔΟΣΑ"],
    ["isolate:*Σ*Α", "οσα"],
    ["ΟΔΟΣ", "ΟΔΟΣ.ΑΒ"],
    ["οδος", "Α'ΟΔΟΣ'Β οδοσ"],
    ["isolate:\u1e96efa", "H\u0331efa"],
    ["isolate:H\u0331*", "\u1e96efa"],
  ];
  for (const [query, value] of cases) assertEquals(holds(query, value), true, query);
});
