/** How unequal clusters are: few large ones, many with a single record. */
import { checkOptions } from "@seqreg/core/options/check_options";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { logTicks } from "../chart/axes.ts";
import { countKeySizes } from "../run/group_sizes.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { count, counted, percent } from "../chart/words.ts";

const SHAPE = { size: "Int64", clusters: "Int64", first_rank: "Int64", last_rank: "Int64" } as const;

/**
 * Ranks clusters by size, and says how unequal they are by the Gini coefficient.
 *
 * @param source A frame, a result of a registry, or a lake: metadata with a field for the cluster, or the table
 * `votu_cluster_comparison_metrics` of a lake (option `table`).
 * @param options What all analyses share.
 * @returns Sizes × `size` (records of the cluster), `clusters` (how many have it), `first_rank`, `last_rank` (ranks of
 * these clusters when the largest is first; Int64), from the largest.
 *
 * @example Four clusters of one record, one of six
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { clusterSizes } from "./cluster_sizes.ts";
 *
 * const { frame, chart } = await clusterSizes(pl.DataFrame({ Cluster: [..."aaaaaabcde"] }));
 *
 * assertEquals(frame.toRecords(), [
 *   { size: 6, clusters: 1, first_rank: 1, last_rank: 1 },
 *   { size: 1, clusters: 4, first_rank: 2, last_rank: 5 },
 * ]);
 * assertEquals(chart?.description.includes("Gini coefficient 0.400"), true);
 * ```
 */
export async function clusterSizes(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("clusterSizes()", options, ANALYSIS_OPTIONS);
  const title = "Sizes of clusters by rank";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["cluster"] });
  if (run.absent.length > 0) return run.stop();
  const bySize = await countKeySizes(run, "cluster");
  const records = bySize.reduce((sum, { size, groups }) => sum + size * groups, 0);
  const missing = await run.countRows() - records;
  const clusters = bySize.reduce((sum, { groups }) => sum + groups, 0);
  if (clusters === 0) {
    return run.stop(`There is nothing to show: no record is in a cluster (${count(missing)} without a value)`);
  }
  let rank = 0;
  const rows = bySize.map(({ size, groups }) => ({
    size,
    clusters: groups,
    first_rank: rank + 1,
    last_rank: rank += groups,
  }));
  const single = rows.find(({ size }) => size === 1)?.clusters ?? 0;
  const gini = giniOf(rows, clusters * records);
  const largest = rows[0].size;
  if (largest > records / 2) {
    run.note(
      `The largest cluster has ${percent(largest, records)} of all records: counts of records are mostly counts of it`,
    );
  }
  const ends = rows.flatMap((
    { size, first_rank, last_rank },
  ) => [{ rank: first_rank, size }, { rank: last_rank, size }]);
  return await run.finish(rows, {
    counts: { n: records, missing },
    meta: {
      title,
      subtitle: `${counted(clusters, "clusters")}; ${percent(single, clusters)} have one record; Gini coefficient ${
        gini.toFixed(3)
      } (0: all equal, 1: one has everything)`,
      description: `Sizes of ${counted(clusters, "clusters")} by rank, both axes of logarithms. The largest has ${
        counted(largest, "records")
      }; with one record: ${count(single)}. Gini coefficient ${gini.toFixed(3)}.`,
    },
    spec: (plot) => ({
      height: 340,
      marginLeft: 64,
      x: {
        type: "log",
        domain: [0.9, Math.max(10, clusters * 1.1)],
        label: "rank of the cluster, the largest first (logarithmic)",
        ticks: logTicks(1, Math.max(10, clusters)) ?? 5,
        tickFormat: count,
        grid: true,
      },
      y: {
        type: "log",
        domain: [0.9, Math.max(10, largest * 1.2)],
        label: "records of the cluster (logarithmic)",
        ticks: logTicks(1, Math.max(10, largest)) ?? 5,
        tickFormat: count,
        grid: true,
      },
      marks: [
        plot.line(ends, { x: "rank", y: "size", curve: "step-after", stroke: CATEGORY_COLOURS[0], strokeWidth: 2 }),
        plot.dot(ends, { x: "rank", y: "size", fill: CATEGORY_COLOURS[0], r: 2.5 }),
      ],
    }),
  });
}

/**
 * The Gini coefficient of sizes, from the counts of clusters that have them; sizes fall.
 *
 * @param whole Number of clusters × number of records.
 */
function giniOf(rows: readonly { readonly size: number; readonly clusters: number }[], whole: number): number {
  let below = 0;
  let twice = 0;
  // Area under the Lorenz curve by trapezoids, from the smallest: clusters of one size are one straight piece.
  for (const { size, clusters } of rows.toReversed()) {
    const held = size * clusters;
    twice += clusters * (2 * below + held);
    below += held;
  }
  return 1 - twice / whole;
}
