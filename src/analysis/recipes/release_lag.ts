/** How long it takes from the sample to the public record. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { formatDay } from "@seqreg/core/contract/values";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { PICTURE_WIDTH } from "../chart/axes.ts";
import { countDelays, type DelayCounts, type Delays, EVERYONE } from "../run/delay_counts.ts";
import { type NumberRow, Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import {
  type DayCount,
  type DelayDistribution,
  delayDistribution,
  LEAST_AT_RISK,
  quantileOf,
  shareAt,
} from "../statistics/product_limit.ts";
import { NEUTRAL_COLOUR, SERIES_COLOURS } from "../chart/palette.ts";
import { amount, count, counted, percent } from "../chart/words.ts";

/** Options of {@linkcode releaseLag}. */
export interface ReleaseLagOptions extends AnalysisOptions {
  /** Whether all records are one cohort (the default), or those of each year of collection. */
  readonly cohort?: "all" | "year";
  /** The longest delay to look at, in days; by default the longest at which ten records are at risk. */
  readonly upTo?: number;
}

export const RELEASE_LAG_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  cohort: rule.oneOf(["all", "year"]),
  upTo: rule.wholeNumber({ from: 1 }),
} satisfies OptionRules<ReleaseLagOptions>;

const SHAPE = {
  from_days: "Int64",
  to_days: "Int64",
  records: "Int64",
  share: "Float64",
  low: "Float64",
  high: "Float64",
  least: "Float64",
  most: "Float64",
  cohort: "String",
} as const;
/** Widths of bins in days, the first that gives few enough bins. */
const WIDTHS = [7, 30, 90, 180, 360, 720, 1800, 3600, 36_000] as const;
const MOST_BINS = 60;
/** Cohorts that are drawn, the last ones. */
const MOST_COHORTS = 6;

/**
 * The distribution of days between collection and release, corrected for records that are still to come.
 *
 * Data of a day holds only the delays that had ended by then, so that long ones of late samples are missing and a plain
 * median is too short. The shares are those of the product-limit estimator in reverse time for such right truncation
 * (Lagakos, Barraj and De Gruttola 1988), among delays up to the longest at which ten records are at risk: of longer
 * ones the data has no information. Intervals are of 95 %, by Greenwood's variance on a log(−log) scale. The day of the
 * data is `snapshot`, without it the latest release. It is assumed that delays do not depend on the day of collection:
 * where they do, look at cohorts.
 *
 * A date known to the month has no day to count from: with such dates `least` and `most` are the shares if every delay
 * were as long, or as short, as its month allows. Dates known to the year are left out and counted, as are records that
 * were released before they were collected: one of their dates is wrong. So are dates before 1900 and after `snapshot`
 * (without it after the day on which the data came, where its provenance has one, else after 2100), which are named.
 * Other bounds are set by `plausible`.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Cohorts, the longest delay, and what all analyses share.
 * @returns Cohorts and bins × `from_days`, `to_days` (both in the bin), `records` (Int64), `share` of delays up to
 * `to_days`, `low` and `high` of its interval, `least` and `most` by months (Float64, 0 to 1; null where there is
 * nothing to estimate them from), `cohort` (a year, or `all`); empty bins between others are there too.
 * @throws {RangeError} If `upTo` is not a whole number from 1.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { releaseLag } from "./release_lag.ts";
 *
 * const source = pl.DataFrame({ "Collection Date": ["2020-01-01", "2020"], "Release Date": ["2020-01-05",
 *   "2020-02-01"] });
 * const { frame, notes } = await releaseLag(source);
 *
 * const [bin] = frame.toRecords();
 * assertEquals([bin.from_days, bin.to_days, bin.records], [0, 6, 1]);
 * assertEquals(notes[0].startsWith("1 record"), true);
 * ```
 */
