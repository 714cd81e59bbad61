import { assert, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import { recordsInTime } from "../../../src/analysis/mod.ts";
import { formatDay } from "../../../src/core/contract/mod.ts";

const LAST = 18_700;
/**
 * Two records a day, of which each day fewer are released the nearer the day of the data is: a delay is up to 99 days.
 */
const collected = Array.from({ length: 400 }, (_, at) => LAST - Math.floor(at / 2));
const curve = collected.map((from, at) => ({ from, to: from + (at * 37) % 100 })).filter(({ to }) => to <= LAST);
const dated = pl.DataFrame({
  "Collection Date": curve.map(({ from }) => formatDay(from)),
  "Release Date": curve.map(({ to }) => formatDay(to)),
  Lab: curve.map((_, at) => ["A", "B", " A", "?"][at % 4]),
});

Deno.test("recordsInTime() puts only days into weeks, and weeks of a new year into the year they belong to", async () => {
  const source = pl.DataFrame({ Date: ["2021-01-03", "2021-01-04", "2021-01", "2021", "2020-12-30/2021-01-02"] });
  const iso = await recordsInTime(source, { by: "isoweek" });
  const epi = await recordsInTime(source, { by: "epiweek" });

  assertEquals(iso.frame.rows().map(([period, , records]) => [period, Number(records)]), [
    ["2020-W53", 1],
    ["2020-W53", 1],
    ["2021-W01", 1],
  ]);
  assertEquals(epi.frame.getColumn("period").toArray(), ["2020-W53", "2021-W01"]);
  assert(epi.notes.some((note) => note.includes("Sunday to Saturday")), epi.notes.join("\n"));
  assert(iso.notes.some((note) => note.startsWith("2 records") && note.includes("in no week")), iso.notes.join("\n"));
});

Deno.test("recordsInTime() says of ranges over years that they count in no year", async () => {
  const years = pl.DataFrame({ Date: ["2020", "2019/2021", "2020-05-01"] });
  const ranges = pl.DataFrame({ Date: ["2019-05-01/2020-03-02", "2020-05-01"] });
  const cases = [
    [years, "month", "have only a year or a range over several years in Date and are in no month: put on the first"],
    [years, "month", "By year all but 1 range count"],
    [years, "year", "has a range over several years in Date and is in no year: in which of them it was is not known"],
    [ranges, "month", "in no month: in which of them it was is not known"],
  ] as const;
  for (const [source, by, says] of cases) {
    const { notes } = await recordsInTime(source, { by });
    assert(notes.some((note) => note.includes(says)), `${says}:\n${notes.join("\n")}`);
    assert(notes.every((note) => !note.includes("By year they all count")), notes.join("\n"));
  }
});

Deno.test("recordsInTime() stacks any field, by the keys of its values, and notes what is in none", async () => {
  const { frame, chart } = await recordsInTime(dated, { stack: "lab" });
  const records = Map.groupBy(frame.toRecords(), ({ group }) => String(group));
  const sums = [...records].map(([group, rows]) => [group, rows.reduce((sum, row) => sum + Number(row.records), 0)]);

  assertEquals(sums.map(([group]) => group), ["A", "B", "none stated"]);
  assertEquals(sums.reduce((sum, [, count]) => sum + Number(count), 0), curve.length);
  assert(chart?.svg.includes("none stated"));
  const many = pl.DataFrame({
    Date: Array.from({ length: 40 }, () => "2020-01-01"),
    Lab: Array.from({ length: 40 }, (_, at) => at < 2 ? "__proto__" : `<lab ${at % 12}>`),
  });
  const groups = (await recordsInTime(many, { stack: "Lab" })).frame.getColumn("group").toArray();
  assertEquals([groups.length, groups[7]], [8, "other (6)"]);
  await assertRejects(() => recordsInTime(dated, { stack: "Labb" }), RangeError, 'did you mean "Lab"?');
});

Deno.test("recordsInTime() hatches the last periods of collection that delays of release leave incomplete", async () => {
  const options = { by: "month", snapshot: formatDay(LAST) } as const;
  const { notes, chart } = await recordsInTime(dated, options);
  assert(notes.some((note) => note.startsWith("Hatched from 2020-12 on")), notes.join("\n"));
  assert(chart?.svg.includes('aria-label="incomplete"'));

  const released = await recordsInTime(dated, { ...options, date: "release" });
  const alone = await recordsInTime(dated.select("Collection Date"), options);
  for (const one of [released, alone]) assertEquals(one.chart?.svg.includes('aria-label="incomplete"'), false);
});
