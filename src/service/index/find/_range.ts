/** Ranges of numbers, and of days, which are numbers too. */
import type { DateInterval, RangeEnd } from "../../query/query_ast.ts";

/** A range; open where an end is absent. */
export interface Range {
  readonly from?: RangeEnd<number>;
  readonly to?: RangeEnd<number>;
}

/** One number alone. */
export function exactly(number: number): Range {
  return within({ start: number, end: number });
}

/** All that lies from the first to the last, both included. */
export function within({ start, end }: DateInterval): Range {
  return { from: { value: start, inclusive: true }, to: { value: end, inclusive: true } };
}
