import { assertEquals, assertThrows } from "@std/assert";
import { groupWeights } from "../../src/curation/group_weights.ts";

const GROUPS = [["Peru", "2016"], ["Peru", "2017"], ["?", "2016"]].map((values) => ({ values }));
const BY = ["country", "year"];

Deno.test("groupWeights() shares a weight among the groups that differ in other fields", () => {
  const weights = [{ values: { country: " Peru" }, weight: 3 }, { values: { country: "default" }, weight: 2 }];
  assertEquals(groupWeights(GROUPS, { by: BY, weights }), [1.5, 1.5, 2]);
  const each = GROUPS.map(({ values: [country, year] }, at) => ({ values: { country, year }, weight: at }));
  assertEquals(groupWeights(GROUPS, { by: BY, weights: each }), [0, 1, 2]);
  const unknown = [{ values: { country: "Unknown" }, weight: 6 }, { values: { country: "default" }, weight: 2 }];
  assertEquals(groupWeights(GROUPS, { by: BY, weights: unknown }), [1, 1, 6]);
  const codes = [{ values: ["NA"] }, { values: ["?"] }];
  const namibia = [{ values: { country: "NA" }, weight: 5 }, { values: { country: "" }, weight: 1 }];
  assertEquals(groupWeights(codes, { by: ["country"], weights: namibia }), [5, 1]);
});

Deno.test("groupWeights() refuses other fields, two weights of one group, and groups without one", () => {
  const use = (...weights: { values: Record<string, string>; weight: number }[]) => () =>
    groupWeights(GROUPS, { by: BY, weights });
  const peru = { values: { country: "Peru" }, weight: 1 };
  assertThrows(use({ values: { host: "x" }, weight: 1 }), RangeError, 'by "host"');
  assertThrows(use(peru, peru), RangeError, "two weights of country=Peru");
  assertThrows(use(peru), RangeError, "have no weight (?)");
  assertThrows(use(peru, { values: { year: "2016" }, weight: 1 }), RangeError, "a value of year too");
  const part = { values: { country: "Peru", year: "default" }, weight: 3 };
  assertThrows(use(part, { values: { country: "default" }, weight: 1 }), RangeError, "in all fields, or in none");
});
