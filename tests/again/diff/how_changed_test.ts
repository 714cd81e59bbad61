import { assertEquals } from "@std/assert";
import { type ChangedField, HOW_CHANGED, type HowChanged, howChanged } from "../../../src/again/diff/how_changed.ts";

const CASES: readonly (readonly [string | null, string | null, ChangedField, HowChanged | undefined])[] = [
  ["Kenya", "Kenya", {}, undefined],
  [null, "", {}, undefined],
  ["Kenya", "Peru", {}, "value"],
  ["Kenya", null, {}, "value"],
  [null, "Kenya", {}, "value"],
  ["Kenya", "kenya", {}, "case"],
  ["Kenya", " kenya", {}, "case"],
  ["İzmir", "izmir", {}, "value"],
  ["Kenya ", "Kenya", {}, "space"],
  ["Zika  virus", "Zika virus", {}, "space"],
  ["Re\u0301union", "Réunion", {}, "space"],
  ["", " ", {}, "space"],
  ["Kenya", "not collected", {}, "placeholder"],
  ["N/A", "Kenya", {}, "placeholder"],
  ["N/A", "unknown", {}, "placeholder"],
  ["N/A", "", {}, "placeholder"],
  ["N/A", "n/a", {}, "case"],
  ["missing", " missing", {}, "space"],
  ["2013", "2013-05", { type: "date" }, "precision"],
  ["2013-05-XX", "2013", { type: "date" }, "precision"],
  ["2013-05-01/2013-06-30", "2013-06-02", { type: "date" }, "precision"],
  ["2013-05-04", "04-May-2013", { type: "date" }, "type"],
  ["2013-05-04", "2013-05-05", { type: "date" }, "value"],
  ["2013-05-04", "spring", { type: "date" }, "type"],
  ["2013", "2013-05", {}, "value"],
  ["37", "37.0", { type: "integer" }, "type"],
  ["37", "38", { type: "integer" }, "value"],
  ["37", "37 years", { type: "integer" }, "type"],
  ["37", "37 years", { type: "integer", unit: "years" }, "type"],
  ["old", "older", { type: "integer" }, "value"],
  ["0.5", ".5", { type: "float" }, "type"],
  ["true", "yes", { type: "boolean" }, "type"],
  ["true", "no", { type: "boolean" }, "value"],
  ["bat;pig", "pig; bat", {}, "order"],
  ["bat;pig", "pig;rat", { type: "list" }, "value"],
  ["bat;pig", "bat; pig", {}, "order"],
  ['["bat","pig"]', '["pig", "bat"]', {}, "order"],
  ['["bat","pig"]', "pig;bat", {}, "order"],
  ['["bat","pig"]', '["pig","rat"]', {}, "value"],
  ["[bat]", "[pig]", {}, "value"],
  ["007", "7", {}, "value"],
];

Deno.test("howChanged() finds how a value changed", async (test) => {
  for (const [before, after, field, how] of CASES) {
    await test.step(`${before} → ${after} (${field.type ?? "string"}): ${how}`, () => {
      assertEquals(howChanged(before, after, field), how);
    });
  }
});

Deno.test("the kinds of changes are listed in the order in which they are tried, as the page about versions has them", async () => {
  const page = await Deno.readTextFile(new URL("../../../docs/versions.md", import.meta.url));
  const [, table] = page.split("### How a value changed");
  const rows = table.split("###")[0].matchAll(/^\| `(\w+)`/gm);
  assertEquals(HOW_CHANGED, Array.from(rows, ([, how]) => how as HowChanged));
  // Each of these is of two kinds: the first that is tried holds.
  const both: readonly (readonly [old: string, now: string, how: HowChanged])[] = [
    ["n/a", " n/a", "space"],
    ["N/A", " n/a", "case"],
    ["bat;pig", "bat; pig", "order"],
  ];
  for (const [old, now, how] of both) assertEquals(howChanged(old, now), how);
});
