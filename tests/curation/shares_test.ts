import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { sharesOfTotal, sharesPerGroup } from "../../src/curation/shares.ts";

const group = (size: number, { forced = 0, weight = 1, order = size } = {}) => ({
  size,
  forced,
  weight,
  order: BigInt(order),
});
const sum = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0);

Deno.test("shares of a total follow weights and sizes, forced records and the order of groups", () => {
  assertEquals(sharesOfTotal([group(2), group(100), group(100)], 12), [2, 5, 5]);
  assertEquals(sharesOfTotal([group(100, { weight: 3 }), group(100), group(100, { weight: 0 })], 8), [6, 2, 0]);
  assertEquals(sharesOfTotal([group(9, { order: 3 }), group(9, { order: 1 }), group(9, { order: 2 })], 2), [0, 1, 1]);
  assertEquals(sharesOfTotal([group(9, { forced: 6 }), group(9), group(9)], 12), [6, 3, 3]);
  assertEquals(sharesOfTotal([group(9, { forced: 6 }), group(9)], 2), [6, 0]);
  assertEquals(sharesOfTotal([], 5), []);
  assertEquals(sharesPerGroup([group(9, { forced: 6 }), group(9), group(2)], 3), [6, 3, 2]);
});

Deno.test("shares of a total sum to it, and are as even as the sizes allow", () => {
  const sizes = fc.array(fc.nat({ max: 40 }).map((size) => size + 1), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(sizes, fc.integer({ min: 1, max: 600 }), (sizes, total) => {
    const shares = sharesOfTotal(sizes.map((size, order) => group(size, { order })), total);
    assertEquals(sum(shares), Math.min(total, sum(sizes)));
    const most = Math.max(...shares);
    for (const [at, share] of shares.entries()) assert(share === sizes[at] || share >= most - 1);
  }));
});

Deno.test("shares by weights differ from the exact ones by less than one record", () => {
  const groups = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 50 }), weight: fc.integer({ min: 0, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(fc.property(groups, fc.integer({ min: 1, max: 300 }), (groups, total) => {
    const shares = sharesOfTotal(groups.map(({ size, weight }, order) => group(size, { weight, order })), total);
    const drawable = groups.filter(({ weight }) => weight > 0);
    assertEquals(sum(shares), Math.min(total, sum(drawable.map(({ size }) => size))));
    const level = Math.max(0, ...groups.map(({ weight }, at) => weight === 0 ? 0 : (shares[at] - 1) / weight));
    for (const [at, { size, weight }] of groups.entries()) {
      assert(shares[at] === size || shares[at] > level * weight - 1.000001, `${shares} of ${JSON.stringify(groups)}`);
    }
  }));
});

/**
 * The group sizes of `augur filter --subsample-max-sequences` as it documents them: the greatest number per group with
 * which no more than the total is drawn. With more groups than records it draws by chance instead.
 */
function augurSizes(sizes: readonly number[], total: number): number[] {
  let perGroup = 0;
  while (perGroup < Math.max(...sizes) && sum(sizes.map((size) => Math.min(size, perGroup + 1))) <= total) perGroup++;
  return sizes.map((size) => Math.min(size, perGroup));
}

Deno.test("no share is below that of augur, and all are equal where augur's sum to the total", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 });
  let [equal, cases] = [0, 0];
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 700 }), (sizes, total) => {
      const ours = sharesOfTotal(sizes.map((size, order) => group(size, { order })), total);
      const theirs = augurSizes(sizes, total);
      for (const [at, share] of theirs.entries()) assert(ours[at] >= share);
      cases++;
      if (sum(theirs) !== Math.min(total, sum(sizes))) return;
      equal++;
      assertEquals(ours, theirs);
      const perGroup = Math.max(...theirs);
      assertEquals(sharesPerGroup(sizes.map((size) => group(size)), perGroup), theirs);
    }),
    { numRuns: 2000, seed: 29 },
  );
  assert(equal > 100 && equal < cases, `${equal} of ${cases} cases are equal`);
});