export async function releaseLag(source: AnalysisSource, options: ReleaseLagOptions = {}): Promise<Analysis> {
  checkOptions("releaseLag()", options, RELEASE_LAG_OPTIONS);
  const { cohort = "all", upTo } = options;
  const title = "Days from collection of the sample to release of the record";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["collectionDate", "releaseDate"] });
  if (run.absent.length > 0) return run.stop();
  const counts = await countDelays(run, { byYear: cohort === "year" });
  const { n, missing, excluded } = counts;
  if (n === 0) return run.stop(`There is nothing to show: no record has both days (${count(missing)} lack a date)`);
  const cohorts = estimateCohorts(counts, upTo);
  const { rows, width } = binRows(cohorts);
  for (const note of noteEstimates(counts, cohorts, { upTo, cohort })) run.note(note);
  const drawn = cohorts.filter(({ distribution }) => distribution !== undefined).slice(-MOST_COHORTS);
  const lines = drawn.map((one, at) => ({
    ...one,
    colour: SERIES_COLOURS[at],
    points: curveOf(rows.filter((row) => row.cohort === one.name && row.share !== null)),
  }));
  const isOne = cohort === "all" && lines.length === 1;
  // Without an estimate the delays seen are all there is to draw.
  const plain = isOne || lines.length === 0 ? curveOf(plainRows(rows)) : [];
  const ends = (lines.length === 0 ? plain : lines.flatMap(({ points }) => points)).map(({ days }) => days);
  const longest = Math.max(...ends);
  const half = isOne ? quantileOf(lines[0].distribution!, 0.5) : undefined;
  const said = ({ days, share, low, high, name }: CurvePoint) =>
    `${name === EVERYONE ? "" : `${name}\n`}up to ${counted(days, "days")}: ${amount(share, 1)} %` +
    (low === null || high === null ? "" : `\n95 %: ${amount(low, 1)} to ${amount(high, 1)} %`);
  return await run.finish(rows, {
    counts: { n, excluded, missing },
    meta: {
      title,
      subtitle: half !== undefined
        ? `Median ${counted(half.days, "days")} among delays up to ${
          counted(lines[0].distribution!.upTo, "days")
        } (95 %: ${count(half.low)} to ${count(half.high)}; vertical line). Bins of ${width} days`
        : lines.length === 0
        ? `As released so far: too few records for an estimate. Bins of ${width} days`
        : `By year of collection, each among delays up to the longest that its records can show. Bins of ${width} days`,
      legend: isOne
        ? [
          { label: "corrected for records still to come, with 95 %", colour: lines[0].colour },
          { label: "as released so far (dashed)", colour: NEUTRAL_COLOUR },
        ]
        : lines.map(({ name, colour }) => ({ label: name, colour })),
      description: `Rising curves of the share of ${counted(n, "records")} released within so many days of collection${
        lines.length === 0 ? "" : ". "
      }${
        lines.map(({ name, distribution }) =>
          `${name === EVERYONE ? "Half" : `${name}: half`} within ${
            counted(quantileOf(distribution!, 0.5).days, "days")
          } among delays up to ${count(distribution!.upTo)}`
        ).join("; ")
      }.`,
    },
    spec: (plot) => ({
      height: 320,
      marginLeft: 64,
      marginRight: 30,
      x: {
        label: "days from collection to release",
        tickFormat: count,
        ticks: Math.floor((PICTURE_WIDTH - 94) / 90),
        domain: [0, longest],
      },
      y: { label: "share released (%)", grid: true, domain: [0, 100], ticks: 5 },
      marks: [
        ...lines.flatMap(({ colour, points }) => [
          plot.areaY(points.filter(({ low }) => low !== null), {
            x: "days",
            y1: "low",
            y2: "high",
            fill: colour,
            fillOpacity: 0.2,
            title: () => "",
          }),
        ]),
        ...plain.length === 0 ? [] : [
          plot.line(plain.filter(({ days }) => days <= longest), {
            x: "days",
            y: "share",
            stroke: NEUTRAL_COLOUR,
            strokeWidth: 1.5,
            strokeDasharray: "5,4",
            title: said,
          }),
        ],
        ...lines.map(({ colour, points }) =>
          plot.line(points, { x: "days", y: "share", stroke: colour, strokeWidth: 2.5, title: said })
        ),
        ...half !== undefined ? [plot.ruleX([half.days], { stroke: "currentColor", strokeDasharray: "4,3" })] : [],
        plot.ruleY([0]),
      ],
    }),
  });
}

