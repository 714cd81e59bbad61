import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { tableFromHits } from "../../../../src/core/tables/mod.ts";
import { exactRows, schemaOf } from "../_frames.ts";
import { A, B, COUNTRY, LENGTH } from "../_fields.ts";

Deno.test("tableFromHits() types hits of other registries", async () => {
  const source = { "Registry Accession": A, tags: ["a", "b"], nested: { x: 1 }, big: 2 ** 60, absent: undefined };
  const table = await tableFromHits([{ id: "1", score: 1, source }, {
    id: "2",
    score: null,
    source: { "Registry Accession": B, late: "x" },
  }]);
  assertEquals(exactRows(await table.frame()), [
    {
      "Registry Accession": A,
      tags: ["a", "b"],
      nested: '{"x":1}',
      big: "1152921504606847000",
      absent: null,
      late: null,
    },
    { "Registry Accession": B, tags: null, nested: null, big: null, absent: null, late: "x" },
  ]);
  assertStringIncludes(table.problems[0].reason, "digits may be lost");
});

Deno.test("a value that is nested too deep is refused by its hit and field", async () => {
  const x = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const hits = [{ id: A, score: 1, source: { "Registry Accession": A } }, { id: B, score: 1, source: { x } }];
  await assertRejects(
    () => tableFromHits(hits),
    RangeError,
    'Cannot read hit 2, field "x": Cannot write JSON: lists and objects are within each other more than 500 times',
  );
});

Deno.test("no hits give an empty frame with the types asked for", async () => {
  const table = await tableFromHits([], { columns: ["Country", "Sequence Length"], definitions: [COUNTRY, LENGTH] });
  assertEquals(schemaOf(await table.frame()), [["Country", "DataType(String)"], [
    "Sequence Length",
    "DataType(Int64)",
  ]]);
  assertEquals((await table.frame()).height, 0);
  assert(table.ledger.complete);
});
