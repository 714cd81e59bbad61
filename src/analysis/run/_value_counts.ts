/** Counts and quantiles of values by group. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Run } from "./run.ts";

/** What runs queries. */
type CountRun = Pick<Run, "pl" | "collect" | "here" | "abilities">;

export interface GroupValues {
  /** The group; null for none. */
  readonly group: string | null;
  /** Rows. */
  readonly all: number;
  /** Rows with a value. */
  readonly filled: number;
  /** Rows with a finite value. */
  readonly records: number;
  /** Quantiles of the finite values, in the requested order; empty without such values, or without a group. */
  readonly quantiles: readonly number[];
}

/** First rows by which it is judged whether values come again. */
const FIRST_ROWS = 100_000;

/**
 * Computes quantiles of finite values by group, interpolated linearly.
 *
 * @param rows Rows × `group`, `value` (Float64).
 */
export async function countValues(
  run: CountRun,
  rows: LazyDataFrame,
  quantiles: readonly number[],
): Promise<GroupValues[]> {
  const { pl } = run;
  const tally = (some: LazyDataFrame) => run.collect(some.groupBy(["group", "value"]).agg(pl.len().alias("n")));
  if (!run.abilities.collectsColumns) return await fromRanks(run, rows, quantiles);
  // Where most values are of their own, a tally of them is as long as the data.
  return (await tally(rows.limit(FIRST_ROWS))).height > FIRST_ROWS / 2
    ? await fromRows(run, rows, quantiles)
    : fromTally(run, await tally(rows), quantiles);
}

/** Each value is read once with its count: there are far fewer of them than rows. */
function fromTally(run: CountRun, tally: DataFrame, quantiles: readonly number[]): GroupValues[] {
  const { pl } = run;
  const finite = pl.col("value").isFinite().fillNull(pl.lit(false));
  const n = pl.col("n");
  const sorted = run.here(tally.lazy().withColumns(finite.alias("finite")).sort(["group", "finite", "value"]));
  const groups = run.here(
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
  const valueAt = (rank: number) => {
    while (before + Number(counts[at]) <= rank) before += Number(counts[at++]);
    return Number(values[at]);
  };
  return quantiles.map((quantile) => {
    const rank = quantile * (records - 1);
    const low = valueAt(Math.floor(rank));
    const [here, passed] = [at, before];
    const high = valueAt(Math.ceil(rank));
    [at, before] = [here, passed];
    return between(rank, low, high);
  });
}

const [RANK, RECORDS] = ["seqreg_rank", "seqreg_records"];

/** Has the engine find the values between which quantiles lie; quantiles are derived from them here. */
async function fromRanks(
  run: CountRun,
  rows: LazyDataFrame,
  quantiles: readonly number[],
): Promise<GroupValues[]> {
  const { pl } = run;
  const value = pl.col("value");
  const counts = await countsByGroup(run, rows);
  const ranksOf = (records: number) => quantiles.map((quantile) => quantile * (records - 1));
  const wanted = counts.flatMap(({ group, records }) => {
    // Nulls join nothing, and nobody asks for quantiles of what has no group.
    if (group === null || records === 0) return [];
    const ranks = ranksOf(records).flatMap((rank) => [Math.floor(rank), Math.ceil(rank)]);
    return [...new Set(ranks)].map((rank) => ({ group, rank: rank + 1 }));
  });
  const ranks = pl.DataFrame([
    pl.Series("group", wanted.map(({ group }) => group), pl.String),
    pl.Series(RANK, wanted.map(({ rank }) => rank), pl.Int64),
  ]);
  const ranked = rows.filter(value.isFinite().and(pl.col("group").isNotNull()))
    .withColumns(value.rank("ordinal").over("group").cast(pl.Int64).alias(RANK))
    .join(ranks.lazy(), { on: ["group", RANK], how: "inner" });
  const values = new Map<string, number>();
  if (wanted.length > 0) {
    for (const row of (await run.collect(ranked)).toRecords()) {
      values.set(JSON.stringify([row.group, Number(row[RANK])]), Number(row.value));
    }
  }
  return counts.map(({ group, all, filled, records }) => {
    const at = (rank: number) => values.get(JSON.stringify([group, rank + 1])) ?? NaN;
    const found = group === null || records === 0
      ? []
      : ranksOf(records).map((rank) => between(rank, at(Math.floor(rank)), at(Math.ceil(rank))));
    return { group, all, filled, records, quantiles: found };
  });
}

/** The quantile at a rank between two values, interpolated linearly. */
function between(rank: number, low: number, high: number): number {
  return low === high ? low : (rank - Math.floor(rank)) * (high - low) + low;
}

async function countsByGroup(run: CountRun, rows: LazyDataFrame): Promise<Omit<GroupValues, "quantiles">[]> {
  const { pl } = run;
  const value = pl.col("value");
  const counts = await run.collect(
    rows.groupBy("group").agg(
      pl.len().alias("all"),
      value.isNotNull().sum().alias("filled"),
      value.isFinite().sum().alias(RECORDS),
    ),
  );
  return counts.toRecords().map((row) => ({
    group: row.group === null ? null : String(row.group),
    all: Number(row.all),
    filled: Number(row.filled),
    records: Number(row[RECORDS]),
  }));
}

async function fromRows(
  run: CountRun,
  rows: LazyDataFrame,
  quantiles: readonly number[],
): Promise<GroupValues[]> {
  const { pl } = run;
  const value = pl.col("value");
  const counts = await countsByGroup(run, rows);
  const found = (await run.collect(
    rows.filter(value.isFinite()).groupBy("group").agg(
      ...quantiles.map((quantile, index) => value.quantile(quantile, "linear").alias(`q${index}`)),
    ),
  )).toRecords();
  const byGroup = new Map(found.map((row) => [
    row.group === null ? null : String(row.group),
    quantiles.map((_, index) => Number(row[`q${index}`])),
  ]));
  return counts.map((count) => ({ ...count, quantiles: byGroup.get(count.group) ?? [] }));
}
