/** What differs between engines in the words of SQL; the meaning of each is that of polars. */
import type { ValueType } from "@seqreg/core/engine/plan/plan";

/** Values in rising order. */
export interface SortedValues {
  /** Their number as a float. */
  readonly count: string;
  /** The one at an index from 0, a float without a fraction; null beyond them. */
  nth(index: string): string;
}

/** Words of one engine. Every operand is SQL of a value. */
export interface SqlDialect {
  /** Name, for messages. */
  readonly name: string;
  text(value: string): string;
  /** A constant float; not a number and infinities too. */
  float(value: number): string;
  /** A constant whole number of 64 bits. */
  whole(value: bigint | number): string;
  type(type: ValueType): string;
  /** A float to the whole number before its point; null for what has none. */
  truncated(value: string): string;
  /** A text of digits to a whole number; null for one beyond 64 bits. */
  parsed(value: string): string;
  /** Whether a float is not a number; not asked of null. */
  isNan(value: string): string;
  /** Whether a text has a match of a pattern in the grammar of Rust's `regex`. */
  matches(value: string, pattern: string): string;
  /** Whether a text begins with, ends with or has within it another one. */
  holds(value: string, text: string, where: "first" | "last" | "anywhere"): string;
  /** Every match of such a pattern by a text without references. */
  replaced(value: string, pattern: string, by: string): string;
  /** The last characters of a text. */
  last(value: string, count: number): string;
  /** A text without those of some characters that it begins with. */
  withoutPrefix(value: string, characters: string): string;
  /** The remainder that is not negative, by a divisor above 0. */
  modulo(value: string, divisor: string): string;
  /** Days since 1970-01-01 of a day. */
  dayNumber(value: string): string;
  /** A value made of the values of a group in rising order, nulls left out; they are put in order once. */
  ofSorted(value: string, make: (sorted: SortedValues) => string): string;
  /** Of the rows of a group, the value of the one with the least or the greatest position that is not null. */
  end(value: string, position: string, end: "first" | "last"): string;
  /** Variance or standard deviation of the values of a group. */
  spread(value: string, kind: { readonly isRoot: boolean; readonly isSample: boolean }): string;
  /** A condition that is never true or false: it ends the statement with a message. */
  fail(message: string): string;
}

export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
