/**
 * Dates that keep their precision: `2013`, `2013-12` and `2013-12-XX` are not the first of anything.
 *
 * | written | means |
 * |---|---|
 * | `2013` | any day of the year |
 * | `2013-12`, `2013/12`, `Dec-2013`, `December 2013` | any day of the month |
 * | `2013-12-05`, `2013-12-5`, `2013/12/05`, `20131205`, `05-Dec-2013`, `5 December 2013`, `Dec 5, 2013` | the day |
 * | `31.12.2013`, `12/31/2013`, `05/05/2013` | the day: one number cannot be a month, or both are the same |
 * | `2013-12-XX`, `2013-XX-XX`, `2013-00-00`, `2013-XX-05` | unknown parts are `XX`, `xx` or `00`; a day of an unknown
 * month is ignored |
 * | `2013-12-05T10:30:00Z`, `2013-12-05 10:30`, `2013-12-05 10:30:00 UTC` | the day: a time of day after a full date is
 * ignored |
 * | `2013-05/2013-06`, `21-Oct-1952/15-Feb-1953` | any day from the first day of the former to the last day of the
 * latter |
 *
 * Ambiguous dates are invalid: `03/04/2020`, `03.04.2020`, `03-04-2020`, `05-Dec-13`. So are days that do not exist,
 * and the year 0000. White space around a date is ignored. `XXXX-XX-XX` is a word for a missing value.
 *
 * @see INSDC feature table, qualifier /collection_date: `DD-Mmm-YYYY`, `Mmm-YYYY`, `YYYY`, ISO 8601, and two of these
 * joined by a slash.
 */
import { trimWhiteSpace } from "./text.ts";

/** How much of a date is known: the `day`, the `month`, the `year`; or a `range` that crosses the end of a year. */
export type DatePrecision = "year" | "month" | "day" | "range";

/** The days that a date of limited precision may mean. */
export interface PartialDate {
  /** First day, as days since 1970-01-01. */
  readonly earliest: number;
  /** Last day, as days since 1970-01-01. */
  readonly latest: number;
  /** The smallest of day, month and year that includes all these days. */
  readonly precision: DatePrecision;
}

const TIME = "(?:[T ][0-9][0-9:.,]*(?: ?(?:[Zz]|UTC|GMT|[AaPp][Mm]|[+-][0-9]{2}(?::?[0-9]{2})?))?)?";
/** Year, then month and day if given; a time only after a day. */
const YEAR_FIRST = new RegExp(
  `^([0-9]{4})(?:([-/])([0-9]{1,2}|[Xx]{2})(?:\\2(?:(0?[1-9]|[1-9][0-9])${TIME}|00|[Xx]{2}))?)?$`,
);
/** Year, month and day without separators. */
const COMPACT = /^([0-9]{4})([0-9]{2})([0-9]{2})$/;
/** Day if given, an English name of a month, year. */
const YEAR_LAST = new RegExp(`^(?:([0-9]{1,2}|[Xx]{2})(?:\\.? |-))?([A-Za-z]{3,9})\\.?[- ]([0-9]{4})${TIME}$`);
/** Name of a month, day, year. */
const MONTH_FIRST = new RegExp(`^([A-Za-z]{3,9})\\.? ([0-9]{1,2}),? ([0-9]{4})${TIME}$`);
/** Two numbers of which either may be the day, and a year. */
const TWO_NUMBERS = new RegExp(`^([0-9]{1,2})([/.-])([0-9]{1,2})\\2([0-9]{4})${TIME}$`);
/** Months by their names and the first three characters of these, in lower case. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
  ].flatMap((name, index) => [[name, index + 1], [name.slice(0, 3), index + 1]] as const),
);
/** A year of two digits. */
const SHORT_YEAR = /^(?:[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2}|(?:[0-9]{1,2}-)?[A-Za-z]{3}-[0-9]{2})$/;

/**
 * Reads a date whose month or day may be missing, or written `XX`, `xx` or `00`; the table of this module has the
 * forms.
 *
 * @param text The value as received, such as `2013-12-XX`.
 * @returns Its first and last possible day; `undefined` if it is not such a date, or the day does not exist.
 * @see Not shown in the specification: the forms are those of real collection dates.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatDay, readPartialDate } from "./dates.ts";
 *
 * const date = readPartialDate("2012-02-XX")!;
 *
 * assertEquals(date.precision, "month");
 * assertEquals([formatDay(date.earliest), formatDay(date.latest)], ["2012-02-01", "2012-02-29"]);
 * assertEquals(readPartialDate("05-May-2013")?.earliest, readPartialDate("2013-05-05")?.earliest);
 * assertEquals(readPartialDate("03/04/2020"), undefined);
 * ```
 */
