/** How many species a smaller collection would have shown, and a larger one may show. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { countTicks, PICTURE_WIDTH } from "../../chart/axes.ts";
import { dominanceNote } from "../../run/notes.ts";
import { Run, total } from "../../run/run.ts";
import type { AnalysisSource } from "../../source/source.ts";
import { curveSizes } from "../../statistics/curve_sizes.ts";
import { hillErrors } from "../../statistics/hill_bands.ts";
import { Abundances, type HillOrder } from "../../statistics/hill_numbers.ts";
import { CATEGORY_COLOURS } from "../../chart/palette.ts";
import { amount, count, counted, decimal } from "../../chart/words.ts";

/** Options of {@linkcode rarefaction}. */
export interface RarefactionOptions extends AnalysisOptions {
  /** What is counted as kinds; `species` by default. */
  readonly by?: "species" | "genus" | "family" | "host" | "cluster";
  /** Orders of Hill numbers; `[0, 1, 2]` by default. */
  readonly orders?: readonly HillOrder[];
  /** Whether the curves are extrapolated to twice the number of records; `true` by default. */
  readonly extrapolate?: boolean;
  /** Collections that are drawn for the bands; 50 by default, 0 for no bands. */
  readonly bootstrap?: number;
  /** The same seed draws the same collections; 1 by default. */
  readonly seed?: number;
  /**
   * Sizes at which a curve is computed up to the records there are; 60 by default. They are close where it bends, and
   * every one at its beginning.
   */
  readonly steps?: number;
}

const ORDERS: readonly HillOrder[] = [0, 1, 2];

export const RAREFACTION_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family", "host", "cluster"]),
  orders: rule.like<readonly HillOrder[]>(
    "a list of orders, each 0, 1 or 2",
    (value) => Array.isArray(value) && value.length > 0 && value.every((order) => ORDERS.includes(order)),
  ),
  extrapolate: rule.flag,
  bootstrap: rule.wholeNumber({ from: 0, to: 1000 }),
  seed: rule.wholeNumber({ from: 0 }),
  steps: rule.wholeNumber({ from: 2, to: 1000 }),
} satisfies OptionRules<RarefactionOptions>;

const SHAPE = {
  order: "Int64",
  records: "Int64",
  expected: "Float64",
  low: "Float64",
  high: "Float64",
  coverage: "Float64",
  method: "String",
} as const;
/** Sizes beyond the records that there are. */
const STEPS_BEYOND = 20;
/** Standard errors on each side of a band of 95 %. */
const SIDES = 1.96;

/**
 * The diversity among so many records drawn at random without replacement, and of up to twice the records by estimate.
 *
 * Diversity is in Hill numbers, as the R package iNEXT defines them: order 0 is the number of kinds, 1 the exponential
 * of Shannon's entropy (kinds that are common), 2 the inverse of Simpson's concentration (kinds that dominate). Up to
 * the records there are the expectation is computed, not simulated: for order 0 E(m) = Σ (1 − C(N − nᵢ, m) / C(N, m)).
 * Beyond them it rests on kinds seen once and twice: Chao1 = S + (n−1)/n · f1²/(2 f2), (n−1)/n · f1 (f1−1)/2 where none
 * is seen twice. Coverage is the share of all there is that the kinds make up (Chao and Jost). Bands are ± 1.96
 * standard errors of a seeded bootstrap.
 *
 * Up to 10 records every size is computed, beyond them so many that a line between two is close to the curve of order
 * 0: for 60 steps within 1 % of it.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What to count, which orders, how many steps.
 * @returns Orders and sizes × `order` (Int64), `records` drawn (Int64), `expected` kinds, `low` and `high` of their
 * band, `coverage` (Float64, 0 to 1), `method` (`rarefaction`, `observed` for the records there are, or
 * `extrapolation`).
 * @throws {RangeError} If `steps` is not between 2 and 1,000, or `bootstrap` not between 0 and 1,000.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { rarefaction } from "./rarefaction.ts";
 *
 * const source = pl.DataFrame({ Species: ["a", "a", "b", "b"] });
 * const { frame } = await rarefaction(source, { orders: [0], extrapolate: false });
 *
 * assertEquals(frame.getColumn("records").toArray(), [1, 2, 3, 4]);
 * assertEquals(frame.getColumn("expected").toArray().map((value) => Number(value).toFixed(3)), ["1.000", "1.667",
 *   "2.000", "2.000"]);
 * ```
 */
