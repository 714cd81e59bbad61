/** How many genomes are good enough for what. */
import { checkOptions } from "@seqreg/core/options/check_options";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Role } from "../source/roles.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks, marginFor, PICTURE_WIDTH } from "../chart/axes.ts";
import { Outliers, outside, rangeOf } from "../run/plausible.ts";
import { byCount, Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { NEUTRAL_COLOUR, rampColours } from "../chart/palette.ts";
import { count, counted, label, labels, percent } from "../chart/words.ts";

const SHAPE = { completeness: "String", ambiguous: "String", records: "Int64", quality: "String" } as const;
/** Colours of levels, from the best: darker the worse, so that a print in black and white keeps their order. */
const LEVEL_COLOURS = rampColours(4);
/** Shares of ambiguous bases, from the best. */
const TIERS = [
  { name: "none", most: 0, colour: LEVEL_COLOURS[0] },
  { name: "up to 1 %", most: 0.01, colour: LEVEL_COLOURS[1] },
  { name: "1 % to 5 %", most: 0.05, colour: LEVEL_COLOURS[2] },
  { name: "above 5 %", most: Infinity, colour: LEVEL_COLOURS[3] },
] as const;

/** Ordered values of a quality field, from the best: those of CheckV, in lower case. */
const QUALITIES = ["complete", "high-quality", "medium-quality", "low-quality", "not-determined"] as const;
/** Levels of quality that have a colour of their own. */
const MOST_LEVELS = LEVEL_COLOURS.length;

interface Level {
  readonly name: string;
  readonly colour: string;
}

interface LevelCounts {
  readonly levels: readonly Level[];
  /** Counts by level, by completeness. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly excluded: number;
  readonly missing: number;
}

/**
 * Counts records by declared completeness and by share of ambiguous bases; where these are not known, by a declared
 * field of quality, such as `Quality CheckV`.
 *
 * Lengths that are not plausible, and more ambiguous bases than the length (option `plausible`), are left out, counted
 * and named.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Groups × `completeness` (as declared), `ambiguous` (`none`, `up to 1 %`, `1 % to 5 %`, `above 5 %` of the
 * bases; null where the quality field was taken), `records` (Int64), `quality` (as declared; null where ambiguous bases
 * are known), the most frequent completeness first.
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
  const title = "Genomes by completeness and ambiguous bases";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["completeness", "length", "ambiguous"] });
  const counts = run.absent.length > 0 ? undefined : await countAmbiguous(run);
  if (counts !== undefined && counts.groups.size > 0) return await draw(run, title, "ambiguous", counts);
  const declared = await Run.start(source, options, {
    title: "Genomes by completeness and declared quality",
    shape: SHAPE,
    needs: ["completeness", "quality"],
  });
  if (declared.absent.length === 0) {
    declared.note("Ambiguous bases are unknown: the declared quality is shown instead");
    const qualities = await countQuality(declared);
    if (qualities.groups.size > 0) {
      return await draw(declared, "Genomes by completeness and declared quality", "quality", qualities);
    }
  }
  if (counts === undefined) return run.stop();
  return run.stop(`There is nothing to show: no record has all three values (${count(counts.missing)} without)`);
}

async function countAmbiguous(run: Run<"completeness" | "length" | "ambiguous">): Promise<LevelCounts> {
  const { pl } = run;
  const [length, ambiguous] = [run.col("length").cast(pl.Float64), run.col("ambiguous").cast(pl.Float64)];
  const share = ambiguous.div(length);
  const lengths = rangeOf(run.options.plausible, "length");
  const shares = rangeOf(run.options.plausible, "ambiguous");
  const isLength = length.isFinite().and(length.gt(pl.lit(0))).and(length.gtEq(pl.lit(lengths[0])))
    .and(length.ltEq(pl.lit(lengths[1])));
  const isShare = share.isFinite().and(share.gtEq(pl.lit(Math.max(0, shares[0])))).and(share.ltEq(pl.lit(shares[1])));
  const [NO_LENGTH, NO_SHARE] = [TIERS.length, TIERS.length + 1];
  const tier = pl.when(length.isNull().or(ambiguous.isNull())).then(pl.lit(null))
    .when(isLength.not()).then(pl.lit(NO_LENGTH)).when(isShare.not()).then(pl.lit(NO_SHARE))
    .when(share.eq(pl.lit(0))).then(pl.lit(0)).when(share.ltEq(pl.lit(0.01))).then(pl.lit(1))
    .when(share.ltEq(pl.lit(0.05))).then(pl.lit(2)).otherwise(pl.lit(3));
  const outlier = pl.when(isLength.not()).then(length).when(isShare.not()).then(ambiguous).otherwise(pl.lit(null));
  const [noLengths, noShares] = [new Outliers(), new Outliers()];
  let missing = 0;
  const groups = new Map<string, Map<string, number>>();
  for (const { keys: [completeness, at, value], count } of await run.tallyTexts(["completeness"], { tier, outlier })) {
    if (completeness === null || at === null) missing += count;
    else if (Number(at) === NO_LENGTH) noLengths.add(value, count);
    else if (Number(at) === NO_SHARE) noShares.add(value, count);
    else add(groups, String(completeness), TIERS[Number(at)].name, count);
  }
  const notes = [
    noLengths.note(`a length ${outside(lengths, "bp")} in ${run.name("length")}`),
    noShares.note(
      shares[0] <= 0 && shares[1] === 1
        ? `a number of ambiguous bases below 0 or beyond the length in ${run.name("ambiguous")}`
        : `a share of ambiguous bases ${outside(shares, "")} in ${run.name("ambiguous")}`,
    ),
  ];
  for (const note of notes) if (note !== undefined) run.note(note);
  return { levels: TIERS, groups, excluded: noLengths.records + noShares.records, missing };
}

async function countQuality(run: Run<"completeness" | "quality">): Promise<LevelCounts> {
  let missing = 0;
  const groups = new Map<string, Map<string, number>>();
  const sums = new Map<string, number>();
  for (const { keys: [completeness, quality], count } of await run.tallyTexts(["completeness", "quality"])) {
    if (completeness === null || quality === null) missing += count;
    else {
      add(groups, String(completeness), String(quality), count);
      sums.set(String(quality), (sums.get(String(quality)) ?? 0) + count);
    }
  }
  const rankOf = (name: string) => {
    const rank = QUALITIES.findIndex((quality) => quality === name.toLowerCase());
    return rank < 0 ? QUALITIES.length : rank;
  };
  const names = [...sums].sort(([a, n], [b, m]) => rankOf(a) - rankOf(b) || m - n || (a < b ? -1 : 1)).map(([name]) =>
    name
  );
  return {
    levels: names.map((name, at) => ({ name, colour: at < MOST_LEVELS ? LEVEL_COLOURS[at] : NEUTRAL_COLOUR })),
    groups,
    excluded: 0,
    missing,
  };
}

function add(groups: Map<string, Map<string, number>>, completeness: string, level: string, count: number): void {
  const counts = groups.get(completeness) ?? new Map<string, number>();
  counts.set(level, (counts.get(level) ?? 0) + count);
  groups.set(completeness, counts);
}

/** Closes with the counts and their chart. */
async function draw<Needed extends Role>(
  run: Run<Needed>,
  title: string,
  kind: "ambiguous" | "quality",
  { levels, groups, excluded, missing }: LevelCounts,
): Promise<Analysis> {
  const sums = [...groups].map(([name, counts]) => ({
    keys: [name],
    count: [...counts.values()].reduce((a, b) => a + b, 0),
  })).sort(byCount);
  const n = sums.reduce((sum, { count }) => sum + count, 0);
  const order = sums.map(({ keys: [name] }) => String(name));
  const rows = order.flatMap((completeness) =>
    levels.flatMap(({ name, colour }) => {
      const records = groups.get(completeness)?.get(name) ?? 0;
      return records === 0 ? [] : [{ completeness, level: name, colour, records }];
    })
  );
  run.note("Completeness is as submitters declared it; it does not say that ends are there");
  const shownOrder = order.slice(0, 30);
  if (order.length > 30) {
    run.note(`The 30 most frequent of ${order.length} kinds of completeness are drawn; the numbers have all`);
  }
  const names = labels(shownOrder);
  const marginLeft = marginFor(names);
  const from = new Map<string, number>();
  const groupSize = (name: string) => sums[order.indexOf(name)].count;
  const bars = rows.filter(({ completeness }) => shownOrder.includes(completeness)).map((row) => {
    const start = from.get(row.completeness) ?? 0;
    from.set(row.completeness, start + row.records);
    return {
      name: names[shownOrder.indexOf(row.completeness)],
      x1: start,
      x2: start + row.records,
      colour: row.colour,
      said: `${row.completeness}\n${row.level}: ${count(row.records)} (${
        percent(row.records, groupSize(row.completeness))
      })`,
    };
  });
  const best = levels[0].name;
  const bestRecords = groups.get(order[0])?.get(best) ?? 0;
  const named = levels.filter(({ colour }) => colour !== NEUTRAL_COLOUR);
  const others = levels.length - named.length;
  return await run.finish(
    rows.map(({ completeness, level, records }) => ({
      completeness,
      ambiguous: kind === "ambiguous" ? level : null,
      records,
      quality: kind === "quality" ? level : null,
    })),
    {
      counts: { n, excluded, missing },
      meta: {
        title,
        legendTitle: kind === "ambiguous" ? "ambiguous bases" : "quality",
        legend: [
          ...named.map(({ name, colour }) => ({ label: label(name), colour })),
          ...others === 0 ? [] : [{ label: `other (${counted(others, "kinds")})`, colour: NEUTRAL_COLOUR }],
        ],
        description: `Bars of ${counted(n, "records")} by declared completeness, by ${
          kind === "ambiguous" ? "share of bases beyond A, C, G, T and U" : "declared quality"
        }. ${label(order[0])}: ${count(sums[0].count)}, of which ${percent(bestRecords, sums[0].count)} ${
          kind === "ambiguous" ? "have none" : `are ${label(best)}`
        }.`,
      },
      spec: (plot) => ({
        height: names.length * 30 + 64,
        marginLeft,
        marginRight: 80,
        x: { label: "records", grid: true, ...countTicks(sums[0].count, PICTURE_WIDTH - marginLeft - 80) },
        y: { label: null, domain: names, padding: 0.2 },
        marks: [
          plot.barX(bars, {
            y: "name",
            x1: "x1",
            x2: "x2",
            fill: ({ colour }: { colour: string }) => colour,
            title: "said",
            stroke: "currentColor",
            strokeOpacity: 0.3,
          }),
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
    },
  );
}
