/** Observes the types of a table's columns, by the reading of values that everything else uses. */
import type { FieldType } from "@seqreg/core/contract";
import { DATE_ORDERS, orderDate } from "@seqreg/core/contract/values/day_order";
import { isMissing, readBoolean, readDecimal, readInteger, readPartialDate } from "@seqreg/core/contract/values";

/** Share of a column's values that must fit a type; missing values do not count. */
const LEAST_SHARE = 0.95;
/** The same for the type that the field of this name has. */
const LEAST_SHARE_OF_KNOWN = 0.5;

/** What is known of a column before its values are seen: type and unit of a public field. */
export interface KnownColumn {
  readonly type: FieldType;
  readonly unit: string;
}

/** A column's distinct values that are not missing, each with its number of rows. */
export type ValueCounts = ReadonlyMap<string, number>;

/** A zero before a digit makes an identifier, not a number. */
const LEADING_ZERO = /^\s*[+-]?0[0-9]/;
/** A fraction or an exponent: a number that is whole all the same may be a version. */
const PLAIN_INTEGER = /^\s*[+-]?[0-9]+(?![0-9.]|[eE][+-]?[0-9])/;

/** Other booleans are also words, letters and numbers: NO is a country. */
const TRUE_OR_FALSE = /^\s*(?:true|false)\s*$/i;

/** The types in the order in which they win where as many values fit. */
const TYPES: readonly FieldType[] = ["boolean", "integer", "float", "date", "list"];

/** Counts values, without those that are missing. */
export function countValues(values: Iterable<string>): ValueCounts {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of counts.keys()) if (isMissing(value)) counts.delete(value);
  return counts;
}

/**
 * Observes the type of a column: the one that most values fit, if 95 of 100 do, or half of them for the type of a known
 * field; `undefined` if every value is missing.
 */
export function observeType(counts: ValueCounts, known?: KnownColumn): FieldType | undefined {
  const total = sum(counts.values());
  if (total === 0) return undefined;
  const isIdentifier = counts.keys().some((value) => LEADING_ZERO.test(value));
  const types = known === undefined ? TYPES : [known.type, ...TYPES];
  let [best, most]: [FieldType, number] = ["string", 0];
  for (const type of types) {
    const isKnown = type === known?.type && known.type !== "list";
    if (type === "string" || isIdentifier && !isKnown && (type === "integer" || type === "float")) continue;
    const least = Math.max(total * (isKnown ? LEAST_SHARE_OF_KNOWN : LEAST_SHARE), most + 1);
    const fitting = countFitting(counts, type, { known: isKnown ? known : undefined, most: total - least });
    if (fitting >= least) [best, most] = [type, fitting];
  }
  return best;
}

/** Counts the values that fit a type; ends early once more than `most` do not. */
function countFitting(
  counts: ValueCounts,
  type: FieldType,
  { known, most }: { readonly known: KnownColumn | undefined; readonly most: number },
): number {
  let [fitting, others] = [0, 0];
  for (const [value, count] of counts) {
    if (fits(value, type, known)) fitting += count;
    else if ((others += count) > most) break;
  }
  return fitting;
}

/** Whether a value is of a type; of one that only the values suggest, in a form that is not also something else. */
function fits(value: string, type: FieldType, known: KnownColumn | undefined): boolean {
  switch (type) {
    case "boolean":
      return known === undefined ? TRUE_OR_FALSE.test(value) : readBoolean(value) !== undefined;
    case "integer":
      return readInteger(value, known?.unit) !== undefined && (known !== undefined || PLAIN_INTEGER.test(value));
    case "float":
      return readDecimal(value, known?.unit) !== undefined;
    case "date":
      return isDate(value);
    case "list":
      return value.includes(";");
    case "string":
      return true;
  }
}

/** Whether a value is a date in a documented form, or would be one if the order of day and month were known. */
function isDate(value: string): boolean {
  return readPartialDate(value) !== undefined || DATE_ORDERS.some((order) => orderDate(value, order) !== undefined);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
