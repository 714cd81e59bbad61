/** Years, months and weeks of dates: their names, their days, and their position on an axis of years. */
import { epiWeek, formatDay, isoWeek, type PartialDate } from "@seqreg/core/contract/values";

/** Length of a period. */
export type PeriodUnit = "year" | "month" | "isoweek" | "epiweek";

/** The lengths, in the order in which they are offered. */
export const PERIOD_UNITS: readonly PeriodUnit[] = ["year", "month", "isoweek", "epiweek"];

/** What periods are called in titles. */
export const PERIOD_WORDS: Readonly<Record<PeriodUnit, string>> = {
  year: "year",
  month: "month",
  isoweek: "ISO week",
  epiweek: "epiweek",
};

/** The name of the period in which a day is: `2013`, `2013-12` or `2013-W49`. */
export function periodOf(day: number, by: PeriodUnit): string {
  if (by === "isoweek") return isoWeek(day);
  if (by === "epiweek") return epiWeek(day);
  return formatDay(day).slice(0, by === "year" ? 4 : 7);
}

/** The period in which a date surely is; `undefined` if it may be in several. */
export function surePeriod({ earliest, latest }: PartialDate, by: PeriodUnit): string | undefined {
  const period = periodOf(earliest, by);
  return period === periodOf(latest, by) ? period : undefined;
}

export function firstDayOf(day: number, by: PeriodUnit): number {
  if (by === "isoweek") return day - modulo(day + 3, 7);
  if (by === "epiweek") return day - modulo(day + 4, 7);
  return Date.parse(`${formatDay(day).slice(0, by === "year" ? 4 : 7)}${by === "year" ? "-01-01" : "-01"}T00:00:00Z`) /
    86_400_000;
}

/** First days of every period from one to another; each end is any day of its period. */
export function everyPeriod(from: number, to: number, by: PeriodUnit): number[] {
  const days: number[] = [];
  const longest = by === "year" ? 366 : by === "month" ? 31 : 7;
  for (let day = firstDayOf(from, by); day <= to; day = firstDayOf(day + longest, by)) days.push(day);
  return days;
}

/** Length of a period on an axis of years. */
export function periodWidth(by: PeriodUnit): number {
  return by === "year" ? 1 : by === "month" ? 1 / 12 : 7 / DAYS_OF_YEAR;
}

const DAYS_OF_YEAR = 365.2425;

/**
 * Where a period begins on an axis of years: a year's bar is centred on its tick, a month's and a week's between
 * those of its year.
 */
export function placeOf(firstDay: number, by: PeriodUnit): number {
  const [year, month] = formatDay(firstDay).split("-").map(Number);
  if (by === "year") return year - 0.5;
  return by === "month" ? year + (month - 1) / 12 : 1970 + firstDay / DAYS_OF_YEAR;
}

/** Ticks at whole years, as many as have room; at months or weeks where there are only a few years. */
export function timeAxis(
  { from, to, by }: { readonly from: number; readonly to: number; readonly by: PeriodUnit },
): { readonly ticks: number[]; readonly tickFormat: (at: number) => string } {
  const ticks: number[] = [];
  if (by === "month" && to - from <= 3) {
    const step = to - from <= 1 ? 1 : 3;
    for (let month = Math.ceil(from * 12); month <= to * 12; month++) {
      if (month % step === 0) ticks.push((month + 0.5) / 12);
    }
    return {
      ticks: ticks.filter((tick) => tick <= to),
      tickFormat: (at) => {
        const month = Math.round(at * 12 - 0.5);
        return `${Math.floor(month / 12)}-${String(month % 12 + 1).padStart(2, "0")}`;
      },
    };
  }
  if (by.endsWith("week") && to - from <= 2) {
    const width = periodWidth(by);
    const weeks = Math.round((to - from) / width);
    const step = [1, 2, 4, 8, 13].find((step) => weeks / step <= 8) ?? 26;
    for (let week = 0; week < weeks; week += step) ticks.push(from + (week + 0.5) * width);
    return { ticks, tickFormat: (at) => periodOf(Math.round((at - 1970) * DAYS_OF_YEAR), by) };
  }
  const step = [1, 2, 5, 10, 20, 50].find((step) => (to - from) / step <= 14) ?? 100;
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) ticks.push(year);
  return { ticks, tickFormat: String };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
