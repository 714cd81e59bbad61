/** Delays from collection to release, with the time in which each could have been seen. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { formatDay, isMissing, readPartialDate } from "@seqreg/core/contract/values";
import { count, counted, does } from "../chart/words.ts";
import type { DayCount } from "../statistics/product_limit.ts";
import { type DayRange, daysOf, firstDay, Outliers } from "./plausible.ts";
import type { Role } from "../source/roles.ts";
import { type Run, type TallyRow, total } from "./run.ts";
import { missingKind, PLACEHOLDER } from "../source/texts.ts";

/** Records of one cohort, by their delay and by the longest delay that would have been seen. */
export interface Delays {
  readonly delays: DayCount[];
  readonly windows: DayCount[];
}

export interface DelayCounts {
  /** The last day on which a release is in the data, as days since 1970-01-01. */
  readonly last: number;
  /** What that day is. */
  readonly lastWords: string;
  /** Records whose dates are known to the day, by cohort. */
  readonly known: ReadonlyMap<string, Delays>;
  /** These and those known to the month, each as short and as long as it may be; absent without such dates. */
  readonly bounds?: { readonly short: ReadonlyMap<string, Delays>; readonly long: ReadonlyMap<string, Delays> };
  /** Records with a delay known to the day. */
  readonly n: number;
  /** Records that have only a month for a date, and are in the bounds. */
  readonly months: number;
  readonly missing: number;
  /** Records that are left out: dates that cannot be, or are too coarse. */
  readonly excluded: number;
}

type DateRole = "collectionDate" | "releaseDate";

const ROLES = ["collectionDate", "releaseDate"] as const;
const [COLLECTED, RELEASED, RECORDS] = ["seqreg_collected", "seqreg_released", "seqreg_records"];
/** What a date is: known to the day or the month, or why not. */
const [MISSING, KNOWN, MONTH, COARSE, UNREADABLE, EARLY, LATE] = [0, 1, 2, 3, 4, 5, 6];
const ODD_STATES = [UNREADABLE, EARLY, LATE];
export const EVERYONE = "all";

