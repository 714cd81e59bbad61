import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { rarefaction } from "../../../../src/analysis/mod.ts";
import { Abundances } from "../../../../src/analysis/statistics/hill_numbers.ts";

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
  const { frame } = await rarefaction(pl.DataFrame({ Species: species }), {
    orders: [0],
    extrapolate: false,
    bootstrap: 0,
  });
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

/** Spiders of girdled canopies, as published with iNEXT. */
const SPIDERS = [46, 22, 17, 15, 15, 9, 8, 6, 6, 4, 2, 2, 2, 2, ...Array.from({ length: 12 }, () => 1)];
const asFrame = (abundances: readonly number[]) =>
  pl.DataFrame({
    Species: abundances.flatMap((times, kind) => Array.from({ length: times }, () => `species ${kind}`)),
  });
const round = (value: unknown) => Number(value).toFixed(3);

Deno.test("rarefaction() returns the published numbers of the spiders of iNEXT", async () => {
  const { frame, notes } = await rarefaction(asFrame(SPIDERS));
  const rows = frame.toRecords();
  const at = (records: number) => rows.filter((row) => Number(row.records) === records);

  assertEquals(at(168).map(({ expected }) => round(expected)), ["26.000", "12.060", "7.840"]);
  assertEquals(at(336).map(({ expected }) => round(expected)), ["34.731", "13.017", "8.004"]);
  assertEquals([at(168), at(336)].map(([{ coverage }]) => round(coverage)), ["0.929", "0.964"]);
  assertEquals(at(168).map(({ method }) => method), ["observed", "observed", "observed"]);
  assert(notes.some((note) => note.includes("43.9 (q = 0), 13.8 (q = 1), 8.2 (q = 2)")), notes.join("\n"));
  const abundances = new Abundances(
    new Map(Array.from(Map.groupBy(SPIDERS, (times) => times), ([times, kinds]) => [times, kinds.length])),
  );
  assertEquals([abundances.chao1, abundances.asymptote(2)].map(round), ["43.893", "8.175"]);
});

Deno.test("rarefaction() averages the diversity over all draws", async () => {
  const species = [0, 0, 0, 1, 1, 2, 3];
  const { frame } = await rarefaction(asFrame([3, 2, 1, 1]), { bootstrap: 0 });
  for (let records = 1; records <= species.length; records++) {
    const [kinds, entropy] = [0, 0].map(() => [] as number[]);
    for (let draw = 0; draw < 1 << species.length; draw++) {
      const drawn = species.filter((_, at) => draw >> at & 1);
      if (drawn.length !== records) continue;
      const shares = [...Map.groupBy(drawn, (one) => one).values()].map(({ length }) => length / records);
      kinds.push(shares.length);
      entropy.push(-shares.reduce((sum, share) => sum + share * Math.log(share), 0));
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [zero, one] = frame.toRecords().filter((row) => Number(row.records) === records);
    assertEquals([zero.expected, one.expected].map(round), [mean(kinds), Math.exp(mean(entropy))].map(round));
    assertEquals([zero.low, zero.high], [null, null]);
  }
});

Deno.test("bands of rarefaction() are those of collections drawn of the whole, the same for a seed", async () => {
  const [one, again, other] = await Promise.all(
    [1, 1, 2].map(async (seed) => (await rarefaction(asFrame(SPIDERS), { seed })).frame.toRecords()),
  );
  assertEquals(again, one);
  const widths = (rows: typeof one) =>
    rows.filter(({ records }) => Number(records) === 168).map(({ low, high }) => Number(high) - Number(low));
  assert(widths(other).every((width, at) => width !== widths(one)[at]));
  // Standard errors of a multinomial draw of the same estimated whole, over 2,000 collections by numpy: 2.60, 1.14,
  // 0.89.
  for (const [at, error] of [2.6, 1.14, 0.89].entries()) {
    const ratio = widths(one)[at] / (2 * 1.96 * error);
    assert(ratio > 0.7 && ratio < 1.4, `order ${at}: ${ratio}`);
  }
});

Deno.test("rarefaction() of kinds seen once notes that unseen kinds cannot be estimated", async () => {
  const { frame, notes } = await rarefaction(asFrame([1, 1, 1, 1]));
  assert(notes.some((note) => note.includes("Every one of the species was seen once")), notes.join("\n"));
  assert(frame.getColumn("expected").toArray().every((value) => Number.isFinite(Number(value))));
});
