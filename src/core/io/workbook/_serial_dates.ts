/**
 * Texts of serial numbers: days since the end of 1899, or since 1904, as ISO 8601 writes them.
 *
 * Source: ECMA-376, part 1, 18.17.4. In the system of 1900 the day 60 is 29 February 1900, which never was.
 */
import type { DateFormat } from "./_date_formats.ts";

const SECONDS_OF_DAY = 86_400;
const MS_OF_DAY = SECONDS_OF_DAY * 1000;
/** Day 0 of serial numbers above 60, and of those below, in milliseconds since 1970. */
const EPOCH = Date.UTC(1899, 11, 30);
const EARLY_EPOCH = Date.UTC(1899, 11, 31);
/** The day that never was. */
const FALSE_LEAP_DAY = 60;
/** Serial number of 9999-12-31. */
const LAST_DAY = 2_958_465;
/** Days from one system to the other. */
const DAYS_TO_1904 = 1462;

/** End of the text of a date-time at midnight. */
export const MIDNIGHT = "T00:00:00";

/**
 * Writes a serial number as ISO day, month or year, as date-time, or as time of day alone, rounded to the second or, if
 * the format shows fractions, to the millisecond. A day's time is written if it has one, or if the format shows it.
 *
 * @returns The text; `undefined` if the number is outside the calendar: before the first day, after 9999-12-31, or 29
 * February 1900.
 */
export function serialText(serial: number, format: DateFormat, is1904: boolean): string | undefined {
  const unitsOfDay = format.fractions ? MS_OF_DAY : SECONDS_OF_DAY;
  if (!(Math.abs(serial) <= LAST_DAY + 1)) return undefined;
  if (format.kind === "duration") {
    const units = Math.round(Math.abs(serial) * unitsOfDay);
    return (serial < 0 && units > 0 ? "-" : "") + clockText(units, format.fractions);
  }
  const isPartial = format.kind === "month" || format.kind === "year";
  if (serial < (isPartial && !is1904 ? 1 : 0)) return undefined;
  if (serial < 1 && (format.kind === "time" || !is1904)) {
    return clockText(Math.round(serial * unitsOfDay) % unitsOfDay, format.fractions);
  }
  const days = Math.floor(serial);
  const units = Math.round((serial - days) * unitsOfDay);
  const isNextDay = units === unitsOfDay;
  const text = dayText(days + (isNextDay ? 1 : 0) + (is1904 ? DAYS_TO_1904 : 0));
  if (isPartial) return text?.slice(0, format.kind === "year" ? 4 : 7);
  if (text === undefined || format.kind === "day" && (units === 0 || isNextDay)) return text;
  return `${text}T${clockText(isNextDay ? 0 : units, format.fractions)}`;
}

let lastDays = -1;
let lastText = "";

/** A day of the system of 1900 as ISO 8601 writes it. Rows often repeat the day before them. */
function dayText(days: number): string | undefined {
  if (days === lastDays) return lastText;
  if (days > LAST_DAY || days === FALSE_LEAP_DAY) return undefined;
  const epoch = days < FALSE_LEAP_DAY ? EARLY_EPOCH : EPOCH;
  lastText = new Date(epoch + days * MS_OF_DAY).toISOString().slice(0, 10);
  lastDays = days;
  return lastText;
}

/** Hours, minutes and seconds; milliseconds if there are any. */
function clockText(units: number, inMs: boolean): string {
  const ms = inMs ? units % 1000 : 0;
  const seconds = inMs ? (units - ms) / 1000 : units;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return ms === 0 ? text : `${text}.${String(ms).padStart(3, "0")}`;
}
