import { assertEquals, assertStringIncludes } from "@std/assert";
import { addSplit, explainPlan, planSearch } from "../../../../src/core/registry/plan/search_plan.ts";

const steps = (...args: Parameters<typeof planSearch>) =>
  planSearch(...args).steps.map(({ kind, requests, records }) => [kind, requests, records]);

Deno.test("planSearch() pages through up to 9,999 records and exports what lies beyond", () => {
  assertEquals(steps({ query: "q" }, 0, 100), [["pages", 1, 0]]);
  assertEquals(steps({ query: "q" }, 101, 100), [["pages", 2, 101]]);
  assertEquals(steps({ query: "q" }, 9999, 100), [["pages", 100, 9999]]);
  // A registry that stops counting says 10,000.
  assertEquals(steps({ query: "q" }, 10_000, 100), [["pages", 100, 10_000], ["export", 1, null]]);
  assertEquals(steps({ query: "q" }, 10_001, 100), [["pages", 100, 10_000], ["export", 1, 1]]);
  assertEquals(steps({ query: "q" }, 12_000, 100, { atLeast: true }), [["pages", 100, 10_000], ["export", 1, null]]);
});

Deno.test("planSearch() knows whether its steps reach every record", () => {
  const known = (...args: Parameters<typeof planSearch>) => {
    const { complete, reason, atLeast, isOpen, limits } = planSearch(...args);
    return { complete, reason, atLeast, isOpen, limits };
  };
  const whole = { complete: true, reason: null, atLeast: false, isOpen: undefined, limits: undefined };
  assertEquals(known({ query: "" }, 9999, 100), whole);
  assertEquals(known({ query: "q" }, 12_000, 100, { limits: ["at most 10"] }), { ...whole, limits: ["at most 10"] });
  assertEquals(known({ query: "q" }, 10_000, 100), { ...whole, atLeast: true });
  for (const [total, atLeast, count] of [[12_000, false, "12000"], [10_000, true, "at least 10000"]] as const) {
    const { complete, reason, ...rest } = known({ query: " " }, total, 100);
    assertEquals([complete, rest.atLeast], [false, atLeast]);
    assertEquals(
      reason?.startsWith(`${count} records match, paging ends at 10000, and an export needs a query`),
      true,
      reason!,
    );
  }
});

Deno.test("planSearch() pages on where the registry does not say how many match", () => {
  const open = { isOpen: true };
  assertEquals(steps({ query: "" }, 250, 100, open), [["pages", 4, null]]);
  assertEquals(steps({ query: "" }, 0, 100, open), [["pages", 1, null]]);
  assertEquals(steps({ query: "" }, 12_000, 100, open), [["pages", 100, null]]);
  assertEquals(steps({ query: "" }, 12_000, 300, open), [["pages", 34, null]]);
  const { isOpen, atLeast, complete, reason } = planSearch({ query: "" }, 12_000, 100, open);
  assertEquals({ isOpen, atLeast, complete, reason }, { isOpen: true, atLeast: true, complete: true, reason: null });
});

Deno.test("addSplit() completes a plan by parts, or its reason by why there are none", () => {
  const plan = planSearch({ query: "" }, 12_000, 1000);
  const parts = [5500, 6500].map((total) => ({ criteria: { query: "" }, total }));
  const whole = addSplit(plan, { parts, by: "Country", probes: 3 });
  assertEquals(whole.steps.map(({ kind, requests, records }) => [kind, requests, records]), [
    ["pages", 10, 10_000],
    ["split", 13, 2000],
  ]);
  assertEquals([whole.complete, whole.reason, whole.parts], [true, null, parts]);
  assertStringIncludes(whole.steps[1].why, "2 parts by Country have the rest: 3 probes show that they sum to 12000");
  const none = addSplit(plan, { reason: "no facet divides it" });
  assertEquals([none.complete, none.steps, none.reason], [false, plan.steps, `${plan.reason}; no facet divides it`]);
});

Deno.test("explainPlan() writes a line for each step, limit and outcome", () => {
  assertEquals(explainPlan(planSearch({ query: "q" }, 150, 100)).split("\n"), [
    'Search for all of "q": 150 records match',
    "1. pages, 2 requests, 150 records: pages of 100 reach all 150 records",
    "Reaches every record.",
  ]);
  assertEquals(explainPlan(planSearch({ query: "q" }, 1, 100)).split("\n"), [
    'Search for all of "q": 1 record matches',
    "1. pages, 1 request, 1 record: pages of 100 reach the 1 record",
    "Reaches every record.",
  ]);
  const filter = [{ field: "Country", value: "Kenya" }];
  assertEquals(explainPlan(planSearch({ query: "q", filter }, 10_000, 100, { limits: ["at most 100"] })).split("\n"), [
    'Search for all of "q" with 1 filter: at least 10000 records match',
    "1. pages, 100 requests, 10000 records: pages of 100 reach the first 10000 records, in order, with identifiers and " +
    "scores",
    "2. export, 1 request, an unknown number of records: one export of all that match gives the records beyond 10000, " +
    "without identifiers and scores, in the registry's order",
    "The registry takes at most 100.",
    "Reaches every record.",
  ]);
  const beyond = explainPlan(planSearch({ query: "" }, 12_000, 100)).split("\n").at(-1)!;
  assertStringIncludes(beyond, "Does not reach every record: 12000 records match");
});
