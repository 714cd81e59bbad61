/**
 * When samples were taken or records became public, at the precision that the dates have.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import { formatDay, readPartialDate } from "../../contract/values/mod.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks } from "../chart/axes.ts";
import { daysOf, firstDay, Outliers } from "../run/plausible.ts";
import { coarseNote } from "../run/notes.ts";
import { type NumberRow, Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS, NEUTRAL_COLOUR } from "../chart/palette.ts";
import { count, counted } from "../chart/words.ts";

/** Options of {@linkcode recordsInTime}. */
export interface RecordsInTimeOptions extends AnalysisOptions {
  /** Which date: when the sample was taken (the default), or when the record became public. */
  readonly date?: "collection" | "release";
  /** Length of a period; `year` by default. Dates that are coarser than it are in no period. */
  readonly by?: "year" | "month";
  /** Whether each period has its own records (the default), or those of all before it too. */
  readonly sum?: "each" | "cumulative";
}

/** The rules of {@linkcode RecordsInTimeOptions}. */
export const RECORDS_IN_TIME_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  date: rule.oneOf(["collection", "release"]),
  by: rule.oneOf(["year", "month"]),
  sum: rule.oneOf(["each", "cumulative"]),
} satisfies OptionRules<RecordsInTimeOptions>;

const SHAPE = { period: "String", precision: "String", records: "Int64" } as const;
/** Bars up to which each is drawn on its own. */
const MOST_BARS = 600;
const PRECISIONS = ["day", "month", "year"] as const;

/**
 * Counts records by year or month, and says how precise their dates are.
 *
 * A date such as `2013` or `2013-12-XX` counts in the periods that it surely lies in, and in no other: nothing is put
 * on a first of January. Dates before 1900, and dates that begin after `snapshot` (without it after the day on which
 * the data came, where its provenance has one, else after 2100), are left out, counted and named: no clock is read.
 * Other bounds are set by `plausible`.
 *
 * @param source A frame, a result of a registry, or a lake; dates as texts or with their three columns.
 * @param options Which date, by year or month, each or cumulative.
 * @returns Periods × `period` (`2013` or `2013-12`), `precision` (`day`, `month` or `year`: how much of the date is
 * known), `records` (Int64); periods without records are not there, except between others when the sum is cumulative.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { recordsInTime } from "./records_in_time.ts";
 *
 * const source = pl.DataFrame({ "Collection Date": ["2013", "2013-12-XX", "2013-12-05"] });
 * const { frame, notes } = await recordsInTime(source, { by: "month" });
 *
 * assertEquals(frame.toRecords().map(({ period }) => period), ["2013-12", "2013-12"]);
 * assertEquals(notes.some((note) => note.includes("first of January")), true);
 * ```
 */
