/** Counts and quantiles of values by group. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Run } from "./run.ts";

/** What runs queries. */
type Engine = Pick<Run, "pl" | "collect">;

/** What is known of the values of one group. */
export interface GroupValues {
  /** The group; null for none. */
  readonly group: string | null;
  /** Rows. */
  readonly all: number;
  /** Rows with a value. */
  readonly filled: number;
  /** Rows with a finite value. */
  readonly records: number;
  /** Quantiles of the finite values, in the requested order; empty without such values. */
  readonly quantiles: readonly number[];
}

/** First rows by which it is judged whether values come again. */
const FIRST_ROWS = 100_000;

/**
 * Computes quantiles of finite values by group, interpolated linearly.
 *
 * @param rows Rows × `group`, `value` (Float64).
 */
export function countValues(run: Engine, rows: LazyDataFrame, quantiles: readonly number[]): GroupValues[] {
  const { pl } = run;
  const tally = (some: LazyDataFrame) => run.collect(some.groupBy(["group", "value"]).agg(pl.len().alias("n")));
  // Where most values are of their own, a tally of them is as long as the data.
  return tally(rows.limit(FIRST_ROWS)).height > FIRST_ROWS / 2
    ? fromRows(run, rows, quantiles)
    : fromTally(run, tally(rows), quantiles);
}

/** Each value is read once with its count: there are far fewer of them than rows. */
function fromTally(run: Engine, tally: DataFrame, quantiles: readonly number[]): GroupValues[] {
  const { pl } = run;
  const finite = pl.col("value").isFinite().fillNull(pl.lit(false));
  const n = pl.col("n");
  const sorted = run.collect(tally.lazy().withColumns(finite.alias("finite")).sort(["group", "finite", "value"]));
  const groups = run.collect(
    sorted.lazy().groupBy("group").agg(
      n.sum().alias("all"),
      n.filter(pl.col("value").isNotNull()).sum().alias("filled"),
      n.filter(pl.col("finite")).sum().alias("records"),
      pl.len().alias("values"),
      pl.col("finite").sum().alias("usable"),
    ).sort("group"),
  ).toRecords();
  const values = sorted.getColumn("value").toArray();
  const counts = sorted.getColumn("n").toArray();
  let end = 0;
  return groups.map(({ group, all, filled, records, values: length, usable }) => {
    end += Number(length);
    const start = end - Number(usable);
    const found = quantilesOf(values, counts, { start, records: Number(records), quantiles });
    return {
      group: group === null ? null : String(group),
      all: Number(all),
      filled: Number(filled),
      records: Number(records),
      quantiles: found,
    };
  });
}

/** Quantiles of values that rise, each there so many times. */
function quantilesOf(
  values: readonly unknown[],
  counts: readonly unknown[],
  wanted: { readonly start: number; readonly records: number; readonly quantiles: readonly number[] },
): number[] {
  const { start, records, quantiles } = wanted;
  if (records === 0) return [];
  let [at, before] = [start, 0];
  const valueAt = (place: number) => {
    while (before + Number(counts[at]) <= place) before += Number(counts[at++]);
    return Number(values[at]);
  };
  return quantiles.map((quantile) => {
    const place = quantile * (records - 1);
    const low = valueAt(Math.floor(place));
    const [here, passed] = [at, before];
    const high = valueAt(Math.ceil(place));
    [at, before] = [here, passed];
    return low === high ? low : (place - Math.floor(place)) * (high - low) + low;
  });
}

function fromRows(run: Engine, rows: LazyDataFrame, quantiles: readonly number[]): GroupValues[] {
  const { pl } = run;
  const value = pl.col("value");
  const all = run.collect(
    rows.groupBy("group").agg(
      pl.len().alias("all"),
      value.isNotNull().sum().alias("filled"),
      value.isFinite().sum().alias("records"),
    ),
  ).toRecords();
  const found = run.collect(
    rows.filter(value.isFinite()).groupBy("group").agg(
      ...quantiles.map((quantile, index) => value.quantile(quantile, "linear").alias(`q${index}`)),
    ),
  ).toRecords();
  const byGroup = new Map(found.map((row) => [row.group, quantiles.map((_, index) => Number(row[`q${index}`]))]));
  return all.map(({ group, all, filled, records }) => ({
    group: group === null ? null : String(group),
    all: Number(all),
    filled: Number(filled),
    records: Number(records),
    quantiles: byGroup.get(group) ?? [],
  }));
}
