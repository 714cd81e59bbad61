/** Columns of percentages, which some data have as shares. */
import type { Expr } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import { count, counted, percent } from "../chart/words.ts";
import type { Run } from "./run.ts";

/** Whether a column holds shares, 0 to 1, or percentages, 0 to 100. */
export type PercentUnit = "share" | "percent";

export interface Percentages {
  /** The values in %; null without a value. */
  readonly value: Expr;
  readonly unit: PercentUnit;
  /** Number of finite values. */
  readonly n: number;
  /** How many of them are exactly 0. */
  readonly zeros: number;
  /** The least and the greatest of them in %; an empty range without values. */
  readonly bounds: readonly [least: number, most: number];
}

/**
 * Reads a column of percentages. Whether it contains shares is decided for the whole column: it does if more than half
 * of its finite values other than 0 are above 0 and at most 1; no genome has a GC content of 1 %.
 *
 * @param unit What the column holds, where the caller knows it.
 */
export async function readPercentages<Needed extends Role>(
  run: Run<Needed, Role>,
  role: Needed,
  unit?: PercentUnit,
): Promise<Percentages> {
  const { pl } = run;
  const raw = run.col(role).cast(pl.Float64);
  const small = raw.gt(pl.lit(0)).and(raw.ltEq(pl.lit(1)));
  const [found] = (await run.collect(
    run.source.scan().select(
      raw.isFinite().sum().alias("n"),
      raw.eq(pl.lit(0)).sum().alias("zeros"),
      small.sum().alias("small"),
      raw.filter(raw.isFinite()).min().alias("least"),
      raw.filter(raw.isFinite()).max().alias("most"),
    ),
  )).toRecords();
  const [n, zeros, shares] = [found.n, found.zeros, found.small].map((sum) => Number(sum ?? 0));
  const decided = unit ?? (shares > (n - zeros) / 2 ? "share" : "percent");
  const field = run.name(role);
  if (decided === "share" && unit === undefined) {
    run.note(
      n - zeros === shares
        ? `All values of ${field} are between 0 and 1: taken for shares, shown as %`
        : `${
          percent(shares, n - zeros)
        } of the values of ${field} other than 0 are between 0 and 1: all are taken for shares, shown as %`,
    );
  } else if (decided === "percent" && shares > 0) {
    run.note(
      `${counted(shares, "values")} of ${field} of ${
        count(n)
      } are between 0 and 1 %: shares among percentages, maybe; they ` +
        "are shown as they are",
    );
  }
  const scale = decided === "share" ? 100 : 1;
  const bounds = [Number(found.least ?? 0) * scale, Number(found.most ?? 0) * scale] as const;
  return { value: decided === "share" ? raw.mul(pl.lit(100)) : raw, unit: decided, n, zeros, bounds };
}
