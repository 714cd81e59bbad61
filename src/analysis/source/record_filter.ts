/**
 * Some of the records of a source, which an analysis of them names.
 *
 * @module
 */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { locationPattern } from "../places/location.ts";
import type { Expr, LazyDataFrame } from "nodejs-polars";
import { isRecord } from "@seqreg/core/options/is_record";
import type { OptionRule } from "@seqreg/core/options/option_rule";
import { count } from "../chart/words.ts";
import { findField } from "./find_field.ts";
import type { RoleFields, RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

/** A value that records must have. */
export type FilterValue = string | number | boolean;

/** The ends of a range; both are in it. Dates are texts: up to `2016-05` are those of all May. */
export interface FilterRange {
  /** The least. */
  readonly from?: string | number;
  /** The greatest. */
  readonly to?: string | number;
}

/**
 * Which records are analysed, by field (its name, alias or role): a value, several of which one is enough, or a range.
 * `{ country: "Kenya", host: ["Homo sapiens", "Sus scrofa"], length: { from: 1000 } }`.
 */
export type RecordFilter = Readonly<Record<string, FilterValue | readonly FilterValue[] | FilterRange>>;

const isValue = (value: unknown): value is FilterValue =>
  typeof value === "string" || typeof value === "boolean" || typeof value === "number" && Number.isFinite(value);
const isEnd = (value: unknown) => value === undefined || typeof value === "string" || isValue(value);
const isRange = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).length > 0 &&
  Object.entries(value).every(([key, end]) => ["from", "to"].includes(key) && isEnd(end) && typeof end !== "boolean");

const EXPECTED = "an object of values by field, each a value, a list of values or a range, { from, to }";

/** The rule of {@linkcode RecordFilter}. */
export const RECORD_FILTER_RULE: OptionRule<RecordFilter> = {
  expected: EXPECTED,
  isRequired: false,
  fault(value, path) {
    if (!isRecord(value)) return { path, expected: EXPECTED, value };
    for (const [field, one] of Object.entries(value)) {
      const isMany = Array.isArray(one) && one.length > 0 && one.every(isValue);
      if (isValue(one) || isMany || isRange(one)) continue;
      return { path: `${path}.${field}`, expected: "a value, a list of values or a range, { from, to }", value: one };
    }
    return undefined;
  },
};

/** Keeps the records that a filter allows; `words` describe them. */
export function filterSource(
  pl: Polars,
  source: OpenSource,
  { filter, ...names }: {
    readonly filter: RecordFilter;
    readonly fields?: RoleFields | undefined;
    readonly roles?: RolePreferences | undefined;
  },
): { readonly source: OpenSource; readonly words: string } {
  const tests = Object.entries(filter).map(([asked, wanted]) => {
    const { name, field } = findField(source, asked, { ...names, doing: "filter by" });
    const column = exactColumn(pl, name);
    // A country is asked for, and the column that plays the role has locations with it.
    const hasLocations = asked === "country" && fieldAlias(field) === "location";
    const isKept = hasLocations ? isInCountry(pl, column, wanted) : testOf(pl, column, wanted);
    return { isKept, words: wordsOf(field, wanted) };
  });
  if (tests.length === 0) return { source, words: "" };
  const isKept = tests.map((test) => test.isKept).reduce((a, b) => a.and(b));
  // Counts that files hold of all their records are not those of some.
  const { files: _files, distinctIds: _distinctIds, misfits: _misfits, ...rest } = source;
  let rows: LazyDataFrame | undefined;
  return {
    source: { ...rest, scan: () => rows ??= source.scan().filter(isKept.fillNull(pl.lit(false))) },
    words: tests.map(({ words }) => words).join("; "),
  };
}

/** The test of a country, which may be that of a location. */
function isInCountry(pl: Polars, column: Expr, wanted: RecordFilter[string]): Expr {
  const countries = isValue(wanted) ? [wanted] : isList(wanted) ? wanted : [];
  return countries.map((country) => column.str.contains(locationPattern(String(country))))
    .reduce((a, b) => a.or(b), testOf(pl, column, wanted));
}

function testOf(pl: Polars, column: Expr, wanted: RecordFilter[string]): Expr {
  if (isValue(wanted)) return isEqual(pl, column, wanted);
  if (isList(wanted)) return wanted.map((value) => isEqual(pl, column, value)).reduce((a, b) => a.or(b));
  const { from, to } = wanted;
  const tests: Expr[] = [];
  if (from !== undefined) tests.push(comparable(pl, column, from).gtEq(pl.lit(from)));
  // Sorts after every text with this prefix, such as a day of the month.
  if (to !== undefined) tests.push(comparable(pl, column, to).ltEq(pl.lit(typeof to === "string" ? `${to}~` : to)));
  return tests.reduce((a, b) => a.and(b));
}

function isEqual(pl: Polars, column: Expr, value: FilterValue): Expr {
  return typeof value === "boolean" ? column.eq(pl.lit(value)) : comparable(pl, column, value).eq(pl.lit(value));
}

function comparable(pl: Polars, column: Expr, value: string | number): Expr {
  return typeof value === "number" ? column.cast(pl.Float64, false) : column.cast(pl.String);
}

function isList(wanted: RecordFilter[string]): wanted is readonly FilterValue[] {
  return Array.isArray(wanted);
}

function wordsOf(field: string, wanted: RecordFilter[string]): string {
  const text = (value: FilterValue) => typeof value === "number" ? number(value) : String(value);
  if (isValue(wanted)) return `${field} = ${text(wanted)}`;
  if (isList(wanted)) return `${field} = ${wanted.map(text).join(" or ")}`;
  const { from, to } = wanted;
  if (from === undefined) return `${field} up to ${text(to ?? "")}`;
  return `${field} ${to === undefined ? `from ${text(from)}` : `${text(from)} to ${text(to)}`}`;
}

function number(value: number): string {
  return Number.isInteger(value) ? count(value) : String(value);
}
