/** Ranges, as they are written, to conditions: by keys where the field has them, else by texts. */
import { type Field, isNumeric } from "./fields.ts";
import { fold } from "./fold.ts";
import { type Key, type KeyInterval, readKeys } from "./keys.ts";
import { definitionOf } from "./_query_terms.ts";
import type { QueryNode, RangeEnd } from "./query_ast.ts";

/** Ends of a range as they are written; `undefined` for an open one. */
export interface WrittenRange {
  readonly from?: RangeEnd<string>;
  readonly to?: RangeEnd<string>;
}

/** Refuses an end that the field's type cannot have. */
export type RefuseEnd = (text: string, expected: string) => never;

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

export function rangeNode(field: Field, { from, to }: WrittenRange, refuse: RefuseEnd): QueryNode {
  if (from === undefined && to === undefined) return { kind: "exists", field: field.index };
  const definition = definitionOf(field);
  if (isNumeric(field.type)) {
    // A bound may have a fraction, even if the values are integers.
    const read = (text: string): Key =>
      (readKeys(text, definition) ?? readKeys(text, { ...definition, type: "float" }))?.start ??
        refuse(text, "a number");
    const numberEnd = (end: RangeEnd<string> | undefined, side: "from" | "to"): RangeEnd<Key> | undefined => {
      const number = end && { ...end, value: read(end.value) };
      return number && field.type === "integer" ? integerEnd(number, side) : number;
    };
    return {
      kind: "key-range",
      field: field.index,
      definition,
      from: numberEnd(from, "from"),
      to: numberEnd(to, "to"),
    };
  }
  if (field.type === "date") {
    const read = (end: RangeEnd<string> | undefined): KeyInterval | undefined =>
      end && (readKeys(end.value, definition) ?? refuse(end.value, "a date such as 2013, 2013-12 or 2013-12-05"));
    const [start, stop] = [read(from), read(to)];
    return {
      kind: "key-range",
      field: field.index,
      definition,
      // What is after 2013 begins after its last day; what is from 2013 on begins with its first.
      from: start && { value: from!.inclusive ? start.start : start.end, inclusive: from!.inclusive },
      to: stop && { value: to!.inclusive ? stop.end : stop.start, inclusive: to!.inclusive },
    };
  }
  const folded = (end: RangeEnd<string> | undefined) => end && { ...end, value: fold(end.value) };
  return { kind: "text-range", field: field.index, from: folded(from), to: folded(to) };
}

/** Makes any number the end of a range of integers of 64 bits that has the same integers. */
function integerEnd({ value, inclusive }: RangeEnd<Key>, side: "from" | "to"): RangeEnd<Key> {
  // Beyond all integers: one side has them all, the other none.
  if (value < LEAST) return { value: LEAST, inclusive: side === "from" };
  if (value > MOST) return { value: MOST, inclusive: side === "to" };
  if (typeof value === "number" && !Number.isInteger(value)) {
    return { value: side === "from" ? Math.ceil(value) : Math.floor(value), inclusive: true };
  }
  return { value, inclusive };
}
