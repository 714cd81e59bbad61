import { assertEquals } from "@std/assert";
import { epiWeek, isoWeek } from "../../../../src/core/contract/values/mod.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

Deno.test("epiWeek() counts weeks as the CDC does: from Sunday, in the year of the Wednesday", () => {
  const weeks = ["2014-12-27", "2014-12-28", "2015-01-03", "2015-01-04", "2021-01-02", "2021-01-03", "1970-01-01"];
  assertEquals(weeks.map((text) => epiWeek(day(text))), [
    "2014-W52",
    "2014-W53",
    "2014-W53",
    "2015-W01",
    "2020-W53",
    "2021-W01",
    "1969-W53",
  ]);
});

Deno.test("isoWeek() counts weeks as ISO 8601 does, also before 1970", () => {
  const weeks = ["2021-01-03", "2021-01-04", "1969-12-28", "1969-12-29", "1900-01-01"];
  assertEquals(weeks.map((text) => isoWeek(day(text))), ["2020-W53", "2021-W01", "1969-W52", "1970-W01", "1900-W01"]);
});
