/** How long sequences are. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks, logTicks } from "../chart/axes.ts";
import { fillBins, finerBins, logEdges, middle, tallyLengths } from "../run/length_bins.ts";
import { dominanceNote } from "../run/notes.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { amount, count, counted } from "../chart/words.ts";

/** Options of {@linkcode lengthDistribution}. */
export interface LengthDistributionOptions extends AnalysisOptions {
  /** Bins between one power of ten and the next; 10 by default, more where lengths differ little. */
  readonly binsPerDecade?: number;
}

export const LENGTH_DISTRIBUTION_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  binsPerDecade: rule.wholeNumber({ from: 1, to: 1000 }),
} satisfies OptionRules<LengthDistributionOptions>;

/** Most bins in all: more are narrower than a pixel. */
const MOST_SHOWN = 400;
const SHAPE = { from: "Int64", to: "Int64", records: "Int64" } as const;

/**
 * Counts sequences by length, in bins that are equally wide on an axis of logarithms.
 *
 * Lengths that are not plausible (below 1 or above 5,000,000 bp; option `plausible`) are left out, counted and named.
 * Bins begin at whole numbers, the least that is not below a power of ten, so that every length is in exactly one bin
 * and no rounding of logarithms decides which.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Bins, and what all analyses share.
 * @returns Bins × `from`, `to` (both in the bin), `records` (Int64), from the shortest to the longest; bins between
 * them that hold nothing are there too.
 * @throws {RangeError} If there would be no bins, or more than 1,000 in a decade.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { lengthDistribution } from "./length_distribution.ts";
 *
 * const { frame } = await lengthDistribution(pl.DataFrame({ length: [1000, 1001, 9999, 10_000] }),
 *   { binsPerDecade: 1 });
 *
 * assertEquals(frame.toRecords(), [
 *   { from: 1000, to: 9999, records: 3 },
 *   { from: 10_000, to: 99_999, records: 1 },
 * ]);
 * ```
 */
export async function lengthDistribution(
  source: AnalysisSource,
  options: LengthDistributionOptions = {},
): Promise<Analysis> {
  checkOptions("lengthDistribution()", options, LENGTH_DISTRIBUTION_OPTIONS);
  const asked = options.binsPerDecade;
  const title = "Length of sequences";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["length"], uses: ["species"] });
  if (run.absent.length > 0) return run.stop();
  const { shown, n, excluded, note, missing } = await tallyLengths(run);
  if (note !== undefined) run.note(note);
  if (n === 0) return run.stop(`There is nothing to show: no record has a length (${count(missing)} without a value)`);

  const [shortest, longest] = [shown[0].length, shown[shown.length - 1].length];
  const fewer = Math.max(1, Math.floor(MOST_SHOWN / Math.max(0.01, Math.log10(longest / shortest))));
  const perDecade = Math.min(asked ?? finerBins(shortest, longest), fewer);
  if (asked !== undefined && perDecade < asked) {
    run.note(`${asked} bins in a decade would be more than ${MOST_SHOWN} in all: ${perDecade} are shown`);
  }
  const edges = logEdges(shortest, longest, perDecade);
  const bins = fillBins(shown, edges);
  const median = middle(shown, n);
  if (run.find("species") !== undefined) {
    const species = (await run.tallyTexts(["species"])).filter(({ keys: [name] }) => name !== null);
    const warning = dominanceNote(species.map(({ keys: [name], count }) => ({ name, count })), "species");
    if (warning !== undefined) run.note(warning);
  }
  const fullest = bins.reduce((best, each) => each.records > best.records ? each : best);
  const unit = "bp";
  return await run.finish(bins, {
    counts: { n, excluded, missing },
    meta: {
      title,
      subtitle: `Median (dashed line) ${amount(median, 1)} ${unit}; shortest ${count(shortest)}, longest ${
        count(longest)
      }`,
      description: `Histogram of ${counted(n, "records")} by length on an axis of logarithms. Median ${
        amount(median, 1)
      } ${unit}. Most records, ${count(fullest.records)}, are from ${count(fullest.from)} to ${
        count(fullest.to)
      } ${unit} long.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      x: {
        type: "log",
        // A single bin would fill the page.
        domain: bins.length > 2 ? [edges[0], edges[edges.length - 1]] : [edges[0] * 0.7, edges[edges.length - 1] * 1.4],
        label: `length of the sequence (${unit}, logarithmic)`,
        ticks: logTicks(edges[0], edges[edges.length - 1]) ?? 5,
        tickFormat: count,
      },
      y: { label: "records", grid: true, ...countTicks(fullest.records) },
      marks: [
        plot.rectY(bins, {
          x1: "from",
          x2: (each: { to: number }) => each.to + 1,
          y: "records",
          fill: CATEGORY_COLOURS[0],
          title: ({ from, to, records }: (typeof bins)[number]) =>
            `${count(from)} to ${count(to)} ${unit}\n${counted(records, "records")}`,
        }),
        plot.ruleX([median], { stroke: "currentColor", strokeDasharray: "4,3" }),
        plot.ruleY([0]),
      ],
    }),
  });
}
