/**
 * Dates that keep their precision: `2013`, `2013-12` and `2013-12-XX` are not the first of anything.
 *
 * @module
 */

/** How much of a date is known. */
export type DatePrecision = "year" | "month" | "day";

/** The days that a date of limited precision may mean. */
export interface PartialDate {
  /** First day, as days since 1970-01-01. */
  readonly earliest: number;
  /** Last day, as days since 1970-01-01. */
  readonly latest: number;
  /** How much of the date is known. */
  readonly precision: DatePrecision;
}

const UNKNOWN = "XX|xx|00";
/** Year, then month and day where they are given; a time of day after a whole date is passed over. */
export const PARTIAL_DATE: RegExp = new RegExp(
  `^([0-9]{4})(?:-(?:(?:${UNKNOWN})(?:-(?:${UNKNOWN}))?|(0[1-9]|1[0-2])(?:-(?:(?:${UNKNOWN})|` +
    `(0[1-9]|[12][0-9]|3[01])(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?))?))?$`,
);

/**
 * Reads a date whose month or day may be missing, or written `XX`, `xx` or `00`.
 *
 * @param text The value as it came, such as `2013-12-XX`.
 * @returns Its first and last possible day; `undefined` when it is no such date, or a day that no calendar has.
 * @see Not shown in the specification: the forms are those of real collection dates.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatDay, readPartialDate } from "./partial_date.ts";
 *
 * const date = readPartialDate("2012-02-XX")!;
 *
 * assertEquals(date.precision, "month");
 * assertEquals([formatDay(date.earliest), formatDay(date.latest)], ["2012-02-01", "2012-02-29"]);
 * ```
 */
export function readPartialDate(text: string): PartialDate | undefined {
  const match = PARTIAL_DATE.exec(text);
  if (match === null || match[1] === "0000") return undefined;
  const year = Number(match[1]);
  if (match[2] === undefined) {
    return { earliest: dayNumber(year, 1, 1), latest: dayNumber(year, 12, 31), precision: "year" };
  }
  const month = Number(match[2]);
  const last = daysOfMonth(year, month);
  if (match[3] === undefined) {
    return { earliest: dayNumber(year, month, 1), latest: dayNumber(year, month, last), precision: "month" };
  }
  const day = Number(match[3]);
  if (day > last) return undefined;
  const number = dayNumber(year, month, day);
  return { earliest: number, latest: number, precision: "day" };
}

/**
 * Writes days since 1970-01-01 as `YYYY-MM-DD`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatDay } from "./partial_date.ts";
 *
 * assertEquals(formatDay(0), "1970-01-01");
 * ```
 */
export function formatDay(day: number): string {
  return new Date(day * MS_OF_DAY).toISOString().slice(0, 10);
}

const MS_OF_DAY = 86_400_000;

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `Date.UTC` takes years below 100 for those of the last century. */
function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / MS_OF_DAY;
}
