/** Quantiles are the same whether values come again or are all of their own. */
import { assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { countValues } from "../../../src/analysis/run/_value_counts.ts";
import { LOCAL_ABILITIES } from "../../../src/core/engine/local/local_engine.ts";

const QUANTILES = [0, 0.05, 0.5, 0.95, 1];
type Query = ReturnType<ReturnType<typeof pl.DataFrame>["lazy"]>;
const here = (query: Query) => query.collectSync({ engine: "streaming" });
const engine = { pl, abilities: LOCAL_ABILITIES, here, collect: (query: Query) => Promise.resolve(here(query)) };

/** Quantiles by definition: between the two values around a place. */
function quantilesOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? [] : QUANTILES.map((quantile) => {
    const place = quantile * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (place - Math.floor(place)) * (high - low);
  });
}

Deno.test("countValues() counts and divides values, few of them or each of its own", async (t) => {
  const groups = ["a", "b", null, "none of them"];
  const cases: Record<string, (row: number) => number | null> = {
    "few values": (row) => row * 7919 % 101 / 4,
    "each of its own": (row) => row * 7919 % 60_013 / 4,
  };
  const odd = [null, NaN, Infinity, -Infinity];
  for (const [name, valueOf] of Object.entries(cases)) {
    await t.step(name, async () => {
      const rows = Array.from({ length: 60_000 }, (_, row) => ({
        group: groups[row % 4],
        value: row % 4 === 3 ? odd[(row - 3) / 4 % 4] : row % 50 === 2 ? odd[row / 2 % 4] : valueOf(row),
      }));
      const frame = pl.DataFrame([
        pl.Series("group", rows.map(({ group }) => group), pl.String),
        pl.Series("value", rows.map(({ value }) => value), pl.Float64),
      ]);
      const found = await countValues(engine, frame.lazy(), QUANTILES);
      const byGroup = new Map(found.map(({ group, ...rest }) => [group, rest]));
      assertEquals(byGroup.size, groups.length);
      for (const group of groups) {
        const own = rows.filter((row) => row.group === group).map(({ value }) => value);
        const finite = own.filter((value) => value !== null && Number.isFinite(value)).map(Number);
        const { quantiles, ...counts } = byGroup.get(group)!;
        assertEquals(counts, {
          all: own.length,
          filled: own.filter((value) => value !== null).length,
          records: finite.length,
        });
        assertEquals(quantiles.map((value) => value.toFixed(9)), quantilesOf(finite).map((value) => value.toFixed(9)));
      }
    });
  }
  const none = pl.DataFrame({ group: ["a"], value: [1.5] }).lazy().limit(0);
  assertEquals(await countValues(engine, none, QUANTILES), []);
});
