/** Dates that the data cannot hold: a record of tomorrow is a slip. */
import { readPartialDate } from "../../contract/values/mod.ts";
import { counted, does } from "../chart/words.ts";

/** Without a day of the data, years after it are taken for slips. */
const LAST_YEAR = 2100;

/**
 * The last day that a date of the data can have, in days since 1970-01-01.
 *
 * @throws {TypeError} If the day of the data is none.
 */
export function lastDay(snapshot: string | undefined): number {
  const last = readPartialDate(snapshot ?? String(LAST_YEAR))?.latest;
  if (last !== undefined) return last;
  throw new TypeError(`Cannot use ${JSON.stringify(snapshot)} as the day of the data: expected YYYY-MM-DD`);
}

/** Says how many records are later than the data, if any. */
export function lateNote(late: number, field: string, snapshot: string | undefined): string | undefined {
  if (late === 0) return undefined;
  const when = snapshot === undefined ? `after ${LAST_YEAR}` : `after the day of the data, ${snapshot}`;
  return `${counted(late, "records")} ${does(late, "have")} a date ${when} in ${field}: not shown, look at ${
    late === 1 ? "it" : "them"
  }`;
}
