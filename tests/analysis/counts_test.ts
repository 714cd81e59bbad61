import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import * as analyses from "../../src/analysis/mod.ts";

const RECORDS = 400;

/** Values of records by their field, missing, unreadable and implausible ones among them. */
const VALUES: Readonly<Record<string, readonly (string | number | null)[]>> = {
  Country: ["Kenya", "Peru", null, "unknown", "Atlantis", ""],
  "Submitter Country": ["Kenya", "Peru", null],
  Family: ["Flaviviridae", "Filoviridae", null, "NA"],
  Genus: ["Orthoflavivirus", null],
  Species: ["Zika virus", "Ebola virus", null],
  Host: ["Homo sapiens", "Aedes", null, "unknown"],
  "Sequence Length": [10_800, 10_700, null, -5, 18_900],
  "GC Content": [50.5, null, 120, 45],
  "Ambiguous Bases": [0, 5, null, -1],
  Completeness: ["complete", "partial", null],
  "Molecule Type": ["RNA", "DNA", null],
  "Collection Date": ["2016", "2016-01-05", null, "2016-02", "2999-01-01", "abc"],
  "Release Date": ["2017-01-05", null, "2016-01-01"],
  Cluster: ["c1", "c2", null],
};

Deno.test("what an analysis shows, excludes and misses are all records", async () => {
  const rows = Array.from({ length: RECORDS }, (_, row) => row);
  const columns = Object.entries(VALUES).map(([name, values], column) =>
    pl.Series(name, rows.map((row) => values[((row * 2_654_435_761 + column * 40_503) >>> 7) % values.length]))
  );
  const frame = pl.DataFrame([pl.Series("accession", rows.map((row) => `A${row}`)), ...columns]);
  const made = {
    clusterSizes: await analyses.clusterSizes(frame),
    fieldCompleteness: await analyses.fieldCompleteness(frame),
    gcByMolecule: await analyses.gcByMolecule(frame),
    hostRange: await analyses.hostRange(frame),
    lengthByFamily: await analyses.lengthByFamily(frame),
    lengthDistribution: await analyses.lengthDistribution(frame),
    qualityTiers: await analyses.qualityTiers(frame),
    rarefaction: await analyses.rarefaction(frame),
    recordsInTime: await analyses.recordsInTime(frame),
    releaseLag: await analyses.releaseLag(frame),
    submissionFlow: await analyses.submissionFlow(frame),
    topTaxa: await analyses.topTaxa(frame),
    worldMap: await analyses.worldMap(frame),
  };
  for (const [name, { counts, chart }] of Object.entries(made)) {
    const { n = 0, excluded = 0, missing = 0 } = counts ?? {};
    assertEquals([name, n + excluded + missing], [name, RECORDS]);
    assertEquals(chart?.caption.startsWith(`n = ${n} record`), true, name);
  }
});

Deno.test("clusterQuality() counts pairs without a number as missing, and those beyond 100 % as excluded", async () => {
  const { counts, notes } = await analyses.clusterQuality(pl.DataFrame({
    representative: ["a", "a", "a", "a", "b"],
    member: ["c", "d", "e", "f", "b"],
    identity: pl.Series("identity", [99, NaN, 98, 101, 100], pl.Float64),
    coverage: pl.Series("coverage", [99, 90, null, 90, 100], pl.Float64),
  }));
  assertEquals([counts?.n, counts?.excluded, counts?.missing], [1, 2, 2]);
  assertEquals(notes.filter((note) => note.includes("NaN")), []);
});