interface Cohort {
  readonly name: string;
  readonly delays: readonly DayCount[];
  readonly distribution: DelayDistribution | undefined;
  readonly short: DelayDistribution | undefined;
  readonly long: DelayDistribution | undefined;
}

function estimateCohorts({ known, bounds }: DelayCounts, upTo: number | undefined): Cohort[] {
  const estimate = (one: Delays | undefined, most: number | undefined) =>
    one === undefined ? undefined : delayDistribution(one.delays, one.windows, most);
  return [...known].sort(([a], [b]) => a < b ? -1 : 1).map(([name, one]) => {
    const distribution = estimate(one, upTo);
    const most = distribution?.upTo;
    const [short, long] = [bounds?.short, bounds?.long].map((all) =>
      most === undefined ? undefined : estimate(all?.get(name), most)
    );
    return { name, delays: one.delays, distribution, short, long };
  });
}

/** Rows by cohort and bin, the bins the same in all. */
function binRows(cohorts: readonly Cohort[]): { readonly rows: NumberRow[]; readonly width: number } {
  const all = cohorts.flatMap(({ delays }) => delays.map(({ days }) => days));
  const longest = all.reduce((most, days) => Math.max(most, days), 0);
  const width = WIDTHS.find((width) => longest / width < MOST_BINS) ?? Math.ceil(longest / MOST_BINS) + 1;
  const rows = cohorts.flatMap(({ name, delays, distribution, short, long }) => {
    const binned = new Map<number, number>();
    for (const { days, count } of delays) {
      const bin = Math.floor(days / width);
      binned.set(bin, (binned.get(bin) ?? 0) + count);
    }
    const [first, last] = [Math.min(...binned.keys()), Math.max(...binned.keys())];
    return Array.from({ length: last - first + 1 }, (_, at) => {
      const bin = first + at;
      const to = (bin + 1) * width - 1;
      const shareOf = (of: DelayDistribution | undefined) => of === undefined ? null : shareAt(of, to);
      const found = shareOf(distribution);
      const bounds = [short, long].flatMap((of) => shareOf(of)?.share ?? []);
      return {
        from_days: bin * width,
        to_days: to,
        records: binned.get(bin) ?? 0,
        share: found?.share ?? null,
        low: found?.low ?? null,
        high: found?.high ?? null,
        // In the sparse tail the longest delays can have the greater share.
        least: bounds.length === 0 ? null : Math.min(...bounds),
        most: bounds.length === 0 ? null : Math.max(...bounds),
        cohort: name,
      };
    });
  });
  return { rows, width };
}

