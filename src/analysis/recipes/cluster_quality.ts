/**
 * How alike the members of clusters are to their representatives.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { matrixSpec } from "../chart/matrix.ts";
import { Run } from "../run/run.ts";
import { type AnalysisSource, tableOf } from "../source/source.ts";
import { count, counted, does, percent } from "../chart/words.ts";

const SHAPE = { identity: "String", coverage: "String", pairs: "Int64" } as const;
/** Classes of a percentage, from the best; each begins at `least`. */
const CLASSES = [
  { name: "100 %", least: 100 },
  { name: "99 to 100 %", least: 99 },
  { name: "95 to 99 %", least: 95 },
  { name: "90 to 95 %", least: 90 },
  { name: "70 to 90 %", least: 70 },
  { name: "below 70 %", least: -Infinity },
] as const;

/**
 * Counts pairs of a representative and another member by identity and coverage.
 *
 * A representative beside itself is left out: it is always the same.
 *
 * @param source A lake (its table `votu_cluster_comparison_metrics` is read), or such a table as a frame.
 * @param options What all analyses share.
 * @returns Cells × `identity`, `coverage` (`100 %`, `99 to 100 %`, `95 to 99 %`, `90 to 95 %`, `70 to 90 %`,
 * `below 70 %`), `pairs` (Int64); the upper bound of a class is not in it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { clusterQuality } from "./cluster_quality.ts";
 *
 * const source = pl.DataFrame({ Representative: ["a", "a"], Member: ["a", "b"], Identity: [100, 98.5], Coverage: [100, 90] });
 *
 * assertEquals((await clusterQuality(source)).frame.toRecords(), [
 *   { identity: "95 to 99 %", coverage: "90 to 95 %", pairs: 1 },
 * ]);
 * ```
 */
export async function clusterQuality(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("clusterQuality()", options, ANALYSIS_OPTIONS);
  const title = "Members of clusters by identity and coverage";
  const run = await Run.start(source, { ...options, ...tableOf(source, options, "votu_cluster_comparison_metrics") }, {
    title,
    shape: SHAPE,
    needs: ["identity", "coverage", "representative", "member"],
  });
  if (run.absent.length > 0) return run.stop();
  const { pl } = run;
  const classOf = (role: "identity" | "coverage") => {
    const value = run.col(role).cast(pl.Float64);
    const at = CLASSES.slice(0, -1).reduceRight(
      (rest, { least }, index) => pl.when(value.gtEq(pl.lit(least))).then(pl.lit(index)).otherwise(rest),
      pl.lit(CLASSES.length - 1),
    );
    return pl.when(value.isFinite().fillNull(pl.lit(false))).then(at).otherwise(pl.lit(null));
  };
  const left = { itself: 0, missing: 0 };
  const cells: { row: string; column: string; records: number }[] = [];
  const tallied = run.tally({
    identity: classOf("identity"),
    coverage: classOf("coverage"),
    itself: run.col("representative").eq(run.col("member")),
  });
  for (const { keys: [identity, coverage, itself], count } of tallied) {
    if (itself === true) left.itself += count;
    else if (identity === null || coverage === null || itself === null) left.missing += count;
    else cells.push({ row: CLASSES[Number(identity)].name, column: CLASSES[Number(coverage)].name, records: count });
  }
  run.note(`${counted(left.itself, "pairs")} ${does(left.itself, "are")} a representative beside itself: not shown`);
  const n = cells.reduce((sum, { records }) => sum + records, 0);
  if (n === 0) {
    return run.stop(`There is nothing to show: no pair of two records (${count(left.missing)} without a value)`);
  }
  const order = (name: string) => CLASSES.findIndex((one) => one.name === name);
  const best = cells.filter(({ row, column }) => order(row) === 0 && order(column) === 0)
    .reduce((sum, { records }) => sum + records, 0);
  const sorted = cells.map((cell) => ({ ...cell, rowAt: order(cell.row), columnAt: order(cell.column) }))
    .sort((a, b) => a.rowAt - b.rowAt || a.columnAt - b.columnAt);
  const names = CLASSES.map(({ name }) => name);
  const matrix = { cells: sorted, rows: names, columns: names };
  const { spec, classes } = matrixSpec(matrix, { rows: "identity", columns: "coverage" });
  return await run.finish(
    sorted.map(({ row, column, records }) => ({ identity: row, coverage: column, pairs: records })),
    {
      counts: { n, unit: "pairs", excluded: left.itself, missing: left.missing },
      meta: {
        title,
        subtitle: `${percent(best, n)} of pairs are the same over their whole length`,
        legendTitle: "pairs",
        legend: classes.legend,
        description: `Cells of ${counted(n, "pairs")} of representative and member by identity and coverage. ${
          percent(best, n)
        } are the same over their whole length.`,
      },
      spec,
    },
  );
}
