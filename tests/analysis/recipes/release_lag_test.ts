import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { releaseLag } from "../../../src/analysis/mod.ts";
import { formatDay } from "../../../src/core/contract/mod.ts";
import { Random } from "../../../src/analysis/statistics/random.ts";

const LAST = 18_700;

/** Dates of records of three years, with delays of about 200 days, as the data of a day has them; some by month. */
function dates(records: number, byMonth: number): { readonly collected: string[]; readonly released: string[] } {
  const random = new Random(5);
  const found: { readonly collected: string[]; readonly released: string[] } = { collected: [], released: [] };
  for (let record = 0; record < records; record++) {
    const from = LAST - Math.floor(random.uniform() * 1000);
    const to = from + Math.floor(-200 * Math.log(1 - random.uniform()));
    if (to > LAST) continue;
    found.collected.push(formatDay(from).slice(0, random.uniform() < byMonth ? 7 : 10));
    found.released.push(formatDay(to));
  }
  return found;
}

const asFrame = ({ collected, released }: ReturnType<typeof dates>) =>
  pl.DataFrame({ "Collection Date": collected, "Release Date": released });

Deno.test("releaseLag() corrects for records that are still to come, by cohort", async () => {
  const all = dates(3000, 0);
  const { frame, notes } = await releaseLag(asFrame(all), { snapshot: formatDay(LAST), upTo: 720, cohort: "year" });
  const rows = frame.toRecords();
  assertEquals([...new Set(rows.map(({ cohort }) => cohort))], ["2018", "2019", "2020", "2021"]);
  for (const cohort of ["2018", "2019", "2020"]) {
    const day = (text: string) => Date.parse(text) / 86_400_000;
    const own = all.collected.map((text, at) => ({
      from: day(text),
      delay: day(all.released[at]) - day(text),
    })).filter(({ from }) => formatDay(from).startsWith(cohort));
    for (const { share, to_days } of rows.filter((row) => row.cohort === cohort && Number(row.records) > 20)) {
      const upTo = Number(to_days);
      const longest = Math.max(...own.map(({ delay }) => delay));
      let product = 1;
      for (let length = longest; length > upTo; length--) {
        const ended = own.filter(({ delay }) => delay === length).length;
        const atRisk = own.filter(({ from, delay }) => delay <= length && length <= LAST - from).length;
        if (ended > 0) product *= 1 - ended / atRisk;
      }
      // The longest delays of a cohort are of few records: what they add is left out.
      assert(Math.abs(Number(share) / product - 1) < 0.2, `${cohort}, ${upTo} days: ${share}, ${product}`);
    }
  }
  assert(notes.some((note) => note.includes("late cohorts are compared over short delays only")));
  assert(notes.some((note) => note.includes("plain median") && note.includes("too short")), notes.join("\n"));
});

Deno.test("releaseLag() bounds shares by dates that are known to the month", async () => {
  const months = asFrame(dates(3000, 0.3));
  const options = { snapshot: formatDay(LAST), upTo: 600 };
  const rows = (await releaseLag(months, options)).frame.toRecords();
  const exact = (await releaseLag(asFrame(dates(3000, 0)), options)).frame.toRecords();

  assert(rows.length > 10);
  for (const [at, { least, most, to_days }] of rows.entries()) {
    const share = Number(exact[at].share);
    assertEquals(exact[at].to_days, to_days);
    assert(
      Number(least) <= Number(most) && Number(least) - 0.02 < share && share < Number(most) + 0.02,
      `${least} ${share} ${most} up to ${to_days}`,
    );
  }
  assertAlmostEquals(Number(rows.at(-1)?.share), 1, 0.05);
  const none = (await releaseLag(asFrame(dates(300, 0)), options)).frame.toRecords();
  assertEquals(none.every(({ least, most }) => least === null && most === null), true);
});
