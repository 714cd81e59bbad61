/** Quantiles by group, computed in the engine, and the boxes that show them. */
import type { Expr, LazyDataFrame } from "nodejs-polars";
import { listSome } from "@seqreg/core/contract/ledger";
import type { ChartSpec } from "../chart/chart.ts";
import { marginFor, PICTURE_WIDTH } from "../chart/axes.ts";
import { type ChartCounts, type Run } from "./run.ts";
import { Outliers } from "./plausible.ts";
import type { OtherKeys } from "../source/texts.ts";
import { countValues } from "./_value_counts.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import type { Role } from "../source/roles.ts";
import { amount, count, counted, does, labels } from "../chart/words.ts";

export const QUANTILE_SHAPE = {
  group: "String",
  records: "Int64",
  q05: "Float64",
  q25: "Float64",
  median: "Float64",
  q75: "Float64",
  q95: "Float64",
} as const;

export interface QuantileRow {
  readonly group: string;
  /** Records with a value. */
  readonly records: number;
  readonly q05: number;
  readonly q25: number;
  readonly median: number;
  readonly q75: number;
  readonly q95: number;
  /** So that it is a row of numbers. */
  readonly [column: string]: string | number;
}

const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
const MOST_GROUPS = 40;

const [TEXT, KEY, IS_OTHER] = ["seqreg_text", "seqreg_key", "seqreg_is_other"];

/** Puts the keys of groups in place of the texts that have others. */
function withKeys(run: Pick<Run, "pl">, rows: LazyDataFrame, others: OtherKeys): LazyDataFrame {
  if (others.size === 0) return rows;
  const { pl } = run;
  const keys = pl.DataFrame([
    pl.Series(TEXT, [...others.keys()], pl.String),
    pl.Series(KEY, [...others.values()], pl.String),
    pl.Series(IS_OTHER, [...others].map(() => true), pl.Bool),
  ]);
  return rows.join(keys.lazy(), { leftOn: "group", rightOn: TEXT, how: "left" }).select(
    pl.when(pl.col(IS_OTHER).isNotNull()).then(pl.col(KEY)).otherwise(pl.col("group")).alias("group"),
    pl.col("value"),
  );
}

interface WantedValues<Group extends Role> {
  readonly group: Group;
  /** Values; null without one. */
  readonly value: Expr;
  /** What values can be; those outside it are left out. */
  readonly range: readonly [least: number, most: number];
}

/** The median of the finite values of each group, and how many these are. */
export async function groupMedians<Needed extends Role>(
  run: Run<Needed, Role>,
  wanted: WantedValues<Needed>,
): Promise<Map<string, { readonly records: number; readonly median: number }>> {
  const all = await countValues(run, await valuesByGroup(run, wanted), [0.5]);
  return new Map(
    all.flatMap(({ group, records, quantiles: [median] }) =>
      group === null || records === 0 ? [] : [[group, { records, median }]]
    ),
  );
}

/** Rows × `group`, `value`: NaN for a value that is not plausible. */
async function valuesByGroup<Needed extends Role>(
  run: Run<Needed, Role>,
  { group, value: values, range }: WantedValues<Needed>,
): Promise<LazyDataFrame> {
  const { pl } = run;
  const value = values.cast(pl.Float64);
  const rows = run.source.scan().select(
    run.text(group).alias("group"),
    // Quantiles are of finite values; implausible values are left out.
    pl.when(value.isNull()).then(pl.lit(null)).when(isPlausible(run, value, range)).then(value)
      .otherwise(pl.lit("NaN").cast(pl.Float64)).alias("value"),
  );
  return withKeys(run, rows, await run.otherKeys(group));
}

function isPlausible({ pl }: Pick<Run, "pl">, value: Expr, [least, most]: readonly [number, number]): Expr {
  return value.gtEq(pl.lit(least)).and(value.ltEq(pl.lit(most))).and(value.isNotNan());
}

