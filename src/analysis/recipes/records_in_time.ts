/** When samples were taken or records became public, at the precision that the dates have. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import { formatDay, readPartialDate } from "@seqreg/core/contract/values";
import { hatchX } from "../chart/hatch.ts";
import {
  everyPeriod,
  firstDayOf,
  PERIOD_UNITS,
  PERIOD_WORDS,
  periodOf,
  type PeriodUnit,
  periodWidth,
  placeOf,
  surePeriod,
  timeAxis,
} from "../chart/periods.ts";
import { countDelays, EVERYONE } from "../run/delay_counts.ts";
import { groupByField } from "../run/field_groups.ts";
import { delayDistribution, shareAt } from "../statistics/product_limit.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { BACKGROUND_COLOUR, countTicks } from "../chart/axes.ts";
import { daysOf, firstDay, Outliers } from "../run/plausible.ts";
import { coarseNote } from "../run/notes.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS, NEUTRAL_COLOUR, SERIES_COLOURS } from "../chart/palette.ts";
import { count, counted, label } from "../chart/words.ts";

/** Options of {@linkcode recordsInTime}. */
export interface RecordsInTimeOptions extends AnalysisOptions {
  /** Which date: when the sample was taken (the default), or when the record became public. */
  readonly date?: "collection" | "release";
  /**
   * Length of a period; `year` by default. Dates that may be in several are in none. `isoweek` is the week of ISO 8601
   * (from Monday), `epiweek` that of the CDC (MMWR week, from Sunday).
   */
  readonly by?: PeriodUnit;
  /** Whether a period has the records of all before it too; by default it has its own. */
  readonly cumulative?: boolean;
  /** @deprecated Write `cumulative`. */
  readonly sum?: "each" | "cumulative";
  /**
   * Field whose values are stacked, by name, alias or role, such as `country`: those with most records, and the others
   * together. By default it is how precise the date is.
   */
  readonly stack?: string;
}

export const RECORDS_IN_TIME_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  date: rule.oneOf(["collection", "release"]),
  by: rule.oneOf(PERIOD_UNITS),
  cumulative: rule.flag,
  sum: rule.oneOf(["each", "cumulative"]),
  stack: rule.text,
} satisfies OptionRules<RecordsInTimeOptions>;

/** Bars up to which each is drawn on its own. */
const MOST_BARS = 600;
const PRECISIONS = ["day", "month", "year"];
/** Groups that are stacked by themselves. */
const MOST_GROUPS = 7;
const STACKED = "seqreg_stacked";
/** Periods of which less is released than this are hatched. */
const COMPLETE = 0.9;

