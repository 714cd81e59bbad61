import { assertAlmostEquals, assertEquals } from "@std/assert";
import { estimateAni } from "../../../src/alike/nearest/ani.ts";

/**
 * Shared hashes, size, scaled; identity and interval by sourmash 4.9.4:
 * `containment_to_distance(shared / size, 21, scaled, n_unique_kmers=size * scaled, estimate_ci=True)`.
 */
const SOURMASH = [
  [1500, 1875, 16, 0.989430, 0.987746, 0.990911],
  [600, 1875, 16, 0.947187, 0.942915, 0.951332],
  [100, 625, 16, 0.916433, 0.905718, 0.927030],
  [60, 625, 16, 0.894410, 0.880915, 0.908053],
  [30, 125, 16, 0.934300, 0.914731, 0.952455],
  [249, 250, 8, 0.999809, 0.997171, 0.999988],
  [200, 500, 1, 0.957305, 0.935787, 0.974996],
  [60, 500, 1, 0.903965, 0.869193, 0.941119],
  [7, 625, 16, 0.807431, 0.775263, 0.842481],
];

Deno.test("estimateAni() computes the estimate and the interval that sourmash computes", () => {
  for (const [shared, size, scaled, ani, low, high] of SOURMASH) {
    const estimate = estimateAni({ shared, size, density: 1 / scaled, k: 21 });
    assertAlmostEquals(estimate.ani, ani, 2e-6);
    assertAlmostEquals(estimate.low, low, 2e-6);
    assertAlmostEquals(estimate.high, high, 2e-6);
  }
});

Deno.test("equal sketches are 100 %, without shared hashes there is no identity", () => {
  const same = estimateAni({ shared: 500, size: 500, density: 1 / 16, k: 21 });
  assertEquals([same.ani, same.high], [1, 1]);
  assertEquals(estimateAni({ shared: 0, size: 500, density: 1 / 16, k: 21 }), { ani: 0, low: 0, high: 0 });
});