/** Computes quantiles of finite values by group, those with enough records, by falling median. */
export async function quantileRows<Needed extends Role>(
  run: Run<Needed, Role>,
  wanted: WantedValues<Needed> & {
    /** What a value outside is, for a note: `a length outside 1 to 10 bp in Length`. */
    readonly outside: string;
    readonly atLeast: number;
  },
): Promise<{ rows: QuantileRow[]; counts: ChartCounts; whyNone: string }> {
  const { pl } = run;
  const { atLeast } = wanted;
  const value = wanted.value.cast(pl.Float64);
  const all = await countValues(run, await valuesByGroup(run, wanted), QUANTILES);
  const isNamed = (group: string | null): group is string => group !== null;
  run.noteCase(wanted.group, all.map(({ group, records }) => ({ name: group, count: records })));
  const named = all.flatMap(({ group, records, quantiles: [q05, q25, median, q75, q95] }): QuantileRow[] =>
    isNamed(group) && records >= atLeast ? [{ group, records, q05, q25, median, q75, q95 }] : []
  );
  const largest = [...named].sort((a, b) => b.records - a.records || (a.group < b.group ? -1 : 1)).slice(
    0,
    MOST_GROUPS,
  );
  const rows = largest.sort((a, b) => b.median - a.median || (a.group < b.group ? -1 : 1));
  const n = rows.reduce((sum, { records }) => sum + records, 0);
  const everything = all.reduce((sum, row) => sum + row.all, 0);
  const missing = all.reduce((sum, row) => sum + (isNamed(row.group) ? row.all - row.filled : row.all), 0);
  const odd = all.reduce((sum, row) => isNamed(row.group) ? sum + row.filled - row.records : sum, 0);
  if (odd > 0) {
    const outliers = new Outliers();
    const rows = await run.tally(
      { value },
      run.source.scan().filter(value.isNotNull().and(isPlausible(run, value, wanted.range).not())),
    );
    for (const { keys: [one], count } of rows) outliers.add(one, count);
    const note = outliers.note(wanted.outside);
    if (note !== undefined) run.note(note);
  }
  const small = all.filter(({ group, records }) => isNamed(group) && records > 0 && records < atLeast);
  if (small.length > 0) {
    const names = small.map(({ group }) => String(group)).sort();
    run.note(
      `${counted(small.length, "groups")} ${does(small.length, "have")} fewer than ${counted(atLeast, "records")} and ${
        does(small.length, "are")
      } not shown: ${listSome(names, 8)}. ` +
        "Quantiles of so few are chance",
    );
  }
  if (named.length > rows.length) {
    run.note(`Only the ${MOST_GROUPS} largest of ${count(named.length)} groups are shown`);
  }
  return {
    rows,
    counts: { n, excluded: everything - n - missing, missing },
    whyNone: `There is nothing to show: no group has at least ${counted(atLeast, "records")} with a value (${
      counted(everything, "records")
    } in all)`,
  };
}

/** Right of the boxes is how many records there are. */
const COUNTS_WIDTH = 90;

/** Length of the axis of the boxes, in pixels. */
export function quantileRoom(rows: readonly QuantileRow[]): number {
  return PICTURE_WIDTH - marginFor(labels(rows.map(({ group }) => group))) - COUNTS_WIDTH;
}

/** Draws a box for each group. */
export function quantileSpec(
  rows: readonly QuantileRow[],
  axis: { readonly label: string; readonly type?: "log"; readonly ticks?: readonly number[] | number },
): ChartSpec {
  const names = labels(rows.map(({ group }) => group));
  const [low, high] = [Math.min(...rows.map(({ q05 }) => q05)), Math.max(...rows.map(({ q95 }) => q95))];
  // A single value has no width: without a domain it would fill the page.
  const room = low === high && low > 0 ? { domain: [low * 0.8, high * 1.25] } : {};
  const boxes = rows.map((row, index) => ({ ...row, name: names[index], said: titleOf(row) }));
  return (plot) => ({
    height: boxes.length * 24 + 64,
    marginLeft: marginFor(names),
    marginRight: COUNTS_WIDTH,
    x: {
      label: axis.label,
      grid: true,
      ...room,
      nice: axis.type === undefined,
      ...axis.type && { type: axis.type },
      ...axis.ticks && { ticks: typeof axis.ticks === "number" ? axis.ticks : [...axis.ticks] },
      tickFormat: (value: number) => Number.isInteger(value) ? count(value) : String(value),
    },
    y: { label: null, domain: names, padding: 0.25 },
    marks: [
      plot.ruleY(boxes, { y: "name", x1: "q05", x2: "q95", stroke: "currentColor", strokeWidth: 1.5, title: "said" }),
      plot.barX(boxes, { y: "name", x1: "q25", x2: "q75", fill: CATEGORY_COLOURS[0], title: "said" }),
      plot.tickX(boxes, { y: "name", x: "median", stroke: "#ffffff", strokeWidth: 3, title: () => "" }),
      plot.tickX(boxes, { y: "name", x: "median", stroke: "#111111", strokeWidth: 1.2, title: "said" }),
      plot.text(boxes, {
        y: "name",
        text: ({ records }: QuantileRow) => `n = ${count(records)}`,
        frameAnchor: "right",
        textAnchor: "start",
        dx: 8,
      }),
    ],
  });
}

function titleOf({ group, records, ...row }: QuantileRow): string {
  const [low, first, middle, third, high] = [row.q05, row.q25, row.median, row.q75, row.q95]
    .map((value) => amount(value, 2));
  return [
    group,
    `median: ${middle}`,
    `half: ${first} to ${third}`,
    `nine tenths: ${low} to ${high}`,
    `n: ${count(records)}`,
  ]
    .join("\n");
}
