import { assertEquals } from "@std/assert";
import { amount, labels } from "../../../src/analysis/chart/words.ts";

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
    [["a", "a (2)", " a", "a\n", "a (2)"], ["a", "a (2)", "a (3)", "a (4)", "a (2) (2)"]],
    [["x".repeat(300), "x".repeat(301)], [
      `${"x".repeat(16)}…${"x".repeat(16)}`,
      `${"x".repeat(16)}…${"x".repeat(16)} (2)`,
    ]],
  ];
  for (const [values, shown] of cases) assertEquals(labels(values), shown);
});

Deno.test("amount() keeps the sign of numbers between -1 and 0", () => {
  const numbers = [-0.5, -0.04, -0.06, -1234.5, 0, 1234567.25];
  assertEquals(numbers.map((number) => amount(number, 1)), ["-0.5", "0", "-0.1", "-1,234.5", "0", "1,234,567.3"]);
});
