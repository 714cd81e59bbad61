/** The order of a field's values: by what the field sorts by, values without it last. */
import { readDateInterval } from "../../store/date_interval.ts";
import { type Field, isNumeric } from "../../store/fields.ts";
import { compareCodePoints, readNumber } from "../../store/fold.ts";

/** Values in order. */
export interface DictionaryOrder {
  /** For each place in the order, the value's place before. */
  readonly order: Uint32Array;
  /** For each place in the order, the number of its group: values of one group count as equal. */
  readonly groups: Uint32Array;
  /** Number of groups. */
  readonly groupCount: number;
  /** Whether the last group is of values that the field does not sort by. */
  readonly hasNone: boolean;
  /** For numbers one, for dates two numbers a value in order, NaN for none; `undefined` for texts. */
  readonly keys: Float64Array | undefined;
}

const SURROGATE = /[\ud800-\udfff]/;

/** Orders the values of a field. */
export function orderValues({ type }: Field, values: readonly string[]): DictionaryOrder {
  const count = values.length;
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  if (!isNumeric(type) && type !== "date") {
    const compare = values.some((value) => SURROGATE.test(value))
      ? compareCodePoints
      : (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;
    order.sort((a, b) => isNone(values[a], values[b]) || compare(values[a], values[b]));
    return {
      order,
      groups: order.map((_, at) => at),
      groupCount: count,
      hasNone: values.includes(""),
      keys: undefined,
    };
  }
  const firsts = new Float64Array(count).fill(NaN);
  const lasts = new Float64Array(count).fill(NaN);
  for (const [at, value] of values.entries()) {
    if (type === "date") {
      const date = readDateInterval(value);
      if (date !== undefined) [firsts[at], lasts[at]] = [date.start, date.end];
    } else firsts[at] = readNumber(value) ?? NaN;
  }
  const keyOf = (at: number) => Number.isNaN(firsts[at]) ? Infinity : firsts[at];
  order.sort((a, b) => keyOf(a) === keyOf(b) ? a - b : keyOf(a) - keyOf(b));
  const groups = new Uint32Array(count);
  let groupCount = 0;
  for (let at = 0; at < count; at++) {
    if (at > 0 && keyOf(order[at]) !== keyOf(order[at - 1])) groupCount++;
    groups[at] = groupCount;
  }
  if (count > 0) groupCount++;
  const width = type === "date" ? 2 : 1;
  const keys = new Float64Array(count * width);
  for (const [at, value] of order.entries()) {
    keys[at * width] = firsts[value];
    if (width === 2) keys[at * width + 1] = lasts[value];
  }
  return { order, groups, groupCount, hasNone: count > 0 && Number.isNaN(firsts[order[count - 1]]), keys };
}

function isNone(a: string, b: string): number {
  return (a === "" ? 1 : 0) - (b === "" ? 1 : 0);
}