export async function rarefaction(source: AnalysisSource, options: RarefactionOptions = {}): Promise<Analysis> {
  checkOptions("rarefaction()", options, RAREFACTION_OPTIONS);
  const { by = "species", steps = 60, extrapolate = true, bootstrap = 50, seed = 1 } = options;
  const orders = [...new Set(options.orders ?? ORDERS)].sort();
  const plural = { species: "species", genus: "genera", family: "families", host: "hosts", cluster: "clusters" }[by];
  const title = `${
    extrapolate ? "Rarefaction and extrapolation" : "Rarefaction"
  }: ${plural} among records drawn at random`;
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [by] });
  if (run.absent.length > 0) return run.stop();
  const tallied = await run.tallyTexts([by]);
  const kinds = tallied.filter(({ keys: [name] }) => name !== null);
  const n = total(kinds);
  const missing = total(tallied) - n;
  if (n === 0) return run.stop(`There is nothing to show: no record has a value (${count(missing)} without one)`);
  const counts = new Map<number, number>();
  for (const { count } of kinds) counts.set(count, (counts.get(count) ?? 0) + 1);
  const abundances = new Abundances(counts);
  const rows = diversityRows(abundances, { orders, steps, extrapolate, bootstrap, seed });
  const single = counts.get(1) ?? 0;
  const coverage = abundances.coverage(n);
  const warning = dominanceNote(kinds.map(({ keys: [name], count }) => ({ name, count })), by);
  if (warning !== undefined) run.note(warning);
  if (kinds.length === 1) {
    run.note(`There is one ${by} alone: the curve can only be flat, and says nothing of diversity`);
  }
  run.note(
    "The curve takes records for random draws. Records of outbreaks and projects are not: it shows what is in the data, not in nature",
  );
  for (const note of definitions({ abundances, single, plural, orders, extrapolate, bootstrap, seed })) run.note(note);
  const lines = orders.map((order, at) => ({
    order,
    colour: CATEGORY_COLOURS[at],
    label: [`all ${plural} (q = 0)`, `common ${plural} (q = 1)`, `dominant ${plural} (q = 2)`][order],
    known: rows.filter((row) => row.order === order && row.records <= n),
    beyond: rows.filter((row) => row.order === order && row.records >= n),
  }));
  const end = extrapolate ? 2 * n : n;
  const most = Math.max(...rows.map(({ expected, high }) => Math.max(expected, high ?? 0)));
  // A tick beyond the end of the axis would lie outside the picture.
  const top = most * 1.05;
  const said = ({ order, records, expected, low, high, coverage, method }: DiversityRow) =>
    `${counted(records, "records")} (${method})\nq = ${order}: ${amount(expected, 1)}` +
    (low === null || high === null ? "" : `, ${amount(low, 1)} to ${amount(high, 1)}`) +
    `\ncoverage: ${decimal(coverage * 100, 1)} %`;
  return await run.finish(rows.map((row) => ({ ...row })), {
    counts: { n, missing },
    meta: {
      title,
      subtitle: `${counted(kinds.length, plural)} in all, ${count(single)} seen once; coverage ${
        decimal(coverage * 100, 1)
      } %${extrapolate ? `. Dashed: estimates beyond the ${counted(n, "records")}` : ""}${
        bootstrap > 0 ? ". Bands: 95 %" : ""
      }`,
      legend: lines.map(({ label, colour }) => ({ label, colour })),
      description: `Curves of the diversity of ${plural} among 1 to ${counted(end, "records")}. At the ${
        count(n)
      } that there are: ${
        orders.map((order) => `${amount(abundances.hill(order, n), 1)} of order ${order}`).join(", ")
      }.`,
    },
    spec: (plot) => ({
      height: 340,
      marginLeft: 64,
      marginRight: 30,
      x: { label: "records drawn", grid: true, domain: [0, end], ...countTicks(end, PICTURE_WIDTH - 64 - 30) },
      y: { label: `${plural} expected`, grid: true, domain: [0, top], ...countTicks(Math.floor(top)) },
      marks: [
        ...lines.flatMap(({ colour, known, beyond }) => [
          ...bootstrap === 0 ? [] : [
            plot.areaY([...known, ...beyond.slice(1)], {
              x: "records",
              y1: "low",
              y2: "high",
              fill: colour,
              fillOpacity: 0.2,
              title: () => "",
            }),
          ],
          plot.line(known, { x: "records", y: "expected", stroke: colour, strokeWidth: 2.5, title: said }),
          ...beyond.length < 2 ? [] : [
            plot.line(beyond, {
              x: "records",
              y: "expected",
              stroke: colour,
              strokeWidth: 2.5,
              strokeDasharray: "6,4",
              title: said,
            }),
          ],
          plot.dot(known.length > 12 ? known.slice(-1) : known, {
            x: "records",
            y: "expected",
            fill: colour,
            r: 3.5,
            title: said,
          }),
        ]),
        plot.ruleY([0]),
      ],
    }),
  });
}

