import { assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import {
  completenessBySource,
  fieldCompleteness,
  schemaCard,
  segmentsPerIsolate,
  stratifiedSample,
  submissionFlow,
  topTaxa,
  worldMap,
} from "../../../src/analysis/mod.ts";

const SEGMENTS = ["PB2", "PB1", "PA", "HA", "NP", "NA", "M", "NS"];

const flu = pl.DataFrame({
  "Registry Accession": SEGMENTS.flatMap((name) => [`a${name}`, `b${name}`]),
  Species: SEGMENTS.flatMap(() => ["Influenza A virus", "Influenza A virus"]),
  Isolate: SEGMENTS.flatMap(() => ["a", "b"]),
  Segment: SEGMENTS.flatMap((name) => [name, ` ${name}`]),
  "Data Source": SEGMENTS.flatMap(() => ["x", "y"]),
});
const NOTE = "NA in Segment is the segment of neuraminidase, not a missing value";

Deno.test("analyses count the segment NA, and say so", async (t) => {
  await t.step("isolates have eight segments", async () => {
    const { frame, notes } = await segmentsPerIsolate(flu);
    assertEquals(frame.toRecords(), [{ segments: 8, set: "complete", isolates: 2 }]);
    assertStringIncludes(notes.join("\n"), NOTE);
  });
  await t.step("other words for missing are missing still", async () => {
    const { frame } = await segmentsPerIsolate(flu.withColumns(
      pl.when(pl.col("Segment").eq(pl.lit("NS"))).then(pl.lit("n/a")).otherwise(pl.col("Segment")).alias("Segment"),
    ));
    assertEquals(frame.toRecords().map(({ segments, isolates }) => [segments, isolates]), [[7, 1], [8, 1]]);
  });
  await t.step("fields are filled", async () => {
    const { frame, notes } = await fieldCompleteness(flu, { columns: ["Segment"] });
    assertEquals(frame.toRecords(), [{ field: "Segment", filled: 16, placeholder: 0, empty: 0 }]);
    assertStringIncludes(notes.join("\n"), NOTE);
  });
  await t.step("by source", async () => {
    const { frame } = await completenessBySource(flu);
    assertEquals(frame.filter(pl.col("field").eq(pl.lit("Segment"))).getColumn("placeholder").toArray(), [0, 0]);
  });
  await t.step("one record for each segment, spaces around it or not", async () => {
    const { frame, notes } = await topTaxa(flu, { by: "species", onePer: "segment" });
    assertEquals(frame.getColumn("records").toArray(), [8]);
    assertStringIncludes(notes.join("\n"), NOTE);
  });
  await t.step("in the card of the schema", async () => {
    const { frame } = await schemaCard(flu);
    const [row] = frame.filter(pl.col("field").eq(pl.lit("Segment"))).toRecords();
    assertEquals([row.empty_percent, row.distinct], [0, 16]);
  });
  await t.step("strata", async () => {
    const countries = pl.DataFrame({
      "Registry Accession": ["a", "b", "c", "d"],
      Country: ["NA", "NA", "KE", "DE"],
    });
    const { frame } = await stratifiedSample(countries, { by: "country", most: 1 });
    assertEquals(frame.getColumn("stratum").toArray(), ["NA", "DE", "KE"]);
  });
});

Deno.test("analyses read codes of countries where most values are codes", async (t) => {
  const codes = ["DE", "GB", "UK", "KE", "NA", "KEN", "XK"];
  await t.step("on the map", async () => {
    const { frame, notes } = await worldMap(pl.DataFrame({ Country: codes }));
    assertEquals(
      frame.toRecords().map(({ code, records }) => `${code} ${records}`),
      ["GBR 2", "KEN 2", "DEU 1", "NAM 1", "XKX 1"],
    );
    assertStringIncludes(notes.join("\n"), "NA in Country is Namibia, not a missing value");
    assertStringIncludes(notes.join("\n"), "Country holds codes of ISO 3166-1");
  });
  await t.step("as sources, and one record for each", async () => {
    const frame = pl.DataFrame({
      "Registry Accession": codes.map((_, index) => `a${index}`),
      Country: codes,
      Host: codes.map(() => "?"),
    });
    const { frame: sources } = await completenessBySource(frame, { by: "country" });
    assertEquals(new Set(sources.getColumn("source").toArray()), new Set(codes));
    const { frame: chosen } = await topTaxa(frame, { by: "country", onePer: "country" });
    assertEquals(chosen.getColumn("taxon").toArray().includes("NA"), true);
  });
  await t.step("between names they are none", async () => {
    const { frame } = await worldMap(pl.DataFrame({ Country: ["Kenya", "Peru", "CA", "NA"] }));
    assertEquals(frame.toRecords().map(({ code, place }) => code ?? place), ["KEN", "PER", "CA"]);
  });
  await t.step("of submitters", async () => {
    const { frame } = await submissionFlow(
      pl.DataFrame({ Country: ["NA", "KE", "DE"], "Submitter Country": codes.slice(0, 3) }),
    );
    assertEquals(frame.toRecords().map(({ collected_in, submitted_from }) => [collected_in, submitted_from]).sort(), [
      ["Germany", "United Kingdom"],
      ["Kenya", "United Kingdom"],
      ["Namibia", "Germany"],
    ]);
  });
});
