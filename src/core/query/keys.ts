/**
 * What values of a typed field compare as: keys, which the import, the query and the evaluator take from the one
 * reading of `contract/values`, so that searching a field finds the records that a filter of its typed frame selects.
 */
import type { FieldType } from "../contract/metadata.ts";
import { type CastDefinition, readBoolean, readDecimal, readInteger, readPartialDate } from "../contract/values/mod.ts";

/** A number; an integer beyond 2^53 as a `bigint`, so that each is one key and compares exactly. */
export type Key = number | bigint;

/** First and last key that a value may mean: for all but dates the same. */
export interface KeyInterval {
  readonly start: Key;
  readonly end: Key;
}

/**
 * How keys are kept: integers of 64 bits, floats of 64 bits (a boolean is 0 or 1), or days since 0001-01-01.
 * Values of other types have none: they compare as texts.
 */
export type KeyKind = "integer" | "float" | "day";

const KINDS: Readonly<Record<FieldType, KeyKind | undefined>> = {
  integer: "integer",
  float: "float",
  boolean: "float",
  date: "day",
  string: undefined,
  list: undefined,
};

/** Days from 0001-01-01, the first that a date may mean, to 1970-01-01: keys of days are not negative. */
export const DAYS_BEFORE_EPOCH = 719_162;

/** Returns how keys of a type are kept. */
export function keyKind(type: FieldType): KeyKind | undefined {
  return KINDS[type];
}

/** Reads a value as keys; `undefined` for a missing or invalid one, and for types that compare as texts. */
export function readKeys(text: string, { type, unit }: CastDefinition): KeyInterval | undefined {
  switch (type) {
    case "integer":
      return single(readInteger(text, unit));
    case "float":
      return single(readDecimal(text, unit));
    case "boolean": {
      const value = readBoolean(text);
      return value === undefined ? undefined : single(Number(value));
    }
    case "date": {
      const date = readPartialDate(text);
      return date && { start: date.earliest + DAYS_BEFORE_EPOCH, end: date.latest + DAYS_BEFORE_EPOCH };
    }
    case "string":
    case "list":
      return undefined;
  }
}

/** Compares keys, a number and a `bigint` by their values. */
export function compareKeys(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function single(key: Key | undefined): KeyInterval | undefined {
  return key === undefined ? undefined : { start: key, end: key };
}