interface DiversityRow {
  readonly order: HillOrder;
  readonly records: number;
  readonly expected: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly coverage: number;
  readonly method: "rarefaction" | "observed" | "extrapolation";
}

/** Rows by order and size. */
function diversityRows(
  abundances: Abundances,
  { orders, steps, extrapolate, bootstrap, seed }: {
    readonly orders: readonly HillOrder[];
    readonly steps: number;
    readonly extrapolate: boolean;
    readonly bootstrap: number;
    readonly seed: number;
  },
): DiversityRow[] {
  const { n } = abundances;
  const sizes = curveSizes(n, steps, (records) => abundances.hill(0, records));
  const beyond = Array.from(
    { length: extrapolate ? STEPS_BEYOND : 0 },
    (_, at) => n + Math.ceil(n * (at + 1) / STEPS_BEYOND),
  );
  const all = [...sizes, ...new Set(beyond)];
  const errors = hillErrors(abundances, { orders, sizes: all, replicates: bootstrap, seed });
  const coverages = all.map((records) => abundances.coverage(records));
  return orders.flatMap((order) =>
    all.map((records, at) => {
      const expected = abundances.hill(order, records);
      const side = SIDES * (errors.get(order)?.[at] ?? 0);
      return {
        order,
        records,
        expected,
        low: bootstrap === 0 ? null : Math.max(0, expected - side),
        high: bootstrap === 0 ? null : expected + side,
        coverage: coverages[at],
        method: records < n ? "rarefaction" : records === n ? "observed" : "extrapolation",
      };
    })
  );
}

/** What the words of the picture mean, since textbooks differ. */
function definitions(
  { abundances, single, plural, orders, extrapolate, bootstrap, seed }: {
    readonly abundances: Abundances;
    readonly single: number;
    readonly plural: string;
    readonly orders: readonly HillOrder[];
    readonly extrapolate: boolean;
    readonly bootstrap: number;
    readonly seed: number;
  },
): string[] {
  const { n, chao1 } = abundances;
  const meanings = ["the number of kinds", "exp of Shannon's entropy", "1 / Simpson's concentration"];
  const endless = orders.map((order) => `${amount(abundances.asymptote(order), 1)} (q = ${order})`).join(", ");
  return [
    `Hill numbers as iNEXT defines them: ${orders.map((order) => `q = ${order} is ${meanings[order]}`).join(", ")}. ` +
    "Coverage (Chao and Jost) is the estimated share of all there is that the kinds seen make up",
    ...single === n && n > 1
      ? [
        `Every one of the ${plural} was seen once: what is unseen cannot be estimated, and the numbers beyond are a guess`,
      ]
      : [],
    ...extrapolate
      ? [
        `By Chao1, S + (n−1)/n · f1²/(2 f2), there are at least ${
          amount(chao1, 1)
        } ${plural}. Estimates for endlessly ` +
        `many records: ${endless}. They are good to about twice the records`,
      ]
      : [],
    ...bootstrap > 0
      ? [
        `Bands are ± 1.96 standard errors over ${
          count(bootstrap)
        } collections drawn of the estimated whole (bootstrap, ` +
        `seed ${seed}); they do not know that records of one project belong together`,
      ]
      : [],
  ];
}
