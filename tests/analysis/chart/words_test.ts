import { assertEquals } from "@std/assert";
import { labels } from "../../../src/analysis/chart/words.ts";

Deno.test("labels() tells long names apart that differ at their ends", () => {
  const sars = "Severe acute respiratory syndrome coronavirus";
  const cases: [values: readonly unknown[], shown: readonly string[]][] = [
    [["a", "b"], ["a", "b"]],
    [[sars], ["Severe acute respiratory syndrome …"]],
    [[sars, `${sars} 2`, "Zika virus"], [
      "Severe acute res…rome coronavirus",
      "Severe acute res…me coronavirus 2",
      "Zika virus",
    ]],
    [["", " ", "x"], ["(blank)", "(blank) (2)", "x"]],
    [["x\ny", "x y"], ["x y", "x y (2)"]],
    [["x".repeat(300), "x".repeat(301)], [
      `${"x".repeat(16)}…${"x".repeat(16)}`,
      `${"x".repeat(16)}…${"x".repeat(16)} (2)`,
    ]],
  ];
  for (const [values, shown] of cases) assertEquals(labels(values), shown);
});