/** Counts delays; what is left out becomes notes. */
export async function countDelays(
  run: Run<DateRole, Role>,
  { byYear, quiet = false }: { readonly byYear: boolean; readonly quiet?: boolean },
): Promise<DelayCounts> {
  const { pl } = run;
  const { snapshot } = run.options;
  const stated = snapshot === undefined ? undefined : readPartialDate(snapshot)?.latest;
  const plausible = daysOf(run);
  const range = { ...plausible, last: Math.min(plausible.last, stated ?? Infinity) };
  // Far fewer pairs of dates than records: what follows is of pairs, which are collected where that is quick.
  const scanned = run.source.scan().select(run.text(ROLES[0]).alias(COLLECTED), run.text(ROLES[1]).alias(RELEASED))
    .groupBy([COLLECTED, RELEASED]).agg(pl.len().alias(RECORDS));
  const { collectsColumns } = run.abilities;
  const dates = collectsColumns ? (await run.collect(scanned)).lazy() : scanned;
  const tally = async (keys: Readonly<Record<string, Expr>>, rows: LazyDataFrame): Promise<TallyRow[]> => {
    const names = Object.keys(keys);
    const query = rows.select(...names.map((name) => keys[name].alias(name)), pl.col(RECORDS))
      .groupBy(names).agg(pl.col(RECORDS).sum().alias(RECORDS));
    const counted = collectsColumns ? run.here(query) : await run.collect(query);
    const columns = names.map((name) => counted.getColumn(name).toArray());
    return counted.getColumn(RECORDS).toArray()
      .map((count, row) => ({ keys: columns.map((values) => values[row] ?? null), count: Number(count) }));
  };
  let [hasOdd, hasMonths, latest] = [false, false, -Infinity];
  // There are far fewer dates than records: each is read once.
  const read = async (role: DateRole, column: string): Promise<DataFrame> => {
    const found = await tally({ text: pl.col(column) }, dates);
    if (!quiet) {
      run.notePlaceholders(
        role,
        total(found.filter(({ keys: [text] }) => text !== null && missingKind(String(text)) === PLACEHOLDER)),
      );
    }
    const texts = found.flatMap(({ keys: [text] }) => text === null ? [] : [String(text)]);
    const known = texts.map((text) => readDay(text, range));
    hasOdd ||= known.some(({ state }) => ODD_STATES.includes(state));
    hasMonths ||= known.some(({ state }) => state === MONTH);
    if (column === RELEASED) {
      for (const { state, first } of known) if (state !== LATE) latest = Math.max(latest, first ?? latest);
    }
    const column64 = (name: string, values: readonly (number | null)[]) =>
      pl.Series(`${column} ${name}`, [...values], pl.Float64);
    return pl.DataFrame([
      pl.Series(`${column} text`, texts, pl.String),
      column64("state", known.map(({ state }) => state)),
      column64("first", known.map(({ first }) => first)),
      column64("last", known.map(({ last }) => last)),
      ...byYear && column === COLLECTED
        ? [column64("year", known.map(({ first }) => first === null ? null : Number(formatDay(first).slice(0, 4))))]
        : [],
    ]);
  };
  let dated = dates;
  for (const [at, role] of ROLES.entries()) {
    const column = [COLLECTED, RELEASED][at];
    const known = await read(role, column);
    dated = dated.join(known.lazy(), { leftOn: column, rightOn: `${column} text`, how: "left" });
  }
  const last = stated ?? latest;
  const lastWords = stated === undefined ? "the latest release in the data" : "the day of the data";

  const col = (column: string, name: string) => pl.col(`${column} ${name}`);
  const number = (value: number) => pl.lit(value).cast(pl.Float64);
  const [from, fromEnd, to, toEnd] = [COLLECTED, RELEASED].flatMap((
    column,
  ) => [col(column, "first"), col(column, "last")]);
  const isState = (column: string, state: number) => col(column, "state").eq(pl.lit(state)).fillNull(pl.lit(false));
  const isOdd = ODD_STATES.flatMap((state) => [COLLECTED, RELEASED].map((column) => isState(column, state)))
    .reduce((a, b) => a.or(b));
  const oddText = (column: string) => pl.when(isOdd).then(pl.col(column)).otherwise(pl.lit(null));
  const cohort = byYear ? col(COLLECTED, "year") : pl.lit(null).cast(pl.Float64);
  const capped = pl.when(toEnd.gt(number(last))).then(number(last)).otherwise(toEnd);
  const short = pl.when(fromEnd.ltEq(to)).then(to.sub(fromEnd)).otherwise(number(0));
  const shortFrom = pl.when(fromEnd.ltEq(to)).then(fromEnd).when(to.gtEq(from)).then(to).otherwise(from);

  const left = { missing: 0, coarse: 0, backwards: 0 };
  const [early, late] = ROLES.map(() => ({ collected: new Outliers(), released: new Outliers() }));
  const unreadable = new Outliers();
  const [known, shorts, longs] = [0, 1, 2].map(() => new Map<string, Delays>());
  let [n, months] = [0, 0];
  const nameOf = (year: unknown) => byYear ? String(year).padStart(4, "0") : EVERYONE;
  for (
    const { keys: [year, most, least, one, other, collected, released], count } of await tally({
      cohort,
      most: hasMonths ? capped.sub(from) : to.sub(from),
      least: hasMonths ? short : pl.lit(null).cast(pl.Float64),
      collected: col(COLLECTED, "state"),
      released: col(RELEASED, "state"),
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
    else if (Number(most) < 0) left.backwards += count;
    else {
      const name = nameOf(year);
      if (states.includes(MONTH)) months += count;
      else {
        n += count;
        of(known, name).delays.push({ days: Number(most), count });
      }
      if (!hasMonths) continue;
      of(shorts, name).delays.push({ days: Number(least), count });
      of(longs, name).delays.push({ days: Number(most), count });
    }
  }
  const isUsed = (column: string): Expr =>
    hasMonths ? isState(column, KNOWN).or(isState(column, MONTH)) : isState(column, KNOWN);
  const used = dated.filter(isUsed(COLLECTED).and(isUsed(RELEASED)).and(toEnd.gtEq(from)).and(number(last).gtEq(from)));
  for (
    const { keys: [year, begun, shortBegun, one, other], count } of await tally({
      cohort,
      from,
      shortFrom: hasMonths ? shortFrom : pl.lit(null).cast(pl.Float64),
      ...hasMonths ? { collected: col(COLLECTED, "state"), released: col(RELEASED, "state") } : {},
    }, used)
  ) {
    const name = nameOf(year);
    if (!hasMonths || one === KNOWN && other === KNOWN) {
      of(known, name).windows.push({ days: last - Number(begun), count });
    }
    if (!hasMonths) continue;
    of(shorts, name).windows.push({ days: last - Number(shortBegun), count });
    of(longs, name).windows.push({ days: last - Number(begun), count });
  }
  const impossible = [late, early].flatMap(({ collected, released }) => [collected.records, released.records])
    .reduce((sum, records) => sum + records, unreadable.records);
  if (!quiet) noteLeft(run, { early, late, unreadable, left, months, range });
  return {
    last,
    lastWords,
    known,
    ...months > 0 && { bounds: { short: shorts, long: longs } },
    n,
    months,
    missing: left.missing,
    excluded: impossible + left.coarse + left.backwards + months,
  };
}

function of(cohorts: Map<string, Delays>, name: string): Delays {
  const known = cohorts.get(name) ?? { delays: [], windows: [] };
  cohorts.set(name, known);
  return known;
}

interface EarlyOrLate {
  readonly collected: Outliers;
  readonly released: Outliers;
}

function noteLeft(
  run: Run<DateRole, Role>,
  { early, late, unreadable, left, months, range }: {
    readonly early: EarlyOrLate;
    readonly late: EarlyOrLate;
    readonly unreadable: Outliers;
    readonly left: { readonly coarse: number; readonly backwards: number };
    readonly months: number;
    readonly range: DayRange;
  },
): void {
  const [collected, released] = ROLES.map((role) => run.name(role));
  const notes = [
    late.released.note(`a date after ${range.lastWords} in ${released}`),
    late.collected.note(`a date after ${range.lastWords} in ${collected}`),
    early.released.note(`a date before ${firstDay(range)} in ${released}`),
    early.collected.note(`a date before ${firstDay(range)} in ${collected}`),
    unreadable.note(`no readable date in ${collected} or ${released}`),
  ];
  for (const note of notes) if (note !== undefined) run.note(note);
  const coarse = left.coarse + months;
  if (coarse > 0) {
    run.note(
      `${counted(coarse, "records")} ${
        does(coarse, "have")
      } a date that is not known to the day: not shown. An assumed day would give a lag that was not observed` +
        (months === 0
          ? ""
          : `. ${count(months)} of them ${does(months, "have")} a month, and ${
            does(months, "are")
          } in the columns least and most as late or as early in it as can be`),
    );
  }
  if (left.backwards > 0) {
    run.note(
      `${counted(left.backwards, "records")} ${
        does(left.backwards, "have")
      } a release before the collection: not shown, look at the dates`,
    );
  }
}

/** Reads a date: its days, in days since 1970-01-01, or the reason why it has none. */
function readDay(
  text: string,
  { first, last }: DayRange,
): { readonly state: number; readonly first: number | null; readonly last: number | null } {
  const none = (state: number) => ({ state, first: null, last: null });
  if (isMissing(text)) return none(MISSING);
  const date = readPartialDate(text);
  if (date === undefined) return none(UNREADABLE);
  if (date.latest < first) return none(EARLY);
  if (date.earliest > last) return none(LATE);
  const state = { day: KNOWN, month: MONTH, year: COARSE, range: COARSE }[date.precision];
  return state === COARSE ? none(COARSE) : { state, first: date.earliest, last: date.latest };
}