export function readPartialDate(text: string): PartialDate | undefined {
  const trimmed = trimWhiteSpace(text);
  const one = readOne(trimmed);
  if (one !== undefined) return one;
  const slash = middleSlash(trimmed);
  if (slash === -1) return undefined;
  const first = readOne(trimmed.slice(0, slash));
  const last = first && readOne(trimmed.slice(slash + 1));
  if (first === undefined || last === undefined) return undefined;
  if (first.earliest > last.earliest || first.latest > last.latest) return undefined;
  const [earliest, latest] = [first.earliest, last.latest];
  return { earliest, latest, precision: precisionOf(formatDay(earliest), formatDay(latest)) };
}

/** The slash between two dates, which may have slashes of their own; -1 without one. */
function middleSlash(text: string): number {
  const slashes = [...text.matchAll(/\//g)];
  return slashes.length % 2 === 0 ? -1 : slashes[(slashes.length - 1) / 2].index;
}

export function whyNotDate(text: string): string {
  const trimmed = trimWhiteSpace(text);
  const numbers = TWO_NUMBERS.exec(trimmed);
  return SHORT_YEAR.test(trimmed) || numbers !== null && isTwoDays(Number(numbers[1]), Number(numbers[3]))
    ? "is an ambiguous date: expected a year of four digits and a month that cannot be taken for a day, as in YYYY-MM-DD"
    : "is not a date: expected YYYY, YYYY-MM or YYYY-MM-DD, unknown parts as XX or 00, DD-Mon-YYYY, Mon-YYYY, " +
      'or two of these joined by "/"';
}

/**
 * Writes days since 1970-01-01 as `YYYY-MM-DD`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatDay } from "./dates.ts";
 *
 * assertEquals(formatDay(0), "1970-01-01");
 * ```
 */
export function formatDay(day: number): string {
  return new Date(day * MS_OF_DAY).toISOString().slice(0, 10);
}

const MS_OF_DAY = 86_400_000;

function readOne(text: string): PartialDate | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return dateOf(Number(yearFirst[1]), partOf(yearFirst[3]), partOf(yearFirst[4]));
  const compact = COMPACT.exec(text);
  if (compact !== null) return dayOf(Number(compact[1]), Number(compact[2]), Number(compact[3]));
  const numbers = TWO_NUMBERS.exec(text);
  if (numbers !== null) return dayOfNumbers(Number(numbers[1]), Number(numbers[3]), Number(numbers[4]));
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast !== null) return ofMonth(yearLast[2], Number(yearLast[3]), partOf(yearLast[1]));
  const monthFirst = MONTH_FIRST.exec(text);
  return monthFirst === null ? undefined : ofMonth(monthFirst[1], Number(monthFirst[3]), Number(monthFirst[2]));
}

function dayOf(year: number, month: number, day: number): PartialDate | undefined {
  return month === 0 || day === 0 ? undefined : dateOf(year, month, day);
}

/** Whether two numbers of a date are a day and a month in both orders. */
function isTwoDays(one: number, other: number): boolean {
  return one !== other && [one, other].every((number) => number >= 1 && number <= 12);
}

/** The day that two numbers mean if only one order is a day, or both are the same. */
function dayOfNumbers(one: number, other: number, year: number): PartialDate | undefined {
  return isTwoDays(one, other) ? undefined : dayOf(year, other, one) ?? dayOf(year, one, other);
}

function ofMonth(name: string, year: number, day: number): PartialDate | undefined {
  const lower = name.toLowerCase();
  const month = MONTHS.get(lower === "sept" ? "sep" : lower);
  return month === undefined ? undefined : dateOf(year, month, day);
}

/** A month or day; 0 if unknown. */
function partOf(digits: string | undefined): number {
  return digits === undefined || /[Xx]/.test(digits) ? 0 : Number(digits);
}

/** The days that a year, month and day mean; 0 means unknown. */
function dateOf(year: number, month: number, day: number): PartialDate | undefined {
  if (year === 0 || month > 12) return undefined;
  if (month === 0) {
    return day > 31
      ? undefined
      : { earliest: dayNumber(year, 1, 1), latest: dayNumber(year, 12, 31), precision: "year" };
  }
  const last = daysOfMonth(year, month);
  if (day > last) return undefined;
  const earliest = dayNumber(year, month, day || 1);
  if (day > 0) return { earliest, latest: earliest, precision: "day" };
  return { earliest, latest: earliest + last - 1, precision: "month" };
}

/** The smallest unit that includes both days, written `YYYY-MM-DD`. */
function precisionOf(first: string, last: string): DatePrecision {
  if (first === last) return "day";
  if (first.slice(0, -3) === last.slice(0, -3)) return "month";
  return first.slice(0, -6) === last.slice(0, -6) ? "year" : "range";
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `Date.UTC` maps years below 100 to 1900 to 1999. */
function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / MS_OF_DAY;
}
