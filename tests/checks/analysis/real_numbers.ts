/**
 * Every number that a chart of real records shows equals the one that DuckDB computes. Run by `deno task checks
 * real-numbers`; `tests/analysis/numbers_test.ts` compares the sample.
 */
import { testWithRealData } from "../../_needs.ts";
import { compareAll } from "../../analysis/_compare_all.ts";
import { REAL_SETS, realWorld } from "../../analysis/_worlds.ts";

for (const name of Object.keys(REAL_SETS)) {
  testWithRealData(`numbers of ${name} are those of DuckDB`, async (_, t) => {
    await using world = await realWorld(name);
    await compareAll(world.lake, t, {
      bins: { zika: "200", sarscov2: "2000" }[name],
      length: "Sequence Length",
      gc: "GC Content",
      ambiguous: "Ambiguous Bases",
      species: "Species",
      collection: "Collection Date",
      cluster: "Cluster",
      country: "Country",
      isolate: "Isolate",
      segment: "Segment",
      ...name === "sarscov2" && { host: "Host Species", release: "Release Date" },
    });
  });
}
