/**
 * How long sequences are.
 *
 * @module
 */
import type { Analysis, AnalysisOptions } from "./analysis.ts";
import { countTicks, logTicks } from "./_axes.ts";
import { dominanceNote } from "./_notes.ts";
import { Run } from "./_run.ts";
import type { AnalysisSource } from "./source.ts";
import { CATEGORY_COLOURS } from "./palette.ts";
import { amount, count, counted, does } from "./_words.ts";

/** Options of {@linkcode lengthDistribution}. */
export interface LengthDistributionOptions extends AnalysisOptions {
  /** Bins between one power of ten and the next; 10 by default, more where lengths differ little. */
  readonly binsPerDecade?: number;
}

const MOST_BINS = 1000;
/** Most bins in all: more are narrower than a pixel. */
const MOST_SHOWN = 400;
const SHAPE = { from: "Int64", to: "Int64", records: "Int64" } as const;

/**
 * Counts sequences by length, in bins that are equally wide on an axis of logarithms.
 *
 * Bins begin at whole numbers, the least that is not below a power of ten, so that every length is in exactly one bin
 * and no rounding of logarithms decides which.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Bins, and what all analyses share.
 * @returns Bins × `from`, `to` (both in the bin), `records` (Int64), from the shortest to the longest; bins between them
 * that hold nothing are there too.
 * @throws {RangeError} If there would be no bins, or more than 1,000 in a decade.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { lengthDistribution } from "./length_distribution.ts";
 *
 * const { frame } = await lengthDistribution(pl.DataFrame({ length: [1000, 1001, 9999, 10_000] }), { binsPerDecade: 1 });
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
  const asked = options.binsPerDecade;
  if (asked !== undefined && !(Number.isInteger(asked) && asked >= 1 && asked <= MOST_BINS)) {
    throw new RangeError(`Cannot make ${asked} bins in a decade: 1 to ${MOST_BINS} are possible`);
  }
  const title = "Length of sequences";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["length"], uses: ["species"] });
  if (run.absent.length > 0) return run.stop();
  const rows = run.tally({ length: run.col("length") });
  const missing = rows.filter(({ keys: [length] }) => length === null).reduce((sum, { count }) => sum + count, 0);
  const lengths = rows.flatMap(({ keys: [length], count }) =>
    length === null ? [] : [{ length: Number(length), count }]
  );
  const shown = lengths.filter(({ length }) => length >= 1 && length <= Number.MAX_SAFE_INTEGER).sort((a, b) =>
    a.length - b.length
  );
  const sum = (some: readonly { readonly count: number }[]) => some.reduce((sum, { count }) => sum + count, 0);
  const n = sum(shown);
  const excluded = sum(lengths) - n;
  if (excluded > 0) {
    run.note(
      `${counted(excluded, "records")} ${
        does(excluded, "have")
      } a length that no sequence can have (below 1, or no number): not shown`,
    );
  }
  if (n === 0) return run.stop(`There is nothing to show: no record has a length (${count(missing)} without a value)`);

  const [shortest, longest] = [shown[0].length, shown[shown.length - 1].length];
  const fewer = Math.max(1, Math.floor(MOST_SHOWN / Math.max(1, Math.log10(longest / shortest))));
  const perDecade = Math.min(asked ?? finerBins(shortest, longest), fewer);
  if (asked !== undefined && perDecade < asked) {
    run.note(`${asked} bins in a decade would be more than ${MOST_SHOWN} in all: ${perDecade} are shown`);
  }
  const edges = logEdges(shortest, longest, perDecade);
  const bins = edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1] - 1, records: 0 }));
  let bin = 0;
  for (const { length, count } of shown) {
    while (length >= edges[bin + 1]) bin++;
    bins[bin].records += count;
  }
  const median = middle(shown, n);
  if (run.find("species") !== undefined) {
    const species = run.tallyTexts(["species"]).filter(({ keys: [name] }) => name !== null);
    const warning = dominanceNote(species.map(({ keys: [name], count }) => ({ name, count })), "species");
    if (warning !== undefined) run.note(warning);
  }
  const fullest = bins.reduce((best, each) => each.records > best.records ? each : best);
  const unit = "bp";
  return await run.finish(bins, {
    counts: { n, excluded, missing },
    meta: {
      title,
      subtitle: `Median ${amount(median, 1)} ${unit}; shortest ${count(shortest)}, longest ${count(longest)}`,
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
        }),
        plot.ruleX([median], { stroke: "currentColor", strokeDasharray: "4,3" }),
        plot.ruleY([0]),
      ],
    }),
  });
}

/** Ten bins in a decade, or as many as make a dozen where all lengths are close. */
function finerBins(shortest: number, longest: number): number {
  const decades = Math.log10(longest / shortest);
  return [10, 20, 50, 100, 200, 500].find((bins) => decades * bins >= 8) ?? (decades === 0 ? 10 : MOST_BINS);
}

/** Whole numbers at which bins begin, around all lengths; the last one is beyond the longest. */
function logEdges(shortest: number, longest: number, perDecade: number): number[] {
  const edge = (index: number) =>
    index % perDecade === 0 ? 10 ** (index / perDecade) : Math.ceil(10 ** (index / perDecade));
  let index = Math.floor(Math.log10(shortest) * perDecade) + 1;
  while (index > 0 && edge(index) > shortest) index--;
  const edges = [edge(index)];
  while (edges[edges.length - 1] <= longest) {
    const next = edge(++index);
    if (next > edges[edges.length - 1]) edges.push(next);
  }
  return edges;
}

/** The median of values with counts; of two middle ones their mean. */
function middle(values: readonly { readonly length: number; readonly count: number }[], n: number): number {
  const at = (rank: number) => {
    let before = 0;
    for (const { length, count } of values) if ((before += count) >= rank) return length;
    return values[values.length - 1].length;
  };
  return (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2;
}