/**
 * Counts records by year, month or week: an epidemic curve, stacked by the precision of its dates or by a field.
 *
 * A date such as `2013` or `2013-12-XX` counts in the periods that it surely lies in, and in no other: nothing is put
 * on a first of January. Dates before 1900, and dates that begin after `snapshot` (without it after the day on which
 * the data came, where its provenance has one, else after 2100), are left out, counted and named: no clock is read.
 * Other bounds are set by `plausible`.
 *
 * Where dates of release are there too, the last periods of collection are hatched of whose records less than 90 % are
 * released, by the delays that `releaseLag` estimates.
 *
 * @param source A frame, a result of a registry, or a lake; dates as texts or with their three columns.
 * @param options Which date, by which period, each or cumulative, what is stacked.
 * @returns Periods × `period` (`2013`, `2013-12` or `2013-W49`), `precision` (`day`, `month` or `year`: how much of the
 * date is known; with `stack` `group`, the value of that field, instead), `records` (Int64); periods without
 * records are not there, except between others of cumulative counts.
 * @throws {RangeError} If the data has no field `stack`.
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
  const { date = "collection", by = "year", cumulative = options.sum === "cumulative", stack } = options;
  const role = date === "collection" ? "collectionDate" : "releaseDate";
  const event = date === "collection" ? "collection of the sample" : "release of the record";
  const unit = PERIOD_WORDS[by];
  const title = `Records by ${unit} of ${event}${cumulative ? ", cumulative" : ""}`;
  const part = stack === undefined ? "precision" : "group";
  const run = await Run.start<DateRole, "releaseDate">(source, options, {
    title,
    shape: { period: "String", [part]: "String", records: "Int64" },
    needs: [role],
    uses: ["releaseDate"],
  });
  if (run.absent.length > 0) return run.stop();

  const groups = stack === undefined ? undefined : await groupByField(run, { field: stack, most: MOST_GROUPS });
  const days = daysOf(run);
  const periods = new Map<string, Period>();
  const left = { missing: 0, coarse: 0, ranges: 0 };
  const [unreadable, early, late] = [new Outliers(), new Outliers(), new Outliers()];
  let n = 0;
  const rows = groups === undefined ? await run.tallyTexts([role]) : run.mergeKeys(
    [role],
    await run.tally(
      { text: run.text(role), group: run.pl.col(STACKED) },
      groups.withGroup(run.source.scan(), STACKED),
    ),
  );
  for (const { keys: [text, group], count } of rows) {
    const read = text === null ? undefined : readPartialDate(String(text));
    const name = read === undefined ? undefined : surePeriod(read, by);
    if (text === null) left.missing += count;
    else if (read === undefined) unreadable.add(text, count);
    else if (read.latest < days.first) early.add(text, count);
    else if (read.earliest > days.last) late.add(text, count);
    else if (name === undefined) {
      left.coarse += count;
      if (surePeriod(read, "year") === undefined) left.ranges += count;
    } else {
      const period = periods.get(name) ?? { name, first: firstDayOf(read.earliest, by), counts: new Map() };
      // A range over the end of a year can be of one week.
      const precision = read.precision === "range" ? "month" : read.precision;
      const key = groups === undefined ? precision : groups.nameOf(group);
      period.counts.set(key, (period.counts.get(key) ?? 0) + count);
      periods.set(name, period);
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
  const coarse = coarseNote(left.coarse, n + left.coarse, { field, period: by, ranges: left.ranges });
  if (coarse !== undefined) run.note(coarse);
  if (n === 0) {
    return run.stop(
      `There is nothing to show: no record has a date of ${event} that can be placed (${
        count(left.missing)
      } without one)`,
    );
  }
  const parts = groups?.names ?? PRECISIONS;
  const sorted = [...periods.values()].sort((a, b) => a.first - b.first);
  const stackedRows = periodRows(sorted, { by, cumulative, parts });
  const shown = parts.filter((part) => stackedRows.some((row) => row.part === part));
  const colours = groups === undefined
    ? { day: CATEGORY_COLOURS[0], month: CATEGORY_COLOURS[1], year: NEUTRAL_COLOUR }
    : Object.fromEntries(
      parts.map((
        name,
        at,
      ) => [name, groups.rest.includes(name) ? REST_COLOURS[groups.rest.indexOf(name)] : SERIES_COLOURS[at]]),
    );
  const bars = stackBars(stackedRows, by);
  const fullest = Math.max(...bars.map(({ y2 }) => y2));
  const width = periodWidth(by);
  const first = Math.min(...bars.map(({ at }) => at));
  const end = Math.max(...bars.map(({ at }) => at)) + width;
  const tail = date === "collection" && !cumulative && run.find("releaseDate") !== undefined
    ? await incompleteTail(run, sorted, by)
    : undefined;
  if (tail !== undefined) run.note(tail.note);
  else if (date === "collection") {
    run.note(
      "These are the days on which samples were taken, not on which records were submitted: the last periods still grow " +
        "as records come in",
    );
  }
  if (by === "isoweek") run.note("ISO weeks are those of ISO 8601: Monday to Sunday, in the year of their Thursday");
  if (by === "epiweek") {
    run.note("Epiweeks are those of the CDC (MMWR weeks): Sunday to Saturday, in the year of their Wednesday");
  }
  // Few periods have a narrow picture: wide bars look like much, and ticks beyond the data like years without records.
  const shownPeriods = Math.round((end - first) / width);
  const narrow = shownPeriods < 8 ? { width: 360 + 44 * shownPeriods } : {};
  const room = shownPeriods < 8 ? width / 2 : 0;
  const axis = timeAxis({ from: first, to: end, by });
  const [from, to] = [sorted[0].name, sorted[sorted.length - 1].name];
  return await run.finish(
    stackedRows.map(({ name, part: value, records }) => ({ period: name, [part]: value, records })),
    {
      counts: { n, excluded, missing: left.missing },
      meta: {
        title,
        legendTitle: groups === undefined ? "date known to the" : groups.field,
        legend: [
          ...shown.map((part) => ({ label: label(part), colour: colours[part] })),
          ...tail === undefined ? [] : [{ label: "incomplete", colour: "none", hatched: true }],
        ],
        description: `Bars of ${counted(n, "records")} by ${unit}, ${
          from === to ? `all in ${from}` : `from ${from} to ${to}`
        }, by ${groups === undefined ? "how much of the date is known" : groups.field}. The highest bar is ${
          count(fullest)
        }.`,
      },
      spec: (plot) => ({
        ...narrow,
        height: 320,
        marginLeft: 64,
        x: {
          domain: [first - room, end + room],
          label: `${unit} of ${event}`,
          ...axis,
        },
        y: {
          label: cumulative ? "records (cumulative)" : "records",
          grid: true,
          ...countTicks(fullest),
        },
        marks: [
          ...bars.length <= MOST_BARS
            ? [plot.rect(bars, {
              x1: ({ at }: Bar) => at + width * 0.06,
              x2: ({ at }: Bar) => at + width * 0.94,
              y1: "y1",
              y2: "y2",
              fill: ({ part }: Bar) => colours[part],
              title: (bar: Bar) => titleOf(bar, groups === undefined),
            })]
            : shown.map((part) =>
              plot.areaY(steps(bars, { part, width }), {
                x: "at",
                y1: "y1",
                y2: "y2",
                curve: "step-after",
                fill: colours[part],
                // A period is narrower than a pixel.
                title: () => "",
              })
            ),
          ...tail === undefined ? [] : [hatchX(tail.from, end + room)],
          plot.ruleY([0]),
        ],
      }),
    },
  );
}

function titleOf({ name, part, y1, y2 }: Bar, isPrecision: boolean): string {
  return `${name}\n${isPrecision ? "" : `${part}: `}${counted(y2 - y1, "records")}${
    isPrecision ? `, known to the ${part}` : ""
  }`;
}

/** Colours of the groups of the others and of records without a value. */
const REST_COLOURS = [NEUTRAL_COLOUR, BACKGROUND_COLOUR];

