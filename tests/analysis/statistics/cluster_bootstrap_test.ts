import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { benjaminiHochberg, ratiosOfShares } from "../../../src/analysis/statistics/cluster_bootstrap.ts";
import { Random } from "../../../src/analysis/statistics/random.ts";
import { normalTail } from "../../../src/analysis/statistics/special_functions.ts";

Deno.test("benjaminiHochberg() adjusts chances as published", () => {
  // Benjamini and Hochberg 1995, 15 comparisons; at 5 % the four least are kept.
  const chances = [1e-4, 4e-4, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528];
  const adjusted = benjaminiHochberg([...chances, 0.759, 1]);
  assertEquals(adjusted.filter((chance) => chance <= 0.05).length, 4);
  assertAlmostEquals(adjusted[0], 0.0015, 1e-12);
  assertAlmostEquals(adjusted[4], 0.0603, 1e-12);
  assertEquals(benjaminiHochberg([0.02, 0.02]), [0.02, 0.02]);
  assertEquals(benjaminiHochberg([]), []);
});

Deno.test("normalTail() is that of tables, near and far", () => {
  for (
    const [z, tail] of [[0, 0.5], [1.959963984540054, 0.025], [2.9999, 0.0013503], [3.0001, 0.0013495], [6, 9.8659e-10]]
  ) {
    assertAlmostEquals(normalTail(z) / tail, 1, 1e-4);
  }
});

/** Cells of submitters with a share of their own, so many records each, in two sets of which one has every second. */
function cellsOf(submitters: number, records: number, random: Random) {
  return Array.from({ length: submitters }, (_, group) => {
    const share = 0.2 + 0.6 * random.uniform();
    const one = random.binomial(records, share);
    const other = random.binomial(records, share);
    return [
      { group, value: 0, one, other },
      { group, value: 1, one: records - one, other: records - other },
    ];
  }).flat();
}

Deno.test("intervals of ratios have the truth in about 95 % of samples of submitters", () => {
  const random = new Random(8);
  let [inside, small] = [0, 0];
  for (let run = 0; run < 200; run++) {
    const cells = cellsOf(40, 30, random);
    const [{ sure, groups }] = ratiosOfShares(cells, { values: 2, groups: 40, seed: run });
    assertEquals(groups <= 40, true);
    if (sure !== undefined && sure.low <= 1 && 1 <= sure.high) inside++;
    if (sure !== undefined && sure.p < 0.05) small++;
  }
  assert(inside >= 180 && inside <= 198, `${inside} of 200`);
  assertEquals(inside + small, 200, "p is below 5 % where 1 is outside of the interval");
});

Deno.test("ratios have no interval for fewer than ten submitters, or where one set has none", () => {
  const cells = [
    ...Array.from({ length: 9 }, (_, group) => ({ group, value: 0, one: 5, other: 1 + group % 3 })),
    ...Array.from({ length: 20 }, (_, group) => ({ group, value: 1, one: 1 + group % 4, other: 2 })),
    ...Array.from({ length: 20 }, (_, group) => ({ group, value: 2, one: 1, other: 0 })),
  ];
  const [few, many, none] = ratiosOfShares(cells, { values: 3, groups: 20, seed: 1 });
  assertEquals([few.groups, few.sure, many.sure === undefined, none.ratio, none.sure], [
    9,
    undefined,
    false,
    undefined,
    undefined,
  ]);
  const [ones, others] = [45 + 50 + 20, 18 + 40];
  assertAlmostEquals(few.ratio ?? 0, 45 / ones / (18 / others), 1e-12);
});
