/** How long sequences are among all records, unique sequences and representatives. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import { LAKE_ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { logTicks } from "../chart/axes.ts";
import { fillBins, finerBins, type Lengths, logEdges, middle, tallyLengths } from "../run/length_bins.ts";
import { missingSets, type RecordSet, setsOf } from "../run/record_sets.ts";
import { Run } from "../run/run.ts";
import { type AnalysisLake, checkLake } from "../source/source.ts";
import { amount, count, counted, decimal } from "../chart/words.ts";

/** Options of {@linkcode compareLengths}. */
export type CompareLengthsOptions = Omit<AnalysisOptions, "table" | "records">;

export const COMPARE_LENGTHS_OPTIONS = {
  ...LAKE_ANALYSIS_OPTIONS,
} satisfies OptionRules<CompareLengthsOptions>;

const SHAPE = { set: "String", from: "Int64", to: "Int64", records: "Int64", share: "Float64" } as const;
/** Most bins in all: more are narrower than a pixel or two. */
const MOST_BINS = 200;

/**
 * Compares lengths among all records, unique sequences and representatives of clusters, in the same bins.
 *
 * @param lake A lake with two or three of the metadata tables `full_dataset`, `unique_seqs` and `votu_clusters`.
 * @param options What all analyses share.
 * @returns Sets and bins × `set` (String), `from`, `to` (both in the bin), `records` (Int64), `share` of the set's
 * records that have a length (Float64, 0 to 1), the bins of each set from the shortest to the longest.
 *
 * @example
 * ```ts no-eval
 * import { Registry } from "seqreg";
 * import { compareLengths } from "seqreg/analysis";
 *
 * await using registry = await Registry.open();
 * await compareLengths(await registry.lake());
 * ```
 */
export async function compareLengths(lake: AnalysisLake, options: CompareLengthsOptions = {}): Promise<Analysis> {
  checkOptions("compareLengths()", options, COMPARE_LENGTHS_OPTIONS);
  checkLake("compareLengths()", lake);
  const title = "Length of all records, unique sequences and representatives";
  const start = (table: string) => Run.start(lake, { ...options, table }, { title, shape: SHAPE, needs: ["length"] });
  const there = setsOf(lake);
  const run = await start(there[0]?.table ?? lake.main);
  if (run.absent.length > 0) return run.stop();
  if (there.length < 2) return run.stop(missingSets(lake));
  const sets: { readonly set: RecordSet; readonly lengths: Lengths }[] = [];
  for (const set of there) {
    const own = set === there[0] ? run : await start(set.table);
    if (own.absent.length > 0) return own.stop();
    const lengths = await tallyLengths(own);
    if (own !== run) { for (const note of own.notes) run.note(`${set.set}: ${note}`); }
    if (lengths.note !== undefined) run.note(`${set.set}: ${lengths.note}`);
    sets.push({ set, lengths });
  }
  const filled = sets.filter(({ lengths }) => lengths.n > 0);
  if (filled.length === 0) return run.stop("There is nothing to compare: no record has a length");
  const shortest = Math.min(...filled.map(({ lengths }) => lengths.shown[0].length));
  const longest = Math.max(...filled.map(({ lengths: { shown } }) => shown[shown.length - 1].length));
  const most = Math.max(1, Math.floor(MOST_BINS / Math.max(0.01, Math.log10(longest / shortest))));
  const edges = logEdges(shortest, longest, Math.min(finerBins(shortest, longest), most));
  const rows = filled.flatMap(({ set, lengths }) =>
    fillBins(lengths.shown, edges).map((bin) => ({ set: set.set, ...bin, share: bin.records / lengths.n }))
  );
  const lines = rows.flatMap(({ set, from, to, share }) =>
    [from, to + 1].map((length) => ({ set, length, percent: share * 100, from, to }))
  );
  const medians = filled.map(({ set, lengths }) => `${set.set}: ${amount(middle(lengths.shown, lengths.n), 1)} bp`);
  const first = sets[0].lengths;
  return await run.finish(rows, {
    counts: { n: first.n, excluded: first.excluded, missing: first.missing },
    meta: {
      title,
      subtitle: `Medians: ${medians.join("; ")}. Records: ${
        filled.map(({ set, lengths }) => `${set.set} ${count(lengths.n)}`).join("; ")
      }`,
      legend: filled.map(({ set }) => ({ label: set.set, colour: set.colour })),
      description: `Lines of the share of records by length on an axis of logarithms, for ${
        counted(filled.length, "sets")
      }. Medians: ${medians.join(", ")}.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      x: {
        type: "log",
        domain: [edges[0], edges[edges.length - 1]],
        label: "length of the sequence (bp, logarithmic)",
        ticks: logTicks(edges[0], edges[edges.length - 1]) ?? 5,
        tickFormat: count,
      },
      y: {
        label: "share of the records of the set (%)",
        grid: true,
        domain: [0, Math.max(...lines.map(({ percent }) => percent))],
      },
      marks: [
        // Sets are alike in many bins: lines drawn on top are thinner or dashed, so that all stay visible.
        ...filled.map(({ set }, index) =>
          plot.line(lines.filter((line) => line.set === set.set), {
            x: "length",
            y: "percent",
            title: ({ set, from, to, percent }: (typeof lines)[number]) =>
              `${set}\n${count(from)} to ${count(to)} bp: ${decimal(percent, 2)} %`,
            stroke: set.colour,
            strokeWidth: [6, 3.5, 2.5][index],
            ...index === 2 && { strokeDasharray: "8,8" },
          })
        ),
        plot.ruleY([0]),
      ],
    }),
  });
}