interface CurvePoint {
  readonly name: string;
  readonly days: number;
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Points of a curve in percent, from 0 days on. */
function curveOf(rows: readonly NumberRow[]): CurvePoint[] {
  if (rows.length === 0) return [];
  const part = (value: string | number | null) => value === null ? null : Number(value) * 100;
  const points = rows.map((row) => ({
    name: String(row.cohort),
    days: Number(row.to_days) + 1,
    share: part(row.share) ?? 0,
    low: part(row.low),
    high: part(row.high),
  }));
  const isBanded = points[0].low !== null;
  return [
    {
      name: points[0].name,
      days: Number(rows[0].from_days),
      share: 0,
      low: isBanded ? 0 : null,
      high: isBanded ? 0 : null,
    },
    ...points,
  ];
}

/** The shares of all cohorts together, without the correction. */
function plainRows(rows: readonly NumberRow[]): NumberRow[] {
  const bins = Map.groupBy(rows, ({ from_days }) => Number(from_days));
  const all = rows.reduce((sum, { records }) => sum + Number(records), 0);
  let seen = 0;
  return [...bins].sort(([a], [b]) => a - b).map(([, [row, ...others]]) => {
    for (const { records } of [row, ...others]) seen += Number(records);
    return { ...row, share: seen / all, low: null, high: null, cohort: EVERYONE };
  });
}

/** Describes what was estimated, and why the plain median differs from it. */
function noteEstimates(
  { last, lastWords, n, known, bounds }: DelayCounts,
  cohorts: readonly Cohort[],
  { upTo, cohort }: { readonly upTo: number | undefined; readonly cohort: "all" | "year" },
): string[] {
  const notes: string[] = [];
  const median = plainMedian([...known.values()].flatMap(({ delays }) => delays));
  const few = cohorts.filter(({ distribution }) => distribution === undefined).map(({ name }) => name);
  const [only] = cohorts;
  if (cohort === "all" && only.distribution !== undefined) {
    const most = only.distribution.upTo;
    const longer = only.delays.reduce((sum, { days, count }) => days > most ? sum + count : sum, 0);
    notes.push(
      `Shares are among delays up to ${counted(most, "days")}, ${
        upTo === most ? "as requested" : `the longest at which ${LEAST_AT_RISK} records are at risk`
      }: ${
        longer === 0 ? "no longer one was seen" : `longer ones (${percent(longer, n)} of those seen) are in none`
      }. By the product-limit estimator for right ` +
        `truncation, of data up to ${formatDay(last)}, ${lastWords}`,
    );
  } else if (cohort === "year" && few.length < cohorts.length) {
    notes.push(
      "Each cohort is among delays up to the longest that its records can show (product-limit estimator for right " +
        `truncation, of data up to ${formatDay(last)}, ${lastWords}): late cohorts are compared over short delays only`,
    );
  }
  if (few.length === cohorts.length) {
    notes.push(
      `There is no estimate for records still to come: fewer than ${LEAST_AT_RISK} records ${
        cohort === "year" ? "of any year " : ""
      }are at risk of any delay, and shares of so few are chance`,
    );
  } else if (few.length > 0) {
    notes.push(
      `Of ${
        counted(few.length, "cohorts")
      } there is no estimate, since fewer than ${LEAST_AT_RISK} records are at risk: ${few.slice(0, 8).join(", ")}${
        few.length > 8 ? " …" : ""
      }`,
    );
  }
  if (cohort === "year" && cohorts.length - few.length > MOST_COHORTS) {
    notes.push(`Only the last ${MOST_COHORTS} of ${cohorts.length - few.length} cohorts are drawn; the frame has all`);
  }
  const bounded = bounds === undefined || only.short === undefined || only.long === undefined || cohort === "year"
    ? undefined
    : [only.short, only.long].map((one) => quantileOf(one, 0.5).days);
  if (bounded !== undefined) {
    notes.push(
      `With dates known to the month, half of the delays take at most ${count(bounded[0])} to ${
        counted(bounded[1], "days")
      }, as early or late in their months as can be`,
    );
  }
  notes.push(
    `The plain median is ${amount(median, 1)} ${
      median === 1 ? "day" : "days"
    } and too short: of late samples only the records that were quick are ` +
      "there. Do not use it to compare years or countries",
  );
  return notes;
}

function plainMedian(delays: readonly DayCount[]): number {
  const sorted = delays.toSorted((a, b) => a.days - b.days);
  const n = sorted.reduce((sum, { count }) => sum + count, 0);
  const at = (rank: number) => {
    let before = 0;
    return sorted.find(({ count }) => (before += count) >= rank)!.days;
  };
  return (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2;
}