type DateRole = "collectionDate" | "releaseDate";

/** A period with its records by what is stacked. */
interface Period {
  readonly name: string;
  /** First day, as days since 1970-01-01. */
  readonly first: number;
  readonly counts: Map<string, number>;
}

interface PeriodRow {
  readonly name: string;
  readonly first: number;
  readonly part: string;
  readonly records: number;
}

interface Bar {
  readonly name: string;
  readonly at: number;
  readonly part: string;
  readonly y1: number;
  readonly y2: number;
}

/** Rows in the order of the periods; cumulative ones have every part seen so far in every period from the first. */
function periodRows(
  periods: readonly Period[],
  { by, cumulative, parts }: Required<Pick<RecordsInTimeOptions, "by" | "cumulative">> & {
    readonly parts: readonly string[];
  },
): PeriodRow[] {
  const sums = new Map<string, number>();
  const known = new Map(periods.map((period) => [period.first, period]));
  const days = cumulative ? everyPeriod(periods[0].first, periods[periods.length - 1].first, by) : known.keys();
  return [...days].flatMap((first) =>
    parts.flatMap((part) => {
      const own = known.get(first)?.counts.get(part) ?? 0;
      const before = (sums.get(part) ?? 0) + own;
      sums.set(part, before);
      const records = cumulative ? before : own;
      return records === 0 ? [] : [{ name: periodOf(first, by), first, part, records }];
    })
  );
}

/** Bars of a period are stacked, the first part at the bottom. */
function stackBars(rows: readonly PeriodRow[], by: PeriodUnit): Bar[] {
  const tops = new Map<number, number>();
  return rows.map(({ name, first, part, records }) => {
    const y1 = tops.get(first) ?? 0;
    const y2 = y1 + records;
    tops.set(first, y2);
    return { name, at: placeOf(first, by), part, y1, y2 };
  });
}

/** The first of the last periods that are known to be incomplete, by the delays between collection and release. */
async function incompleteTail(
  run: Run<DateRole, "releaseDate">,
  periods: readonly Period[],
  by: PeriodUnit,
): Promise<{ readonly from: number; readonly note: string } | undefined> {
  const { known, last, lastWords } = await countDelays(run, { byYear: false, quiet: true });
  const all = known.get(EVERYONE);
  const delays = all === undefined ? undefined : delayDistribution(all.delays, all.windows);
  if (delays === undefined) return undefined;
  const complete = periods.findLastIndex(({ first }) => {
    const days = firstDayOf(first + (by === "year" ? 366 : by === "month" ? 31 : 7), by) - first;
    return shareAt(delays, last - (first + days / 2)).share >= COMPLETE;
  });
  const open = periods[complete + 1];
  if (open === undefined) return undefined;
  return {
    from: placeOf(open.first, by),
    note: `Hatched from ${open.name} on: less than 90 % of the records of these periods are released by ${
      formatDay(last)
    }, ${lastWords}, if their delays are as those of the others (releaseLag, among delays up to ${
      counted(delays.upTo, "days")
    }). These bars still grow`,
  };
}

/** Corners of bars that are too narrow to have gaps between them, as one outline: a tenth of the characters. */
function steps(
  bars: readonly Bar[],
  { part, width }: { readonly part: string; readonly width: number },
): Pick<Bar, "at" | "y1" | "y2">[] {
  const own = bars.filter((bar) => bar.part === part);
  return own.flatMap((bar, index) => {
    const end = bar.at + width;
    const next = own[index + 1];
    // Rounding makes neighbours meet imprecisely; half a period apart they are not neighbours.
    const isFollowed = next !== undefined && next.at - end < width / 2;
    return isFollowed ? [bar] : [bar, { at: end, y1: 0, y2: 0 }];
  });
}
