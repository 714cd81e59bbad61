/**
 * How many species a smaller collection would have shown.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks, PICTURE_WIDTH } from "../chart/axes.ts";
import { dominanceNote } from "../run/notes.ts";
import { Run, total } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { count, counted, decimal } from "../chart/words.ts";

/** Options of {@linkcode rarefaction}. */
export interface RarefactionOptions extends AnalysisOptions {
  /** What is counted as kinds; `species` by default. */
  readonly by?: "species" | "genus" | "family" | "host" | "cluster";
  /**
   * Sizes at which the curve is computed; 60 by default. They are close where it bends, and every one at its beginning.
   */
  readonly steps?: number;
}

/** The rules of {@linkcode RarefactionOptions}. */
export const RAREFACTION_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family", "host", "cluster"]),
  steps: rule.wholeNumber({ from: 2, to: 1000 }),
} satisfies OptionRules<RarefactionOptions>;

const SHAPE = { records: "Int64", expected: "Float64" } as const;

/**
 * The number of species expected among so many records drawn at random without replacement.
 *
 * The expectation is computed, not simulated: E(m) = Σ (1 − C(N − nᵢ, m) / C(N, m)). So it needs no seed and has no
 * noise. Up to 10 records every size is computed, beyond them so many that a line between two is close to the curve:
 * for 60 steps within 1 % of it.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What to count, how many steps.
 * @returns Steps × `records` drawn (Int64), `expected` kinds (Float64); the last row is the whole.
 * @throws {RangeError} If `steps` is not between 2 and 1,000.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { rarefaction } from "./rarefaction.ts";
 *
 * const { frame } = await rarefaction(pl.DataFrame({ Species: ["a", "a", "b", "b"] }));
 *
 * assertEquals(frame.getColumn("records").toArray(), [1, 2, 3, 4]);
 * assertEquals(frame.getColumn("expected").toArray().map((value) => Number(value).toFixed(3)), ["1.000", "1.667",
 *   "2.000", "2.000"]);
 * ```
 */
