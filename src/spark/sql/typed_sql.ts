/** SQL of values with their types. */
import type { ValueType } from "@seqreg/core/engine/plan/plan";

export interface TypedSql {
  readonly sql: string;
  readonly type: ValueType;
  /** Whether it is made of the rows of a group, or is a constant: one value, however many rows there are. */
  readonly over: "row" | "group" | "constant";
}

/** Types of the columns of the rows that an expression is computed of, by name. */
export type Columns = ReadonlyMap<string, ValueType>;

/** Types in words. */
export const WORDS: Readonly<Record<ValueType, string>> = {
  text: "texts",
  whole: "whole numbers",
  count: "counts",
  float: "floats",
  boolean: "booleans",
  day: "days",
  list: "lists",
  null: "nulls",
};

export function isInteger(type: ValueType): boolean {
  return type === "whole" || type === "count";
}
