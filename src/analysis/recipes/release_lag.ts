/**
 * How long it takes from the sample to the public record.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks } from "../chart/axes.ts";
import { lastDay, lateNote } from "../run/last_day.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { amount, count, counted, does } from "../chart/words.ts";

const SHAPE = { from_days: "Int64", to_days: "Int64", records: "Int64" } as const;
/** Widths of bins in days, the first that gives few enough bins. */
const WIDTHS = [7, 30, 90, 180, 360, 720, 1800, 3600, 36_000] as const;
const MOST_BINS = 60;
const [COLLECTED, RELEASED] = ["seqreg_collected", "seqreg_released"];

/**
 * Counts records by days between collection and release, where both are known to the day.
 *
 * A date known to the month or year has no day to count from: it is left out and counted, not put on a first. Records
 * that were released before they were collected are left out and named: one of their dates is wrong. So are those that
 * were released after `snapshot` (after 2100 without it): they cannot be in the data.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What all analyses share.
 * @returns Bins × `from_days`, `to_days` (both in the bin), `records` (Int64); empty bins between them are there too.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { releaseLag } from "./release_lag.ts";
 *
 * const source = pl.DataFrame({ "Collection Date": ["2020-01-01", "2020"], "Release Date": ["2020-01-05", "2020-02-01"] });
 * const { frame, notes } = await releaseLag(source);
 *
 * assertEquals(frame.toRecords(), [{ from_days: 0, to_days: 6, records: 1 }]);
 * assertEquals(notes[0].startsWith("1 record"), true);
 * ```
 */
export async function releaseLag(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("releaseLag()", options, ANALYSIS_OPTIONS);
  const { snapshot } = options;
  const last = lastDay(snapshot);
  const title = "Days from collection of the sample to release of the record";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["collectionDate", "releaseDate"] });
  if (run.absent.length > 0) return run.stop();
  const { pl } = run;
  const [collected, released] = [run.name("collectionDate"), run.name("releaseDate")];
  const dates = run.source.scan().select(
    ...[...new Set([collected, released])].map((name) => pl.col(name).cast(pl.String)),
  );
  // There are far fewer dates than records: each is read once.
  const days = (name: string, day: string) => {
    const text = pl.col("text");
    // A year or a month has fewer letters, and one with XX in it is no date to the engine.
    const whole = pl.when(text.str.lengths().gtEq(pl.lit(10))).then(text.str.slice(0, 10)).otherwise(pl.lit(null));
    const found = run.collect(dates.select(pl.col(name).alias("text")).groupBy("text").agg(pl.len().alias("records")));
    return found.select(text, whole.str.strptime(pl.Date, "%Y-%m-%d").cast(pl.Int64).alias(day)).lazy();
  };
  const dated = dates.join(days(collected, COLLECTED), { leftOn: collected, rightOn: "text", how: "left" })
    .join(days(released, RELEASED), { leftOn: released, rightOn: "text", how: "left" });
  const left = { missing: 0, late: 0, coarse: 0, backwards: 0 };
  const lags: { readonly days: number; readonly count: number }[] = [];
  for (
    const { keys: [days, both, late], count } of run.tally({
      days: pl.col(RELEASED).sub(pl.col(COLLECTED)),
      both: pl.col(released).isNotNull().and(pl.col(collected).isNotNull()),
      late: pl.col(RELEASED).gt(pl.lit(last)),
    }, dated)
  ) {
    if (both !== true) left.missing += count;
    else if (late === true) left.late += count;
    else if (days === null) left.coarse += count;
    else if (Number(days) < 0) left.backwards += count;
    else lags.push({ days: Number(days), count });
  }
  const late = lateNote(left.late, released, snapshot);
  if (late !== undefined) run.note(late);
  if (left.coarse > 0) {
    run.note(
      `${counted(left.coarse, "records")} ${
        does(left.coarse, "have")
      } a date that is not known to the day: not shown. A day set in its place ` +
        "would make a lag that nobody measured",
    );
  }
  if (left.backwards > 0) {
    run.note(
      `${counted(left.backwards, "records")} ${
        does(left.backwards, "have")
      } a release before the collection: not shown, look at the dates`,
    );
  }
  const n = lags.reduce((sum, { count }) => sum + count, 0);
  if (n === 0) {
    return run.stop(`There is nothing to show: no record has both days (${count(left.missing)} lack a date)`);
  }
  const sorted = [...lags].sort((a, b) => a.days - b.days);
  const [shortest, longest] = [sorted[0].days, sorted[sorted.length - 1].days];
  const width = WIDTHS.find((width) => longest / width < MOST_BINS) ?? Math.ceil(longest / MOST_BINS) + 1;
  const first = Math.floor(shortest / width);
  const bins = Array.from({ length: Math.floor(longest / width) - first + 1 }, (_, index) => ({
    from_days: (first + index) * width,
    to_days: (first + index + 1) * width - 1,
    records: 0,
  }));
  for (const { days, count } of sorted) bins[Math.floor(days / width) - first].records += count;
  const at = (rank: number) => {
    let before = 0;
    return sorted.find(({ count }) => (before += count) >= rank)!.days;
  };
  const median = (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2;
  return await run.finish(bins, {
    counts: { n, excluded: left.late + left.coarse + left.backwards, missing: left.missing },
    meta: {
      title,
      subtitle: `Median (dashed line) ${amount(median, 1)} days; shortest ${count(shortest)}, longest ${
        count(longest)
      }. Bins of ${width} days`,
      description: `Histogram of ${counted(n, "records")} by days between collection and release. Median ${
        amount(median, 1)
      } days, longest ${count(longest)}.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      x: { label: "days from collection to release", tickFormat: count },
      y: { label: "records", grid: true, ...countTicks(Math.max(...bins.map(({ records }) => records))) },
      marks: [
        plot.rectY(bins, {
          x1: "from_days",
          x2: ({ to_days }: { to_days: number }) => to_days + 1,
          y: "records",
          fill: CATEGORY_COLOURS[0],
        }),
        plot.ruleX([median], { stroke: "currentColor", strokeDasharray: "4,3" }),
        plot.ruleY([0]),
      ],
    }),
  });
}
