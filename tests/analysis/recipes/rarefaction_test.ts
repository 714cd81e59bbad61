import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { rarefaction } from "../../../src/analysis/mod.ts";

/** Expected kinds by the recurrence of C(N − n, m) / C(N, m), one draw after the other. */
function exactCurve(abundances: readonly number[]): number[] {
  const n = abundances.reduce((sum, each) => sum + each, 0);
  const unseen = abundances.map(() => 1);
  return Array.from({ length: n }, (_, drawn) => {
    for (const [kind, abundance] of abundances.entries()) {
      unseen[kind] *= Math.max(0, n - abundance - drawn) / (n - drawn);
    }
    return unseen.reduce((sum, share) => sum + 1 - share, 0);
  });
}

Deno.test("rarefaction() draws lines that are everywhere within 1 % of the exact curve", async () => {
  const abundances = Array.from({ length: 400 }, (_, kind) => Math.ceil(4000 / (kind + 1) ** 1.3));
  const exact = exactCurve(abundances);
  const species = abundances.flatMap((count, kind) => Array.from({ length: count }, () => `species ${kind}`));
  const { frame } = await rarefaction(pl.DataFrame({ Species: species }));
  const sizes = frame.getColumn("records").toArray().map(Number);
  const expected = frame.getColumn("expected").toArray().map(Number);

  assertEquals(sizes.slice(0, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assertEquals([sizes.length, sizes[59]], [60, species.length]);
  for (const [at, size] of sizes.entries()) {
    assert(Math.abs(expected[at] / exact[size - 1] - 1) < 1e-7, `${size}: ${expected[at]} and ${exact[size - 1]}`);
  }
  for (const [at, from] of sizes.slice(0, -1).entries()) {
    for (let size = from; size <= sizes[at + 1]; size++) {
      const drawn = expected[at] + (size - from) / (sizes[at + 1] - from) * (expected[at + 1] - expected[at]);
      const right = exact[size - 1];
      assert(Math.abs(drawn / right - 1) < 0.01, `at ${size} records ${drawn} is drawn where ${right} is right`);
    }
  }
});
