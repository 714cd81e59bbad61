/**
 * How many genomes are good enough for what.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks, marginFor, PICTURE_WIDTH } from "../chart/axes.ts";
import { byCount, Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS, NEUTRAL_COLOUR } from "../chart/palette.ts";
import { count, counted, does, labels, percent } from "../chart/words.ts";

const SHAPE = { completeness: "String", ambiguous: "String", records: "Int64" } as const;
/** Shares of ambiguous letters, from the best. */
const TIERS = [
  { name: "none", most: 0, colour: CATEGORY_COLOURS[0] },
  { name: "up to 1 %", most: 0.01, colour: CATEGORY_COLOURS[2] },
  { name: "1 % to 5 %", most: 0.05, colour: CATEGORY_COLOURS[3] },
  { name: "above 5 %", most: Infinity, colour: CATEGORY_COLOURS[1] },
] as const;

/**
 * Counts records by declared completeness and by share of ambiguous letters.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Groups × `completeness` (as declared), `ambiguous` (`none`, `up to 1 %`, `1 % to 5 %`, `above 5 %` of the
 * letters), `records` (Int64), the most frequent completeness first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { qualityTiers } from "./quality_tiers.ts";
 *
 * const source = pl.DataFrame({ Completeness: ["complete", "complete"], Length: [1000, 1000], Ambiguous: [0, 10] });
 *
 * assertEquals((await qualityTiers(source)).frame.getColumn("ambiguous").toArray(), ["none", "up to 1 %"]);
 * ```
 */
export async function qualityTiers(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("qualityTiers()", options, ANALYSIS_OPTIONS);
  const title = "Genomes by completeness and ambiguous letters";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["completeness", "length", "ambiguous"] });
  if (run.absent.length > 0) return run.stop();
  const { pl } = run;
  const [length, ambiguous] = [run.col("length").cast(pl.Float64), run.col("ambiguous").cast(pl.Float64)];
  const share = ambiguous.div(length);
  const usable = length.isFinite().and(length.gt(pl.lit(0))).and(ambiguous.isFinite()).and(ambiguous.gtEq(pl.lit(0)));
  // 0 to 3 is a tier, 4 a number that cannot be, null no number.
  const tier = pl.when(length.isNull().or(ambiguous.isNull())).then(pl.lit(null))
    .when(usable.not()).then(pl.lit(4)).when(share.eq(pl.lit(0))).then(pl.lit(0))
    .when(share.ltEq(pl.lit(0.01))).then(pl.lit(1)).when(share.ltEq(pl.lit(0.05))).then(pl.lit(2)).otherwise(pl.lit(3));
  const left = { missing: 0, odd: 0 };
  const groups = new Map<string, number[]>();
  for (const { keys: [completeness, at], count } of run.tallyTexts(["completeness"], { tier })) {
    if (completeness === null || at === null) left.missing += count;
    else if (Number(at) === 4) left.odd += count;
    else {
      const counts = groups.get(String(completeness)) ?? TIERS.map(() => 0);
      counts[Number(at)] += count;
      groups.set(String(completeness), counts);
    }
  }
  if (left.odd > 0) {
    run.note(
      `${counted(left.odd, "records")} ${
        does(left.odd, "have")
      } a length or a number of letters that cannot be: not shown`,
    );
  }
  const sums = [...groups].map(([name, counts]) => ({ keys: [name], count: counts.reduce((a, b) => a + b, 0) })).sort(
    byCount,
  );
  const n = sums.reduce((sum, { count }) => sum + count, 0);
  if (n === 0) {
    return run.stop(`There is nothing to show: no record has all three values (${count(left.missing)} without)`);
  }
  const order = sums.map(({ keys: [name] }) => String(name));
  const rows = order.flatMap((completeness) =>
    TIERS.flatMap(({ name }, index) => {
      const records = groups.get(completeness)![index];
      return records === 0 ? [] : [{ completeness, ambiguous: name, records }];
    })
  );
  run.note("Completeness is as submitters declared it; it does not say that ends are there");
  const shownOrder = order.slice(0, 30);
  if (order.length > 30) {
    run.note(`The 30 most frequent of ${order.length} kinds of completeness are drawn; the numbers have all`);
  }
  const names = labels(shownOrder);
  const marginLeft = marginFor(names);
  let from = new Map<string, number>();
  const bars = rows.filter(({ completeness }) => shownOrder.includes(completeness)).map((row) => {
    const start = from.get(row.completeness) ?? 0;
    from = from.set(row.completeness, start + row.records);
    return {
      name: names[shownOrder.indexOf(row.completeness)],
      x1: start,
      x2: start + row.records,
      colour: TIERS.find(({ name }) => name === row.ambiguous)?.colour ?? NEUTRAL_COLOUR,
    };
  });
  const best = rows.find(({ completeness, ambiguous }) => completeness === order[0] && ambiguous === "none")?.records ??
    0;
  return await run.finish(rows, {
    counts: { n, excluded: left.odd, missing: left.missing },
    meta: {
      title,
      legendTitle: "ambiguous letters",
      legend: TIERS.map(({ name, colour }) => ({ label: name, colour })),
      description:
        `Bars of ${counted(n, "records")} by declared completeness, by share of letters beyond A, C, G, T and U. ` +
        `${order[0]}: ${count(sums[0].count)}, of which ${percent(best, sums[0].count)} have none.`,
    },
    spec: (plot) => ({
      height: names.length * 30 + 64,
      marginLeft,
      marginRight: 80,
      x: { label: "records", grid: true, ...countTicks(sums[0].count, PICTURE_WIDTH - marginLeft - 80) },
      y: { label: null, domain: names, padding: 0.2 },
      marks: [
        plot.barX(bars, { y: "name", x1: "x1", x2: "x2", fill: ({ colour }: { colour: string }) => colour }),
        plot.text(sums.slice(0, 30), {
          y: (_: unknown, index: number) => names[index],
          x: "count",
          text: ({ count: records }: { count: number }) => count(records),
          textAnchor: "start",
          dx: 5,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
}
