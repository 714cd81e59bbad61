import { assertAlmostEquals, assertEquals } from "@std/assert";
import { Abundances } from "../../../src/analysis/statistics/hill_numbers.ts";
import { hillErrors } from "../../../src/analysis/statistics/hill_bands.ts";

Deno.test("many kinds that are equally frequent are drawn, as of a subsample of 1000 records each", () => {
  const seen = new Abundances(new Map([[1000, 40]]));

  const errors = hillErrors(seen, { orders: [0, 1], sizes: [40_000], replicates: 200, seed: 1 });

  assertEquals(errors.get(0), [0]);
  // The entropy of n records of s kinds, all equally frequent, has the variance (s − 1) / 2 n².
  assertAlmostEquals(errors.get(1)![0], 40 * Math.sqrt(39 / 2) / 40_000, 1e-3);
});