export async function rarefaction(source: AnalysisSource, options: RarefactionOptions = {}): Promise<Analysis> {
  checkOptions("rarefaction()", options, RAREFACTION_OPTIONS);
  const { by = "species", steps = 60 } = options;
  const plural = { species: "species", genus: "genera", family: "families", host: "hosts", cluster: "clusters" }[by];
  const title = `Rarefaction: ${plural} among records drawn at random`;
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [by] });
  if (run.absent.length > 0) return run.stop();
  const tallied = await run.tallyTexts([by]);
  const kinds = tallied.filter(({ keys: [name] }) => name !== null);
  const n = total(kinds);
  const missing = total(tallied) - n;
  if (n === 0) return run.stop(`There is nothing to show: no record has a value (${count(missing)} without one)`);
  const abundances = new Map<number, number>();
  for (const { count } of kinds) abundances.set(count, (abundances.get(count) ?? 0) + 1);
  const rows = curveOf(n, steps, (drawn) => expectedKinds(abundances, n, drawn)).map((row) => ({ ...row }));
  const single = abundances.get(1) ?? 0;
  // Good's coverage: the share of the whole that the kinds seen make up, estimated from those seen once.
  const coverage = 1 - single / n;
  const warning = dominanceNote(kinds.map(({ keys: [name], count }) => ({ name, count })), by);
  if (warning !== undefined) run.note(warning);
  if (kinds.length === 1) {
    run.note(`There is one ${by} alone: the curve can only be flat, and says nothing of diversity`);
  }
  run.note(
    "The curve takes records for random draws. Records of outbreaks and projects are not: it shows what is in the data, not in nature",
  );
  const half = expectedKinds(abundances, n, Math.ceil(n / 2));
  return await run.finish(rows, {
    counts: { n, missing },
    meta: {
      title,
      subtitle: `${counted(kinds.length, plural)} in all, ${count(single)} seen once; Good's coverage ${
        decimal(coverage * 100, 1)
      } %`,
      description: `A rising curve of the number of ${plural} expected among 1 to ${counted(n, "records")}: ${
        decimal(half, 1)
      } at half of them, ${count(kinds.length)} at the whole.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      marginRight: 30,
      x: { label: "records drawn", grid: true, domain: [0, n], ...countTicks(n, PICTURE_WIDTH - 64 - 30) },
      y: { label: `${plural} expected`, grid: true, domain: [0, kinds.length * 1.05], ...countTicks(kinds.length) },
      marks: [
        plot.line(rows, { x: "records", y: "expected", stroke: CATEGORY_COLOURS[0], strokeWidth: 2.5 }),
        ...rows.length > 12 ? [] : [plot.dot(rows, { x: "records", y: "expected", fill: CATEGORY_COLOURS[0], r: 3.5 })],
        plot.ruleY([0]),
      ],
    }),
  });
}

/** First sizes, each computed, because the curve is steepest there. */
const FIRST_SIZES = 10;

/**
 * Sizes of draws with what is expected of them: every one at the beginning, then those without which a straight line
 * between two neighbours would be furthest from the curve, in parts of its height there.
 */
function curveOf(n: number, steps: number, expected: (drawn: number) => number): CurvePoint[] {
  const point = (records: number) => ({ records, expected: expected(records) });
  const first = Array.from(
    { length: Math.min(n, n <= steps ? n : Math.min(FIRST_SIZES, steps - 1)) },
    (_, at) => at + 1,
  );
  const points = first.map(point);
  if (points.length === n) return points;
  points.push(point(n));
  const splits = points.slice(1).map((_, at) => splitOf(points[at], points[at + 1], point));
  while (points.length < steps) {
    const worst = splits.reduce((most, split, at) => split.error > splits[most].error ? at : most, 0);
    const { middle, error } = splits[worst];
    if (error <= 0) break;
    points.splice(worst + 1, 0, middle);
    splits.splice(
      worst,
      1,
      splitOf(points[worst], middle, point),
      splitOf(middle, points[worst + 2], point),
    );
  }
  return points;
}

/** The size between two others (on an axis of logarithms), and how wrong a straight line is there. */
function splitOf(from: CurvePoint, to: CurvePoint, point: (records: number) => CurvePoint): Split {
  const between = Math.round(Math.sqrt(from.records * to.records));
  if (between <= from.records || between >= to.records) return { middle: from, error: 0 };
  const middle = point(between);
  const slope = (to.expected - from.expected) / (to.records - from.records);
  const straight = from.expected + slope * (between - from.records);
  return { middle, error: (middle.expected - straight) / middle.expected };
}

interface CurvePoint {
  readonly records: number;
  readonly expected: number;
}

interface Split {
  readonly middle: CurvePoint;
  readonly error: number;
}

/** Kinds expected among `drawn` of `n`; abundances with the number of kinds that have them. */
function expectedKinds(abundances: ReadonlyMap<number, number>, n: number, drawn: number): number {
  let sum = 0;
  for (const [abundance, kinds] of abundances) {
    const others = n - abundance;
    const none = others < drawn
      ? 0
      : Math.exp(logFactorial(others) + logFactorial(n - drawn) - logFactorial(others - drawn) - logFactorial(n));
    sum += kinds * (1 - none);
  }
  return sum;
}

const LOG_FACTORIALS: number[] = [0];
const SMALL = 256;

/** log(n!): a sum for small n, Stirling's series beyond, whose error there is below 1e-17 of it. */
function logFactorial(n: number): number {
  if (n < SMALL) {
    while (LOG_FACTORIALS.length <= n) {
      LOG_FACTORIALS.push(LOG_FACTORIALS[LOG_FACTORIALS.length - 1] + Math.log(LOG_FACTORIALS.length));
    }
    return LOG_FACTORIALS[n];
  }
  const x = n + 1;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) +
    1 / (1260 * x ** 5);
}
