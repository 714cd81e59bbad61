/** How alike the members of clusters are to their representatives. */
import type { Expr } from "nodejs-polars";
import { checkOptions } from "@seqreg/core/options/check_options";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { matrixSpec } from "../chart/matrix.ts";
import { Outliers, outside } from "../run/plausible.ts";
import { type Polars, Run, type TallyRow, total } from "../run/run.ts";
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

/** Additional classes: values of at most 1, zeros, and impossible percentages. */
const [SHARE, ZERO, OUTSIDE] = [CLASSES.length, CLASSES.length + 1, CLASSES.length + 2];
const PLAUSIBLE = [0, 100] as const;

type PairRun = Run<"identity" | "coverage" | "representative" | "member">;
type Scales = Readonly<Record<"identity" | "coverage", number>>;

/**
 * Counts pairs of a representative and another member by identity and coverage.
 *
 * A representative paired with itself is left out: it is always identical.
 *
 * @param source A lake (its table `votu_cluster_comparison_metrics` is read), or such a table as a frame.
 * @param options What all analyses share.
 * @returns Cells × `identity`, `coverage` (`100 %`, `99 to 100 %`, `95 to 99 %`, `90 to 95 %`, `70 to 90 %`,
 * `below 70 %`), `pairs` (Int64); the upper bound of a class is not in it. Values outside 0 to 100 % are left out,
 * counted and named; a column most of whose values are at most 1 is taken for shares.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { clusterQuality } from "./cluster_quality.ts";
 *
 * const source = pl.DataFrame({ Representative: ["a", "a"], Member: ["a", "b"], Identity: [100, 98.5], Coverage: [100,
 *   90] });
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
  const isItself = run.text("representative").eq(run.text("member"));
  let scales = { identity: 1, coverage: 1 };
  let tallied = await tallyClasses(run, isItself, scales);
  const shares = { identity: holdsShares(tallied, 0), coverage: holdsShares(tallied, 1) };
  if (shares.identity || shares.coverage) {
    for (const role of ["identity", "coverage"] as const) {
      if (shares[role]) run.note(`Most values of ${run.name(role)} are between 0 and 1: taken for shares, shown as %`);
    }
    scales = { identity: shares.identity ? 100 : 1, coverage: shares.coverage ? 100 : 1 };
    tallied = await tallyClasses(run, isItself, scales);
  }
  const left = { itself: 0, missing: 0, outside: 0 };
  const sums = new Map<string, { row: string; column: string; records: number }>();
  for (const { keys: [identity, coverage, itself], count } of tallied) {
    if (itself === true) left.itself += count;
    else if (identity === OUTSIDE || coverage === OUTSIDE) left.outside += count;
    else if (identity === null || coverage === null || itself === null) left.missing += count;
    else {
      const [row, column] = [identity, coverage].map((at) => CLASSES[Math.min(Number(at), CLASSES.length - 1)].name);
      const cell = sums.get(`${row} ${column}`) ?? { row, column, records: 0 };
      cell.records += count;
      sums.set(`${row} ${column}`, cell);
    }
  }
  const cells = [...sums.values()];
  const outliers = new Outliers();
  if (left.outside > 0) {
    const [identity, coverage] = (["identity", "coverage"] as const).map((role) => valueOf(run, role, scales));
    const rows = run.source.scan().filter(isItself.not().and(isOutside(pl, identity).or(isOutside(pl, coverage))));
    const value = pl.when(isOutside(pl, identity)).then(identity).otherwise(coverage);
    for (const { keys: [one], count } of await run.tally({ value }, rows)) outliers.add(one, count);
  }
  const impossible = outliers.note(`an identity or a coverage ${outside(PLAUSIBLE, "%")}`);
  if (impossible !== undefined) run.note(impossible.replace(/^([0-9,]+) record/, "$1 pair"));
  run.note(
    `${counted(left.itself, "pairs")} ${does(left.itself, "are")} a representative paired with itself: not shown`,
  );
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
      counts: { n, unit: "pairs", excluded: left.itself + left.outside, missing: left.missing },
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

/** A percentage in the engine. */
function valueOf(run: PairRun, role: "identity" | "coverage", scales: Scales): Expr {
  const value = run.col(role).cast(run.pl.Float64);
  return scales[role] === 1 ? value : value.mul(run.pl.lit(scales[role]));
}

function isOutside(pl: Polars, value: Expr): Expr {
  // NaN, which is above every number for the engines, is missing.
  return value.lt(pl.lit(PLAUSIBLE[0])).or(value.gt(pl.lit(PLAUSIBLE[1]))).and(value.isNotNan()).fillNull(
    pl.lit(false),
  );
}

/**
 * Counts pairs by the classes of both values; shares and zeros are separate classes, to detect what a column contains.
 */
async function tallyClasses(run: PairRun, isItself: Expr, scales: Scales): Promise<TallyRow[]> {
  const { pl } = run;
  const classOf = (role: "identity" | "coverage") => {
    const value = valueOf(run, role, scales);
    const below = pl.when(value.gt(pl.lit(1))).then(pl.lit(CLASSES.length - 1))
      .when(value.gt(pl.lit(0))).then(pl.lit(SHARE)).otherwise(pl.lit(ZERO));
    const at = CLASSES.slice(0, -1).reduceRight(
      (rest, { least }, index) => pl.when(value.gtEq(pl.lit(least))).then(pl.lit(index)).otherwise(rest),
      below,
    );
    return pl.when(isOutside(pl, value)).then(pl.lit(OUTSIDE))
      .when(value.isFinite().fillNull(pl.lit(false))).then(at).otherwise(pl.lit(null));
  };
  return await run.tally({ identity: classOf("identity"), coverage: classOf("coverage"), itself: isItself });
}

/** Whether most values of a column other than 0 are above 0 and at most 1. */
function holdsShares(tallied: readonly TallyRow[], at: 0 | 1): boolean {
  const counts = tallied.filter(({ keys }) => keys[at] !== null && keys[at] !== ZERO);
  return total(counts.filter(({ keys }) => keys[at] === SHARE)) > total(counts) / 2;
}
