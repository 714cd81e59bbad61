/** Weeks of the year as public health counts them. */
import { formatDay } from "./dates.ts";

const [DAYS_OF_WEEK, MS_OF_DAY] = [7, 86_400_000];

/**
 * The week of ISO 8601 in which a day is: Monday to Sunday, in the year of its Thursday.
 *
 * @param day Days since 1970-01-01.
 */
export function isoWeek(day: number): string {
  // 1970-01-01 was a Thursday, the fourth day of its week.
  return weekOf(Math.floor((day + 3) / DAYS_OF_WEEK) * DAYS_OF_WEEK);
}

/**
 * The epidemiological week (MMWR week of the CDC) in which a day is: Sunday to Saturday, in the year of its Wednesday.
 *
 * @param day Days since 1970-01-01.
 */
export function epiWeek(day: number): string {
  return weekOf(Math.floor((day + 4) / DAYS_OF_WEEK) * DAYS_OF_WEEK - 1);
}

/** The week whose middle day this is, by the year of that day. */
function weekOf(middle: number): string {
  const year = formatDay(middle).slice(0, 4);
  const first = Date.parse(`${year}-01-01T00:00:00Z`) / MS_OF_DAY;
  return `${year}-W${String(Math.floor((middle - first) / DAYS_OF_WEEK) + 1).padStart(2, "0")}`;
}
