/** Countries of several names, and sources that differ in case alone, are counted apart: a note says so. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { completenessBySource, recordsInTime, stratifiedSample, topTaxa, worldMap } from "../../../src/analysis/mod.ts";

const COUNTRIES = ["Kenya", "Kenya", "KENYA", "USA", "United States", "Peru", "Atlantis", "?", null];

Deno.test("countries of several names are noted wherever they are groups", async (t) => {
  const frame = pl.DataFrame([
    pl.Series("Accession", COUNTRIES.map((_, at) => `A${at}`), pl.String),
    pl.Series("Country", COUNTRIES, pl.String),
    pl.Series("Host", COUNTRIES.map((_, at) => at % 2 === 0 ? "pig" : null), pl.String),
    pl.Series("Collection Date", COUNTRIES.map(() => "2016"), pl.String),
  ]);
  const note =
    "2 countries of Country have several names, counted apart: Kenya (2) and KENYA (1), USA (1) and United " +
    "States (1). worldMap reads them; to join them, write them alike first (docs/polars.md)";
  const analyses = {
    topTaxa: () => topTaxa(frame, { by: "country" }),
    stratifiedSample: () => stratifiedSample(frame, { by: "country", most: 1 }),
    completenessBySource: () => completenessBySource(frame, { by: "country" }),
    recordsInTime: () => recordsInTime(frame, { stack: "country" }),
  };
  for (const [name, analyse] of Object.entries(analyses)) {
    await t.step(name, async () => {
      const { notes } = await analyse();
      assertEquals(notes.filter((note) => note.includes("apart")), [note]);
    });
  }
  await t.step("a map reads them", async () => {
    const { notes } = await worldMap(frame);
    assertEquals(notes.filter((note) => note.includes("apart")), []);
  });
  await t.step("few names of each", async () => {
    const states = ["Ohio", "Utah", "Iowa", "Texas", "Maine", "Idaho"].map((state) => `USA: ${state}`);
    const { notes } = await topTaxa(pl.DataFrame({ Country: states }), { by: "country" });
    assert(notes.some((note) => note.includes("USA: Maine (1) and USA: Ohio (1) and 2 more.")), notes.join("\n"));
  });
});

Deno.test("sources are countries of locations too, and differ in case", async () => {
  const frame = pl.DataFrame({
    Country: ["Europe / Germany / Berlin", "Germany", "europe / Germany"],
    "Data Source": ["GenBank", "genbank", "ENA"],
    Host: [null, "pig", "?"],
  });
  const byCountry = await completenessBySource(frame, { by: "country" });
  const rows = byCountry.frame.toRecords().filter(({ field }) => field === "Host");
  assertEquals(
    rows.map(({ source, records, missing_share }) => [source, Number(records), missing_share]),
    [["Germany", 3, 2 / 3]],
  );
  assert(byCountry.notes.some((note) => note.startsWith("The country is the second part of Country")));
  const { notes } = await completenessBySource(frame);
  assert(notes.some((note) => note.startsWith("1 name of Data Source is written in upper and lower case")));
});