export async function recordsInTime(source: AnalysisSource, options: RecordsInTimeOptions = {}): Promise<Analysis> {
  checkOptions("recordsInTime()", options, RECORDS_IN_TIME_OPTIONS);
  const { date = "collection", by = "year", sum = "each" } = options;
  const role = date === "collection" ? "collectionDate" : "releaseDate";
  const event = date === "collection" ? "collection of the sample" : "release of the record";
  const title = `Records by ${by} of ${event}${sum === "cumulative" ? ", cumulative" : ""}`;
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [role] });
  if (run.absent.length > 0) return run.stop();

  const days = daysOf(run);
  const periods = new Map<string, Map<string, number>>();
  const left = { missing: 0, coarse: 0 };
  const [unreadable, early, late] = [new Outliers(), new Outliers(), new Outliers()];
  let n = 0;
  for (const { keys: [text], count } of await run.tallyTexts([role])) {
    const read = text === null ? undefined : readPartialDate(String(text));
    if (text === null) left.missing += count;
    else if (read === undefined) unreadable.add(text, count);
    else if (read.latest < days.first) early.add(text, count);
    else if (read.earliest > days.last) late.add(text, count);
    else if (read.precision === "range" || by === "month" && read.precision === "year") left.coarse += count;
    else {
      const period = formatDay(read.earliest).slice(0, by === "year" ? 4 : 7);
      const counts = periods.get(period) ?? new Map<string, number>();
      counts.set(read.precision, (counts.get(read.precision) ?? 0) + count);
      periods.set(period, counts);
      n += count;
    }
  }
  const field = run.name(role);
  const excluded = unreadable.records + early.records + late.records + left.coarse;
  for (
    const note of [
      unreadable.note(`no readable date in ${field}`),
      early.note(`a date before ${firstDay(days)} in ${field}`),
      late.note(`a date after ${days.lastWords} in ${field}`),
    ]
  ) if (note !== undefined) run.note(note);
  const coarse = coarseNote(left.coarse, n + left.coarse, field);
  if (coarse !== undefined) run.note(coarse);
  if (n === 0) {
    return run.stop(
      `There is nothing to show: no record has a date of ${event} that can be placed (${
        count(left.missing)
      } without one)`,
    );
  }
  const rows = periodRows(periods, { by, sum });
  if (date === "collection") {
    run.note(
      "These are the days on which samples were taken, not on which records were submitted: the last periods still grow " +
        "as records come in",
    );
  }
  const shown = PRECISIONS.filter((precision) => rows.some((row) => row.precision === precision));
  const colours = { day: CATEGORY_COLOURS[0], month: CATEGORY_COLOURS[1], year: NEUTRAL_COLOUR };
  const bars = stack(rows, by);
  const names = [...periods.keys()].sort();
  const fullest = Math.max(...bars.map(({ y2 }) => y2));
  const unit = by === "year" ? 1 : 1 / 12;
  const first = Math.min(...bars.map(({ at }) => at));
  const end = Math.max(...bars.map(({ at }) => at)) + unit;
  // Few periods have a narrow picture: wide bars look like much, and ticks beyond the data like years without records.
  const shownPeriods = Math.round((end - first) / unit);
  const width = shownPeriods < 8 ? { width: 360 + 44 * shownPeriods } : {};
  const room = shownPeriods < 8 ? unit / 2 : 0;
  const axis = timeAxis(first, end, by);
  return await run.finish(rows, {
    counts: { n, excluded, missing: left.missing },
    meta: {
      title,
      legendTitle: "date known to the",
      legend: shown.map((precision) => ({ label: precision, colour: colours[precision] })),
      description: `Bars of ${counted(n, "records")} by ${by}, ${
        names.length === 1 ? `all in ${names[0]}` : `from ${names[0]} to ${names[names.length - 1]}`
      }, by how much of the date is known. The highest bar is ${count(fullest)}.`,
    },
    spec: (plot) => ({
      ...width,
      height: 320,
      marginLeft: 64,
      x: {
        domain: [first - room, end + room],
        label: `${by} of ${event}`,
        ...axis,
      },
      y: {
        label: sum === "cumulative" ? "records (cumulative)" : "records",
        grid: true,
        ...countTicks(fullest),
      },
      marks: [
        ...bars.length <= MOST_BARS
          ? [plot.rect(bars, {
            x1: ({ at }: Bar) => at + unit * 0.06,
            x2: ({ at }: Bar) => at + unit * 0.94,
            y1: "y1",
            y2: "y2",
            fill: ({ precision }: Bar) => colours[precision],
            title: titleOf,
          })]
          : shown.map((precision) =>
            plot.areaY(steps(bars, { precision, unit }), {
              x: "at",
              y1: "y1",
              y2: "y2",
              curve: "step-after",
              fill: colours[precision],
              // A period is narrower than a pixel.
              title: () => "",
            })
          ),
        plot.ruleY([0]),
      ],
    }),
  });
}

/** Tooltip of a bar. */
function titleOf({ period, precision, y1, y2 }: Bar): string {
  return `${period}\n${counted(y2 - y1, "records")}, known to the ${precision}`;
}

