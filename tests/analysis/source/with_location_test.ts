import { assertEquals, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { recordsInTime, stratifiedSample, worldMap } from "../../../src/analysis/mod.ts";

const LOCATIONS = ["Europe / Germany / Berlin", "Europe / Germany", "North America / USA / Ohio", "Asia/Nepal"];
const located = pl.DataFrame({ Location: LOCATIONS, "Collection Date": LOCATIONS.map(() => "2020-01-01") });

Deno.test("Location plays the role of the country where its values are continent, country, region", async (t) => {
  await t.step("on the map", async () => {
    const { frame, notes } = await worldMap(located);
    assertEquals(frame.toRecords().map(({ code, records }) => `${code} ${records}`), ["DEU 2", "NPL 1", "USA 1"]);
    assertStringIncludes(notes.join("\n"), "The country is the second part of Location in texts such as");
  });
  await t.step("by country, and by location", async () => {
    const groups = async (stack: string) =>
      (await recordsInTime(located, { stack })).frame.getColumn("group").toArray().sort();
    assertEquals(await groups("country"), ["Germany", "Nepal", "USA"]);
    assertEquals(await groups("Location"), LOCATIONS.toSorted());
  });
  await t.step("of one country, or of some", async () => {
    const count = async (country: string | string[]) => {
      const { frame } = await worldMap(located, { filter: { country } });
      return frame.toRecords().map(({ code, records }) => `${code} ${records}`);
    };
    assertEquals(await count("Germany"), ["DEU 2"]);
    assertEquals(await count(["USA", "Nepal"]), ["NPL 1", "USA 1"]);
    assertEquals(await count("Europe / Germany / Berlin"), ["DEU 1"]);
    assertEquals([await count("Germ"), await count("Berlin"), await count("G.*")], [[], [], []]);
  });
  await t.step("strata are countries", async () => {
    const { frame } = await stratifiedSample(located.withColumns(pl.col("Location").alias("id")), {
      by: "country",
      most: 1,
    });
    assertEquals(frame.height, 3);
  });
  await t.step("a field of countries comes first", async () => {
    const { frame } = await worldMap(located.withColumns(pl.lit("Kenya").alias("Country")));
    assertEquals(frame.getColumn("code").toArray(), ["KEN"]);
  });
  await t.step("other locations are none", async () => {
    const { notes } = await worldMap(pl.DataFrame({ Location: ["Berlin", "Ward 3 / Bed 2"] }));
    assertStringIncludes(notes[0], "lacks a field for the country of the sample");
  });
});
