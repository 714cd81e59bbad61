/** Dates of day, month and year whose order only their author knows: `08/04/2016`. */
import { readPartialDate } from "./dates.ts";
import { trimWhiteSpace } from "./text.ts";

/** Which of the two numbers before the year is the day. */
export type DateOrder = "day-first" | "month-first";

export const DATE_ORDERS: readonly DateOrder[] = ["day-first", "month-first"];

/** Two numbers and a year of four digits with one separator, and a time of day. */
const NUMBERS = /^([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})([T ].*)?$/;

/**
 * Rewrites a date of day, month and year as `YYYY-MM-DD`, in the order that is given; a time of day is kept.
 *
 * @param text The value as received, such as `08/04/2016`, `8.4.2016` or `08-04-2016 10:30`.
 * @returns The date as `readPartialDate` reads it; `undefined` if it is not of this form, or the day does not exist.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { orderDate } from "./day_order.ts";
 *
 * assertEquals(orderDate("08/04/2016", "day-first"), "2016-04-08");
 * assertEquals(orderDate("08/04/2016", "month-first"), "2016-08-04");
 * assertEquals(orderDate("25/04/2016", "month-first"), undefined);
 * ```
 */
export function orderDate(text: string, order: DateOrder): string | undefined {
  const found = NUMBERS.exec(trimWhiteSpace(text));
  if (found === null) return undefined;
  const [, first, , second, year, time = ""] = found;
  const [day, month] = order === "day-first" ? [first, second] : [second, first];
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${time}`;
  return readPartialDate(date)?.precision === "day" ? date : undefined;
}
