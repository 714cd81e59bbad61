import { assert, assertEquals } from "@std/assert";
import { countClasses, countTicks, logTicks } from "../../../src/analysis/chart/axes.ts";

Deno.test("classes of counts have every count, and no more than there are colours", () => {
  const cases: [greatest: number, least: number | undefined, labels: readonly string[]][] = [
    [1, undefined, ["1"]],
    [9, undefined, ["1 to 2", "3 to 9"]],
    [257, undefined, ["1 to 2", "3 to 9", "10 to 29", "30 to 99", "100 to 257"]],
    [846, 1, ["1 to 9", "10 to 99", "100 to 846"]],
    [3839, 1, ["1 to 9", "10 to 99", "100 to 999", "1,000 to 3,839"]],
    [12_345_678, 1, ["1 to 9,999", "10,000 to 99,999", "100,000 to 999,999", "1,000,000 to 9,999,999"]],
    [140, 24, ["20 to 29", "30 to 49", "50 to 69", "70 to 99", "100 to 140"]],
    [140, 5, ["5 to 9", "10 to 19", "20 to 49", "50 to 99", "100 to 140"]],
    [140, 140, ["100 to 140"]],
  ];
  for (const [greatest, least, labels] of cases) {
    const classes = countClasses(greatest, least);
    const shown = classes.legend.map(({ label }) => label);
    assertEquals(shown.slice(0, labels.length), labels);
    assert(shown.length <= 5);
    for (const value of [least ?? 1, Math.ceil(greatest / 2), greatest]) {
      assert(classes.legend.some(({ colour }) => colour === classes.colourOf(value)));
    }
  }
});

Deno.test("ticks are no more than have room", () => {
  assertEquals(countTicks(7).ticks, [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(countTicks(1_000_000, 300).ticks, [0, 500_000, 1_000_000]);
  assertEquals(logTicks(1, 10), [1, 2, 5, 10]);
  assertEquals(logTicks(1, 3_000_000), [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]);
  assertEquals(logTicks(1_000_000, 90_000_000, 120), [1_000_000, 10_000_000]);
  assertEquals(logTicks(11, 12), undefined);
});
