/**
 * How long it takes from the sample to the public record.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks } from "../chart/axes.ts";
import { isMissing, readPartialDate } from "../../contract/values/mod.ts";
import { type DayRange, daysOf, firstDay, Outliers } from "../run/plausible.ts";
import { Run, total } from "../run/run.ts";
import { missingKind, PLACEHOLDER } from "../run/texts.ts";
import type { AnalysisSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { amount, count, counted, does } from "../chart/words.ts";

const SHAPE = { from_days: "Int64", to_days: "Int64", records: "Int64" } as const;
/** Widths of bins in days, the first that gives few enough bins. */
const WIDTHS = [7, 30, 90, 180, 360, 720, 1800, 3600, 36_000] as const;
const MOST_BINS = 60;
const [COLLECTED, RELEASED] = ["seqreg_collected", "seqreg_released"];
/** What a date is: known to the day, or why not. */
const [MISSING, KNOWN, COARSE, UNREADABLE, EARLY, LATE] = [0, 1, 2, 3, 4, 5];
const ODD_STATES = [UNREADABLE, EARLY, LATE];

/**
 * Counts records by days between collection and release, where both are known to the day.
 *
 * A date known to the month or year has no day to count from: it is left out and counted, not put on a first. Records
 * that were released before they were collected are left out and counted: one of their dates is wrong. So are dates
 * before 1900 and after `snapshot` (without it after the day on which the data came, where its provenance has one, else
 * after 2100), which are named: they cannot be in the data. Other bounds are set by `plausible`.
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
 * const source = pl.DataFrame({ "Collection Date": ["2020-01-01", "2020"], "Release Date": ["2020-01-05",
 *   "2020-02-01"] });
 * const { frame, notes } = await releaseLag(source);
 *
 * assertEquals(frame.toRecords(), [{ from_days: 0, to_days: 6, records: 1 }]);
 * assertEquals(notes[0].startsWith("1 record"), true);
 * ```
 */
export async function releaseLag(source: AnalysisSource, options: AnalysisOptions = {}): Promise<Analysis> {
  checkOptions("releaseLag()", options, ANALYSIS_OPTIONS);
  const title = "Days from collection of the sample to release of the record";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["collectionDate", "releaseDate"] });
  if (run.absent.length > 0) return run.stop();
  const { pl } = run;
  const roles = ["collectionDate", "releaseDate"] as const;
  const range = daysOf(run);
  const dates = run.source.scan().select(run.text(roles[0]).alias(COLLECTED), run.text(roles[1]).alias(RELEASED));
  let hasOdd = false;
  // There are far fewer dates than records: each is read once.
  const read = async (role: (typeof roles)[number], column: string) => {
    const found = await run.tally({ text: pl.col(column) }, dates);
    run.notePlaceholders(
      role,
      total(found.filter(({ keys: [text] }) => text !== null && missingKind(String(text)) === PLACEHOLDER)),
    );
    const texts = found.flatMap(({ keys: [text] }) => text === null ? [] : [String(text)]);
    const known = texts.map((text) => readDay(text, range));
    hasOdd ||= known.some(({ state }) => ODD_STATES.includes(state));
    return pl.DataFrame([
      pl.Series(`${column} text`, texts, pl.String),
      pl.Series(`${column} state`, known.map(({ state }) => state), pl.Float64),
      pl.Series(`${column} day`, known.map(({ day }) => day), pl.Float64),
    ]).lazy();
  };
  let dated = dates;
  for (const [at, role] of roles.entries()) {
    const column = [COLLECTED, RELEASED][at];
    dated = dated.join(await read(role, column), { leftOn: column, rightOn: `${column} text`, how: "left" });
  }
  const left = { missing: 0, coarse: 0, backwards: 0 };
  const [early, late] = roles.map(() => ({ collected: new Outliers(), released: new Outliers() }));
  const unreadable = new Outliers();
  const lags: { readonly days: number; readonly count: number }[] = [];
  const stateOf = (column: string) => pl.col(`${column} state`);
  const isOdd = ODD_STATES.flatMap((state) =>
    [COLLECTED, RELEASED].map((column) => stateOf(column).eq(pl.lit(state)).fillNull(pl.lit(false)))
  ).reduce((a, b) => a.or(b));
  const oddText = (column: string) => pl.when(isOdd).then(pl.col(column)).otherwise(pl.lit(null));
  for (
    const { keys: [days, one, other, collected, released], count } of await run.tally({
      days: pl.col(`${RELEASED} day`).sub(pl.col(`${COLLECTED} day`)),
      collected: stateOf(COLLECTED),
      released: stateOf(RELEASED),
      ...hasOdd ? { collectedText: oddText(COLLECTED), releasedText: oddText(RELEASED) } : {},
    }, dated)
  ) {
    const states = [one ?? MISSING, other ?? MISSING];
    if (states.includes(MISSING)) left.missing += count;
    else if (states[1] === LATE) late.released.add(released, count);
    else if (states[0] === LATE) late.collected.add(collected, count);
    else if (states[1] === EARLY) early.released.add(released, count);
    else if (states[0] === EARLY) early.collected.add(collected, count);
    else if (states.includes(UNREADABLE)) unreadable.add(states[0] === UNREADABLE ? collected : released, count);
    else if (states.includes(COARSE)) left.coarse += count;
    else if (Number(days) < 0) left.backwards += count;
    else lags.push({ days: Number(days), count });
  }
  const [collected, released] = roles.map((role) => run.name(role));
  const notes = [
    late.released.note(`a date after ${range.lastWords} in ${released}`),
    late.collected.note(`a date after ${range.lastWords} in ${collected}`),
    early.released.note(`a date before ${firstDay(range)} in ${released}`),
    early.collected.note(`a date before ${firstDay(range)} in ${collected}`),
    unreadable.note(`no readable date in ${collected} or ${released}`),
  ];
  for (const note of notes) if (note !== undefined) run.note(note);
  const impossible = [late, early].flatMap(({ collected, released }) => [collected.records, released.records])
    .reduce((sum, records) => sum + records, unreadable.records);
  if (left.coarse > 0) {
    run.note(
      `${counted(left.coarse, "records")} ${
        does(left.coarse, "have")
      } a date that is not known to the day: not shown. An assumed day ` +
        "would give a lag that was not observed",
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
    counts: { n, excluded: impossible + left.coarse + left.backwards, missing: left.missing },
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
          title: ({ from_days, to_days, records }: (typeof bins)[number]) =>
            `${count(from_days)} to ${counted(to_days, "days")}\n${counted(records, "records")}`,
        }),
        plot.ruleX([median], { stroke: "currentColor", strokeDasharray: "4,3" }),
        plot.ruleY([0]),
      ],
    }),
  });
}

/** Reads a date: its day, in days since 1970-01-01, or the reason why it has none. */
function readDay(text: string, { first, last }: DayRange): { readonly state: number; readonly day: number | null } {
  if (isMissing(text)) return { state: MISSING, day: null };
  const date = readPartialDate(text);
  if (date === undefined) return { state: UNREADABLE, day: null };
  if (date.latest < first) return { state: EARLY, day: null };
  if (date.earliest > last) return { state: LATE, day: null };
  return date.precision === "day" ? { state: KNOWN, day: date.earliest } : { state: COARSE, day: null };
}
