import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  type DayCount,
  delayDistribution,
  quantileOf,
  shareAt,
} from "../../../src/analysis/statistics/product_limit.ts";
import { Random } from "../../../src/analysis/statistics/random.ts";

const each = (days: readonly number[]): DayCount[] => days.map((one) => ({ days: one, count: 1 }));

Deno.test("delayDistribution() is the product over longer delays of what does not end", () => {
  // Delays 1 to 6 with two of each; of the six windows of 3 none could have shown a delay of 4 or more.
  const delays = each([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
  const windows = each([3, 3, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
  const { upTo, shares } = delayDistribution(delays, windows)!;

  assertEquals(upTo, 6);
  assertEquals(shares.map(({ days }) => days), [1, 2, 3, 4, 5, 6]);
  // At risk from long to short: 12 − 2, 10 − 2, 8 − 2, then 6, 4, 2.
  const products = [8 / 10, 6 / 8, 4 / 6, 4 / 6, 2 / 4].map((_, at, all) =>
    all.slice(0, at + 1).reduce((product, one) => product * one)
  );
  for (const [at, share] of products.entries()) assertAlmostEquals(shares[4 - at].share, share, 1e-12);
  assertEquals([shareAt({ upTo, shares }, 0).share, shareAt({ upTo, shares }, 100).share], [0, 1]);
});

Deno.test("delayDistribution() looks at delays only that enough records are at risk of", () => {
  const many = each(Array.from({ length: 50 }, (_, at) => 1 + at % 10));
  const old = each(Array.from({ length: 50 }, () => 100));
  // A single delay of 90 days, of the only record that is old enough for it: shorter ones would have no share.
  const young = each([...Array.from({ length: 50 }, () => 80), 100]);
  assertEquals(delayDistribution([...many, { days: 90, count: 1 }], young)?.upTo, 10);
  assertEquals(delayDistribution(many, old)?.upTo, 10);
  assertEquals(delayDistribution(many, old, 5)?.upTo, 5);
  assertEquals(delayDistribution(each([1, 2, 3]), each([9, 9, 9])), undefined);
});

/** Delays in days by a distribution, and those seen by the day of the data. */
const DISTRIBUTIONS: Record<
  string,
  { readonly shareOf: (days: number) => number; readonly drawn: (part: number) => number }
> = {
  "a constant rate": {
    shareOf: (days) => 1 - Math.exp(-days / 120),
    drawn: (part) => Math.ceil(-120 * Math.log(1 - part)),
  },
  "a heavy tail": {
    shareOf: (days) => 1 - (1 + days / 100) ** -1.5,
    drawn: (part) => Math.ceil(100 * ((1 - part) ** (-1 / 1.5) - 1)),
  },
};

for (const [name, { shareOf, drawn }] of Object.entries(DISTRIBUTIONS)) {
  Deno.test(`95 % intervals have the share of ${name} in 93 to 97 % of 1,000 truncated samples`, () => {
    const random = new Random(20);
    const [upTo, at] = [400, 100];
    const truth = shareOf(at) / shareOf(upTo);
    const inside = { share: 0, plain: 0, median: 0 };
    let middle = 0;
    while (shareOf(middle) / shareOf(upTo) < 0.5) middle++;
    for (let run = 0; run < 1000; run++) {
      const [delays, windows]: [DayCount[], DayCount[]] = [[], []];
      for (let record = 0; record < 300; record++) {
        const window = Math.floor(random.uniform() * 600);
        const days = drawn(random.uniform());
        if (days > window) continue;
        delays.push({ days, count: 1 });
        windows.push({ days: window, count: 1 });
      }
      const found = delayDistribution(delays, windows, upTo)!;
      const { low, high } = shareAt(found, at);
      if (low <= truth && truth <= high) inside.share++;
      const median = quantileOf(found, 0.5);
      if (median.low <= middle && middle <= median.high) inside.median++;
      const known = delays.filter(({ days }) => days <= upTo);
      const plain = known.filter(({ days }) => days <= at).length / known.length;
      if (low <= plain && plain <= high) inside.plain++;
    }
    assert(inside.share >= 930 && inside.share <= 970, `shares: ${inside.share}`);
    assert(inside.median >= 930 && inside.median <= 975, `medians: ${inside.median}`);
    assert(inside.plain < 700, `without the correction: ${inside.plain}`);
  });
}
