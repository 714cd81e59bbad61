/** What every analysis lets its caller choose: which records, colours, width; and what it returns to build on. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import pl from "nodejs-polars";
import { chart, recordsInTime, schemaCard, topTaxa } from "../../src/analysis/mod.ts";
import { LAKE_RECIPES, RECIPES } from "./_recipes.ts";
import * as analysis from "../../src/analysis/mod.ts";
import { sampleWorld } from "./_worlds.ts";
import { inFolder } from "../_files.ts";

const frame = pl.DataFrame({
  Species: ["a", "a", "b", "c", null],
  Country: ["Kenya", "Peru", "Kenya", "Kenya", "Kenya"],
  "Collection Date": ["2016-05-01", "2016", "2016-06-02", "2017-01-01", "2016-05-31"],
  "Sequence Length": [100, 200, 300, 400, 500],
});
const speciesOf = async (filter: analysis.RecordFilter) =>
  (await topTaxa(frame, { filter })).frame.toRecords().filter(({ taxon }) => taxon !== "missing")
    .map(({ taxon, records }) => `${taxon}${records}`).join(" ");

Deno.test("a filter keeps records by field, alias or role: a value, several, a range of numbers or dates", async () => {
  assertEquals(await speciesOf({ Country: "Kenya" }), "a1 b1 c1");
  assertEquals(await speciesOf({ country: ["Peru", "Chad"] }), "a1");
  assertEquals(await speciesOf({ sequence_length: { from: 200, to: 300 } }), "a1 b1");
  assertEquals(await speciesOf({ length: 400 }), "c1");
  assertEquals(await speciesOf({ collectionDate: { from: "2016-05", to: "2016-05" }, country: "Kenya" }), "a1");
  assertEquals(await speciesOf({ country: "Kenya", species: "b" }), "b1");
  await assertRejects(() => speciesOf({ Countri: "Kenya" }), RangeError, 'did you mean "Country"?');
  await assertRejects(() => speciesOf({ country: [] }), TypeError, 'option "filter.country" of topTaxa()');
  await assertRejects(() => speciesOf({ country: Object.fromEntries([["form", 1]]) }), TypeError, "a range");
  for (const [key, end, what] of [["from", new Date(0), "a Date"], ["to", NaN, "NaN"], ["to", null, "null"]]) {
    const filter = { length: Object.fromEntries([["from", 1], [key, end]]) };
    await assertRejects(() => speciesOf(filter), TypeError, `"filter.length.${key}" of topTaxa() must be a text or a`);
    await assertRejects(() => speciesOf(filter), TypeError, `finite number, not ${what}`);
  }
});

Deno.test("a filter reads dates as a search does: what lies within, as far as it is known", async (t) => {
  const texts = ["2016-12-XX", "2016-12-15", "2016-12-16 10:00", "2017", "Dec-2013", "31.12.2013", "05-Jan-2015", "?"];
  const days = ["2013-12-05", "2016-12-15", null].map((day) => day === null ? null : new Date(day));
  const dated = pl.DataFrame({ Species: texts, "Collection Date": texts });
  const timed = pl.DataFrame({ Species: ["a", "b", "c"], time: days }).withColumns(
    pl.col("time").cast(pl.Date).alias("day"),
  );
  const rows: readonly [typeof dated, analysis.RecordFilter, string][] = [
    [dated, { collectionDate: { from: "2016-12-15" } }, "2016-12-15, 2016-12-16 10:00, 2017"],
    [dated, { "Collection Date": { from: "2016-12", to: "2016-12" } }, "2016-12-15, 2016-12-16 10:00, 2016-12-XX"],
    [dated, { collection_date: { to: 2013 } }, "31.12.2013, Dec-2013"],
    [dated, { collectionDate: { from: "2014", to: "2015-01-31" } }, "05-Jan-2015"],
    [dated, { collectionDate: ["2013", "2017"] }, "2017, 31.12.2013, Dec-2013"],
    [dated, { collectionDate: 2016 }, "2016-12-15, 2016-12-16 10:00, 2016-12-XX"],
    [dated, { collectionDate: [2013, "2017"] }, "2017, 31.12.2013, Dec-2013"],
    [dated, { collectionDate: { from: "2030" } }, ""],
    [timed, { time: "2013-12-05" }, "a"],
    [timed, { day: "2013-12" }, "a"],
    [timed, { time: { from: "2014", to: "2016" } }, "b"],
    [timed, { day: { to: "2016-12-14" } }, "a"],
  ];
  for (const [source, filter, expected] of rows) {
    await t.step(JSON.stringify(filter), async () => {
      const { frame } = await topTaxa(source, { filter });
      const found = frame.toRecords().map(({ taxon }) => String(taxon)).filter((name) => name !== "missing");
      assertEquals(found.sort().join(", "), expected);
    });
  }
  await assertRejects(
    () => topTaxa(dated, { filter: { collectionDate: { from: "spring" } } }),
    RangeError,
    "is not a date",
  );
  await assertRejects(() => topTaxa(timed, { filter: { day: 5 } }), RangeError, "is not a date");
  for (const from of [0, ""]) {
    await assertRejects(() => topTaxa(dated, { filter: { collectionDate: { from } } }), RangeError, "is not a date");
  }
});

Deno.test("a filter finds groups, elements of lists and numbers as they are written, and refuses what cannot be", async () => {
  const rows = pl.DataFrame({
    Species: ["a", "b", "c", "d"],
    Country: ["R\u00e9union", " Re\u0301union\u00a0", "C. (x)", null],
    Tools: [["x", "y"], ["y"], [], ["x y"]],
    "Sequence Length": [5, 900, 1000, 1],
    Done: [true, false, true, null],
  });
  const found = async (filter: analysis.RecordFilter, source = rows) =>
    (await topTaxa(source, { filter })).frame.toRecords().map(({ taxon }) => taxon).join("");
  const cases: readonly [analysis.RecordFilter, string][] = [
    [{ country: "R\u00e9union" }, "ab"],
    [{ country: "Re\u0301union " }, "ab"],
    [{ country: ["C. (x)", "Chad"] }, "c"],
    [{ country: { from: "R", to: "R" } }, "a"],
    [{ Tools: "y" }, "ab"],
    [{ Tools: ["x", "x y"] }, "ad"],
    [{ length: "1000" }, "c"],
    [{ length: { from: "900" } }, "bc"],
    [{ length: { from: 5, to: "900" } }, "ab"],
    [{ Done: "yes" }, "ac"],
    [{ Done: false }, "b"],
  ];
  for (const [filter, expected] of cases) assertEquals(await found(filter), expected, JSON.stringify(filter));
  const decimals = rows.withColumns(pl.col("Sequence Length").cast(pl.Decimal(20, 2)));
  assertEquals(await found({ length: { from: 900 } }, decimals), "bc");
  assertEquals((await schemaCard(decimals)).frame.toRecords()[3].example, "5");
  await assertRejects(() => found({ length: true }), RangeError, "true is not a number");
  await assertRejects(() => found({ length: "long" }), RangeError, "is not a number");
  await assertRejects(() => found({ Done: "maybe" }), RangeError, "neither true nor false");
  await assertRejects(() => found({ Tools: { from: "x" } }), RangeError, "it holds lists");
});

Deno.test("a filter's range of numbers has no NaN", async () => {
  const rows = pl.DataFrame({
    Species: ["a", "b", "c", "d"],
    Share: [NaN, 50, 10, null],
    Text: ["NaN", "50", "10", null],
  });
  for (const field of ["Share", "Text"]) {
    for (const [range, expected] of [[{ from: 40 }, "b"], [{ to: 40 }, "c"], [{ from: 1, to: 99 }, "bc"]] as const) {
      const { frame } = await topTaxa(rows, { filter: { [field]: range } });
      assertEquals(frame.toRecords().map(({ taxon }) => taxon).join(""), expected, `${field} ${JSON.stringify(range)}`);
    }
  }
});

Deno.test("one record for each value of a field takes groups as the analyses do", async () => {
  const rows = pl.DataFrame({
    Accession: ["c", "b", "a", "d"],
    Species: ["x", "x ", "x\u00a0", "not collected"],
    Country: ["Peru", "Chad", "Kenya", "Togo"],
    Tools: [["x"], [], [], []],
  });
  const { frame } = await topTaxa(rows, { by: "country", onePer: "species" });
  assertEquals(frame.toRecords().map(({ taxon }) => taxon), ["Kenya"]);
  await assertRejects(() => topTaxa(rows, { onePer: "Tools" }), RangeError, "it holds lists");
  // An accession that is no key is not multiplied.
  const repeated = pl.DataFrame({ Accession: ["b", "a", "a"], Species: ["x", "x", "y"] });
  const each = (await topTaxa(repeated, { onePer: "species" })).frame.toRecords();
  assertEquals(each.map(({ taxon, records }) => [taxon, records]), [["x", 1], ["y", 1]]);
});

Deno.test("one record for each value of a field: what has none, and what has several, is noted", async () => {
  const rows = pl.DataFrame({
    Accession: ["a", "a", "b", "", "", " ", null, "c"],
    Species: ["x", "x", "y", "y", "y", "z", "z", "?"],
  });
  const notesOf = async (source: typeof rows) => (await topTaxa(source, { onePer: "species" })).notes;
  const notes = [
    "1 value of Species has no record, since theirs have no accession",
    "1 more record than one for each Species: accessions of several records",
  ];
  const found = await notesOf(rows);
  assertEquals(notes.filter((note) => !found.includes(note)), []);
  const without = await notesOf(rows.filter(pl.col("Accession").isNotNull()).slice(1, 3));
  assertEquals(without.filter((note) => / accession/.test(note)), []);
});

Deno.test("one record for each value of a field is chosen by numbers too", async () => {
  const rows = pl.DataFrame({ Id: [10, 9, 8], Species: ["x", "x", "y"], Country: ["Peru", "Kenya", "Chad"] });
  for (const source of [rows, rows.withColumns(pl.col("Id").cast(pl.Int64))]) {
    const { frame } = await topTaxa(source, { by: "country", onePer: "species", fields: { accession: "Id" } });
    assertEquals(frame.toRecords().map(({ taxon }) => taxon), ["Chad", "Kenya"]);
  }
});

Deno.test("a filter stays in the provenance of the figure, and of a table without one", async () => {
  const { chart } = await topTaxa(frame, { filter: { country: "Kenya", length: { to: 1000 } } });
  assertStringIncludes(chart?.caption ?? "", "Only records with Country = Kenya; Sequence Length up to 1,000");
  const card = await schemaCard(frame, { filter: { country: "Peru" } });
  assert(card.notes.includes("Only records with Country = Peru"), card.notes.join("\n"));
  const dated = pl.DataFrame({ Species: ["a"], "Collection Date": ["2016-05"] });
  const year = await topTaxa(dated, { filter: { collectionDate: 2016 } });
  assertStringIncludes(year.chart?.caption ?? "", "Only records with Collection Date = 2016");
  assertEquals(card.frame.toRecords().find(({ field }) => field === "Species")?.values, 1);
});

Deno.test("one record for each value of a field is that with the least accession, whatever the order", async () => {
  const rows = pl.DataFrame({
    Accession: ["b", "a", "d", "c", "e", "f"],
    Species: ["x", "x", "y", "y", "?", null],
    Country: ["Peru", "Kenya", "Chad", "Chad", "Chad", "Chad"],
  });
  const countries = async (source: typeof rows, filter: analysis.RecordFilter = {}) => {
    const { frame, chart } = await topTaxa(source, { by: "country", onePer: "species", filter });
    assertStringIncludes(chart?.caption ?? "", "One of them for each Species");
    return frame.toRecords().map(({ taxon, records }) => `${taxon} ${records}`).join(", ");
  };
  assertEquals(await countries(rows), "Chad 1, Kenya 1");
  assertEquals(await countries(rows.sort("Country")), "Chad 1, Kenya 1");
  assertEquals(await countries(rows, { country: ["Peru", "Chad"] }), "Chad 1, Peru 1");
  const lone = rows.select("Species", "Country");
  await assertRejects(() => topTaxa(lone, { by: "country", onePer: "species" }), RangeError, "no accessions");
});

Deno.test("every analysis of a lake takes the same filter, width and colours", async (t) => {
  await using world = await sampleWorld();
  const names = new Set(Object.keys({ ...RECIPES, ...LAKE_RECIPES }).map((name) => name.split(/[ ,]/)[0]));
  for (const name of names) {
    await t.step(name, async () => {
      const options = { width: 900, colours: ["#123456"], ...name === "stratifiedSample" && { most: 1 } };
      const made: unknown = await Reflect.apply(Reflect.get(analysis, name), undefined, [world.lake, options]);
      assert(made instanceof analysis.Analysis);
      const { chart } = made;
      if (name === "schemaCard") return;
      assert(chart !== undefined);
      assertEquals(chart.width, 900);
      assert(chart.svg.includes("#123456"), "its own colour is drawn");
    });
  }
});

Deno.test("a chart returns its options to build on", async () => {
  const { chart: first } = await recordsInTime(frame);
  assert(first !== undefined);
  const second = await chart((plot) => ({ ...first.spec(plot), height: 500 }), { ...first.meta, title: "Mine" });
  assertEquals([second.title, second.caption], ["Mine", first.caption]);
  assert(second.height > first.height);
});

Deno.test("saved figures have their notes below the source line, unless they are turned off", async () => {
  const { chart, notes } = await recordsInTime(pl.DataFrame({ Date: ["2013", "<b>& x", "?"] }));
  assert(chart !== undefined && notes.length > 1);
  await inFolder(async (folder) => {
    const [noted, without] = ["with.svg", "without.svg"].map((name) => join(folder, name));
    await chart.save(noted);
    await chart.save(without, { notes: false });
    const [svg, plain] = await Promise.all([noted, without].map((path) => Deno.readTextFile(path)));
    assertStringIncludes(svg, '<g aria-label="notes">');
    assertStringIncludes(svg, "&#60;b&#62;&#38; x");
    assertEquals(plain.includes("notes"), false);
    const heightOf = (text: string) => Number(/ height="([0-9.]+)"/.exec(text)?.[1]);
    assert(heightOf(svg) > heightOf(plain));
    assertEquals(/viewBox="0 0 [0-9.]+ ([0-9.]+)"/.exec(svg)?.[1], String(heightOf(svg)));
    await chart.save(join(folder, "with.png"));
    await chart.save(join(folder, "without.png"), { notes: false });
    const sizes = ["with.png", "without.png"].map((name) =>
      new DataView(Deno.readFileSync(join(folder, name)).buffer).getUint32(20)
    );
    assert(sizes[0] > sizes[1]);
  });
});