type Precision = (typeof PRECISIONS)[number];

interface Bar {
  readonly period: string;
  readonly at: number;
  readonly precision: Precision;
  readonly y1: number;
  readonly y2: number;
}

/**
 * Rows in the order of the periods; cumulative ones have every precision seen so far in every period from the first.
 */
function periodRows(
  periods: ReadonlyMap<string, ReadonlyMap<string, number>>,
  { by, sum }: Required<Pick<RecordsInTimeOptions, "by" | "sum">>,
): NumberRow[] {
  const cumulative = sum === "cumulative";
  const sums = new Map<string, number>();
  const names = [...periods.keys()].sort();
  return (cumulative ? everyPeriod(names[0], names[names.length - 1], by) : names).flatMap((period) =>
    PRECISIONS.flatMap((precision) => {
      const own = periods.get(period)?.get(precision) ?? 0;
      const sum = (sums.get(precision) ?? 0) + own;
      sums.set(precision, sum);
      const records = cumulative ? sum : own;
      return records === 0 ? [] : [{ period, precision, records }];
    })
  );
}

/** Every period from one to another, as `2013` or `2013-12`. */
function everyPeriod(first: string, last: string, by: "year" | "month"): string[] {
  const periods: string[] = [];
  for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year++) {
    const name = String(year).padStart(4, "0");
    if (by === "year") periods.push(name);
    else for (let month = 1; month <= 12; month++) periods.push(`${name}-${String(month).padStart(2, "0")}`);
  }
  return periods.filter((period) => period >= first && period <= last);
}

/** Bars of a period stand on each other, the most precise at the bottom. */
function stack(rows: readonly NumberRow[], by: "year" | "month"): Bar[] {
  const tops = new Map<string, number>();
  return rows.flatMap(({ period, precision, records }) => {
    const name = String(period);
    const known = PRECISIONS.find((one) => one === precision);
    if (known === undefined) return [];
    const y1 = tops.get(name) ?? 0;
    const y2 = y1 + Number(records);
    tops.set(name, y2);
    // A year's bar stands over its tick, a month's between those of its year.
    const at = by === "year" ? Number(name) - 0.5 : Number(name.slice(0, 4)) + (Number(name.slice(5)) - 1) / 12;
    return [{ period: name, at, precision: known, y1, y2 }];
  });
}

/** Corners of bars that are too narrow to have gaps between them, as one outline: a tenth of the characters. */
function steps(
  bars: readonly Bar[],
  { precision, unit }: { readonly precision: Precision; readonly unit: number },
): Pick<Bar, "at" | "y1" | "y2">[] {
  const own = bars.filter((bar) => bar.precision === precision);
  return own.flatMap((bar, index) => {
    const end = bar.at + unit;
    const next = own[index + 1];
    // Rounding makes neighbours meet imprecisely; half a period apart they are not neighbours.
    const isFollowed = next !== undefined && next.at - end < unit / 2;
    return isFollowed ? [bar] : [bar, { at: end, y1: 0, y2: 0 }];
  });
}

/** Ticks at whole years, as many as have room; at months where there are only a few years. */
function timeAxis(from: number, to: number, by: "year" | "month") {
  const ticks: number[] = [];
  if (by === "month" && to - from <= 3) {
    const step = to - from <= 1 ? 1 : 3;
    for (let month = Math.ceil(from * 12); month <= to * 12; month++) {
      if (month % step === 0) ticks.push((month + 0.5) / 12);
    }
    return {
      ticks: ticks.filter((tick) => tick <= to),
      tickFormat: (at: number) => {
        const month = Math.round(at * 12 - 0.5);
        return `${Math.floor(month / 12)}-${String(month % 12 + 1).padStart(2, "0")}`;
      },
    };
  }
  const step = [1, 2, 5, 10, 20, 50].find((step) => (to - from) / step <= 14) ?? 100;
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) ticks.push(year);
  return { ticks, tickFormat: String };
}
