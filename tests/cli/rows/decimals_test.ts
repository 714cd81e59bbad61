import { assertEquals } from "@std/assert";
import { formatDecimals, formatShare } from "../../../src/cli/rows/decimals.ts";

Deno.test("formatDecimals() writes ties to the even digit and the rest to the nearest", async (t) => {
  const numbers: readonly [value: number, decimals: number, text: string][] = [
    [28.125, 2, "28.12"],
    [28.375, 2, "28.38"],
    [1 / 128, 6, "0.007812"],
    [3 / 128, 6, "0.023438"],
    [1.005, 2, "1.00"],
    [2 / 3, 6, "0.666667"],
    [0, 6, "0.000000"],
    [1, 6, "1.000000"],
    [10764, 2, "10764.00"],
    [0.285, 2, "0.28"],
  ];
  for (const [value, decimals, text] of numbers) {
    await t.step(`${value} with ${decimals}`, () => assertEquals(formatDecimals(value, decimals), text));
  }
});

Deno.test("formatShare() writes nothing without a share", () => {
  assertEquals([formatShare(null), formatShare(0.25)], ["", "0.250000"]);
});
