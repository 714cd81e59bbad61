/**
 * Every number that a chart shows equals the one that DuckDB computes over the same Parquet;
 * `tests/checks/analysis/real_numbers.ts` does the same over real records.
 */
import { compareAll } from "./_compare_all.ts";
import { sampleWorld } from "./_worlds.ts";

Deno.test("numbers of the sample are those of DuckDB", async (t) => {
  await using world = await sampleWorld();
  await compareAll(world.lake, t, {
    bins: "10",
    length: "Sequence Length",
    species: "Species",
    host: "Host Species",
    collection: "Collection Date",
    release: "Release Date",
    cluster: "Cluster",
    gc: "GC Content",
    molecule: "Molecule Type",
    family: "Family",
    country: "Country",
    submitter: "Submitter Country",
    isolate: "Isolate",
    segment: "Segment",
    completeness: "Genome Completeness",
    ambiguous: "Ambiguous Bases",
  });
});
