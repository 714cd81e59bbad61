/** A figure of a result that is incomplete says so, and one of a page of a search. */
import { assert, assertEquals } from "@std/assert";
import { Registry } from "../../../mod.ts";
import { rarefaction, recordsInTime, topTaxa, worldMap } from "../../../src/analysis/mod.ts";
import { tableFromCsv } from "../../../src/core/tables/mod.ts";

const isGap = (note: string) => note.startsWith("The data is incomplete");

Deno.test("analyses of an incomplete result name what is absent, those of a complete one do not", async () => {
  await using registry = await Registry.open();
  const hits = await registry.search("country:Kenya", { pageSize: 20 });
  const some = await registry.metadata({ ids: [...hits.accessions, "vj999999999999"] });
  for (const analyse of [topTaxa, recordsInTime, worldMap, rarefaction]) {
    const { notes, chart } = await analyse(some);
    assertEquals(notes.filter(isGap), ["The data is incomplete: 1 of 21 asked for is missing: vj999999999999"]);
    assert(chart?.notes.some(isGap));
    assertEquals((await analyse(await registry.metadata({ ids: hits.accessions }))).notes.filter(isGap), []);
  }
  const { notes } = await topTaxa(hits);
  assertEquals(notes.filter(isGap), [`The data is incomplete: one page of a search, 20 records of ${hits.total}`]);
  assertEquals((await topTaxa(await registry.search("country:Kenya", { all: true }))).notes.filter(isGap), []);
});

Deno.test("rows of a table that could not be read are counted below the figure", async () => {
  const csv = "Accession,Species\nA,x\nB,y,z\nC,w\n";
  const { chart, notes } = await topTaxa(await tableFromCsv(new TextEncoder().encode(csv)));
  assert(chart?.caption.includes("1 row could not be read"), chart?.caption);
  assertEquals(notes.filter(isGap).length, 1);
});
