/** Dates as registries write them: whole, or known to the month or the year only. */

/** First and last day that a date may mean, each as the number `yyyymmdd`. */
export interface DateInterval {
  /** First day, such as 20131201. */
  readonly start: number;
  /** Last day, such as 20131231. */
  readonly end: number;
}

const DATE = /^([0-9]{4})(?:-([0-9]{2}|[Xx]{2})(?:-([0-9]{2}|[Xx]{2})(?:[T ][0-9:.,+Zz-]+)?)?)?$/;

/**
 * Reads `2013`, `2013-12`, `2013-12-05`, `2013-12-XX`, `2013-XX-XX`, or a date with a time behind it.
 *
 * @returns The days it may mean; `undefined` when it is no such date, or a day that no calendar has.
 */
export function readDateInterval(text: string): DateInterval | undefined {
  const parts = DATE.exec(text);
  if (parts === null) return undefined;
  const year = Number(parts[1]);
  const month = partOf(parts[2]);
  const day = partOf(parts[3]);
  // A day in an unknown month narrows nothing.
  if (month === undefined) return { start: year * 10_000 + 101, end: year * 10_000 + 1231 };
  if (month < 1 || month > 12) return undefined;
  const last = daysIn(year, month);
  const base = year * 10_000 + month * 100;
  if (day === undefined) return { start: base + 1, end: base + last };
  return day < 1 || day > last ? undefined : { start: base + day, end: base + day };
}

function partOf(digits: string | undefined): number | undefined {
  return digits === undefined || /[Xx]/.test(digits) ? undefined : Number(digits);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
