/** Some of the records of a source, which an analysis of them names. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { locationPattern } from "../places/location.ts";
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { isRecord } from "@seqreg/core/options/is_record";
import type { OptionRule } from "@seqreg/core/options/option_rule";
import { count } from "../chart/words.ts";
import { findField } from "./find_field.ts";
import { findRole, type RoleFields, type RolePreferences } from "./roles.ts";
import type { OpenSource, Polars } from "./source.ts";
import { type SourceColumn, TEXT_TYPE } from "./source_column.ts";
import { exactColumn, isListType } from "@seqreg/core/engine/frames";
import { formatDay, groupKey, readBoolean, readDecimal, readPartialDate } from "@seqreg/core/contract/values";

/** A value that records must have. */
export type FilterValue = string | number | boolean;

/**
 * The ends of a range; both are in it. A date is in it if all days that it may mean are: up to `2016-05` are those of
 * all May, and `2016-12` is not from `2016-12-15`.
 */
export interface FilterRange {
  /** The least. */
  readonly from?: string | number;
  /** The greatest. */
  readonly to?: string | number;
}

/**
 * Which records are analysed, by field (its name, alias or role): a value, several of which one is enough, or a range.
 * `{ country: "Kenya", host: ["Homo sapiens", "Sus scrofa"], length: { from: 1000 } }`.
 *
 * Texts are compared as groups are: without surrounding white space, in normalization form C. A date is found by what
 * it lies within, such as `2016`; of a list an element is enough.
 */
export type RecordFilter = Readonly<Record<string, FilterValue | readonly FilterValue[] | FilterRange>>;

const isValue = (value: unknown): value is FilterValue =>
  typeof value === "string" || typeof value === "boolean" || typeof value === "number" && Number.isFinite(value);
const isEnd = (value: unknown): value is string | number | undefined =>
  value === undefined || typeof value !== "boolean" && isValue(value);
const isRange = (value: unknown): value is FilterRange =>
  isRecord(value) && Object.keys(value).length > 0 &&
  Object.entries(value).every(([key, end]) => ["from", "to"].includes(key) && isEnd(end));

const EXPECTED = "an object of values by field, each a value, a list of values or a range, { from, to }";

export const RECORD_FILTER_RULE: OptionRule<RecordFilter> = {
  expected: EXPECTED,
  isRequired: false,
  fault(value, path) {
    if (!isRecord(value)) return { path, expected: EXPECTED, value };
    for (const [field, one] of Object.entries(value)) {
      const isMany = Array.isArray(one) && one.length > 0 && one.every(isValue);
      if (isValue(one) || isMany || isRange(one)) continue;
      const end = isRecord(one) ? ["from", "to"].find((key) => !isEnd(one[key])) : undefined;
      if (isRecord(one) && end !== undefined) {
        return { path: `${path}.${field}.${end}`, expected: "a text or a finite number", value: one[end] };
      }
      return { path: `${path}.${field}`, expected: "a value, a list of values or a range, { from, to }", value: one };
    }
    return undefined;
  },
};

/** How values are found in a source. */
export interface FilterNames {
  readonly filter: RecordFilter;
  readonly fields?: RoleFields | undefined;
  readonly roles?: RolePreferences | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps the records that a filter allows; `words` describe them. */
export async function filterSource(
  pl: Polars,
  source: OpenSource,
  { filter, signal, ...names }: FilterNames,
): Promise<{ readonly source: OpenSource; readonly words: string }> {
  const tests: { readonly isKept: Expr; readonly words: string }[] = [];
  for (const [asked, wanted] of Object.entries(filter)) {
    const column = findField(source, asked, { ...names, doing: "filter by" });
    const asking: FieldFilter = {
      pl,
      column,
      isDate: isDate(source, column, { asked, ...names }),
      collect: (query) => source.collect(query, { signal }),
      texts: () => source.scan().select(exactColumn(pl, column.name).cast(pl.String).alias(TEXT)),
    };
    // A country is asked for, and the column that plays the role has locations with it.
    const hasLocations = asked === "country" && fieldAlias(column.field) === "location";
    const isKept = hasLocations ? await isInCountry(asking, wanted) : await testOf(asking, wanted);
    tests.push({ isKept, words: wordsOf(asking, wanted) });
  }
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

const TEXT = "seqreg_text";
const DAYS = /^Date/;
const NUMBERS = /^(U?Int|Float|Decimal)/;

interface FieldFilter {
  readonly pl: Polars;
  readonly column: SourceColumn;
  /** Whether its texts are read as dates. */
  readonly isDate: boolean;
  readonly collect: (query: LazyDataFrame) => Promise<DataFrame>;
  /** Its texts in a column of one name. */
  readonly texts: () => LazyDataFrame;
}

/** Whether texts of a column are dates: by its definition, or by the role that it plays. */
function isDate(
  source: OpenSource,
  column: SourceColumn,
  { asked, fields, roles }: Omit<FilterNames, "filter"> & { readonly asked: string },
): boolean {
  if (!TEXT_TYPE.test(column.dtype)) return false;
  return column.type === "date" || (["collectionDate", "releaseDate"] as const).some((role) => {
    const preferred = roles?.[role] ?? source.roles?.[role] ?? [];
    return asked === role || (fields?.[role] ?? findRole(source.columns, role, { preferred })?.name) === column.name;
  });
}

/** The test of a country, which may be that of a location. */
async function isInCountry(asking: FieldFilter, wanted: RecordFilter[string]): Promise<Expr> {
  const countries = isRange(wanted) ? [] : valuesOf(wanted);
  return countries.map((country) =>
    exactColumn(asking.pl, asking.column.name).str.contains(locationPattern(String(country)))
  ).reduce((a, b) => a.or(b), await testOf(asking, wanted));
}

async function testOf(asking: FieldFilter, wanted: RecordFilter[string]): Promise<Expr> {
  const { pl, column: { name, dtype } } = asking;
  const column = exactColumn(pl, name);
  if (isRange(wanted)) return await isWithin(asking, column, wanted);
  const values = valuesOf(wanted);
  if (isListType(dtype)) {
    return values.map((value) => column.list.contains(value)).reduce((a, b) => a.or(b));
  }
  if (DAYS.test(dtype)) return values.map((value) => isOnDays(asking, value, value)).reduce((a, b) => a.or(b));
  if (dtype === "Bool") {
    const isTrue = values.map((value) => readTruth(asking, value));
    return isTrue.map((one) => column.eq(pl.lit(one))).reduce((a, b) => a.or(b));
  }
  if (NUMBERS.test(dtype)) {
    return values.map((value) => column.cast(pl.Float64).eq(pl.lit(numberOf(asking, value)))).reduce((a, b) => a.or(b));
  }
  // A number among dates is a year.
  const isNumber = (value: FilterValue) => typeof value === "number" && !asking.isDate;
  const numbers = values.filter(isNumber);
  const texts = values.filter((value) => !isNumber(value)).map(String);
  return [
    ...numbers.map((value) => column.cast(pl.Float64, false).eq(pl.lit(value))),
    ...texts.length === 0 ? [] : [column.cast(pl.String).isIn(await spellingsOf(asking, texts))],
  ].reduce((a, b) => a.or(b));
}

/** The texts of a column that are of the group of one of some, or dates within one of them. */
async function spellingsOf(asking: FieldFilter, wanted: readonly string[]): Promise<string[]> {
  const { pl } = asking;
  const keys = new Set(wanted.map(groupKey));
  const days = asking.isDate ? wanted.flatMap((text) => readPartialDate(text) ?? []) : [];
  const isSame = (text: string) => {
    if (keys.has(groupKey(text))) return true;
    const date = days.length > 0 ? readPartialDate(text) : undefined;
    return date !== undefined &&
      days.some(({ earliest, latest }) => date.earliest >= earliest && date.latest <= latest);
  };
  const forms = [...new Set([...keys].flatMap((key) => [key, key.normalize("NFD")]))].map(escapePattern);
  const near = pl.col(TEXT).str.contains(`^\\s*(?:${forms.join("|")})\\s*$`);
  return [...new Set([...wanted, ...await distinctTexts(asking, days.length > 0 ? undefined : near, isSame)])];
}

/** Distinct texts of a column that fulfil a test; `near` leaves out most others. */
async function distinctTexts(
  { pl, texts, collect }: FieldFilter,
  near: Expr | undefined,
  isWanted: (text: string) => boolean,
): Promise<string[]> {
  const some = near === undefined ? texts() : texts().filter(near);
  const found: unknown[] = (await collect(some.groupBy(TEXT).agg(pl.len()))).getColumn(TEXT).toArray();
  return found.filter((text) => typeof text === "string").filter(isWanted);
}

async function isWithin(asking: FieldFilter, column: Expr, { from, to }: FilterRange): Promise<Expr> {
  const { pl, column: { field, dtype } } = asking;
  if (isListType(dtype) || dtype === "Bool") {
    throw new RangeError(
      `Cannot filter by a range of ${field}: it holds ${dtype === "Bool" ? "true and false" : "lists"}`,
    );
  }
  if (DAYS.test(dtype)) return isOnDays(asking, from, to);
  const ends = [from, to].filter((end) => end !== undefined);
  if (asking.isDate && ends.every((end) => typeof end === "string" || Number.isInteger(end))) {
    const least = from === undefined ? -Infinity : dateOf(asking, from).earliest;
    const most = to === undefined ? Infinity : dateOf(asking, to).latest;
    const isInside = (text: string) => {
      const date = readPartialDate(text);
      return date !== undefined && date.earliest >= least && date.latest <= most;
    };
    const inside = await distinctTexts(asking, undefined, isInside);
    return inside.length === 0 ? pl.lit(false) : column.cast(pl.String).isIn(inside);
  }
  const tests: Expr[] = [];
  const isNumber = NUMBERS.test(dtype) || ends.some((end) => typeof end === "number");
  const value = isNumber ? column.cast(pl.Float64, false) : column.cast(pl.String);
  const end = (of: string | number) => pl.lit(isNumber ? numberOf(asking, of) : of);
  if (from !== undefined) tests.push(value.gtEq(end(from)));
  // A text's end sorts after every text with this prefix.
  if (to !== undefined) tests.push(value.ltEq(isNumber ? end(to) : pl.lit(`${to}\u{10ffff}`)));
  // NaN, which is above every number for the engines, is in no range.
  if (isNumber) tests.push(value.isNotNan());
  return tests.reduce((a, b) => a.and(b));
}

/** The test of a column of days or times: as text, which every engine compares alike. */
function isOnDays(asking: FieldFilter, from: FilterValue | undefined, to: FilterValue | undefined): Expr {
  const { pl, column: { name } } = asking;
  const day = exactColumn(pl, name).cast(pl.Date).cast(pl.String);
  return [
    ...from === undefined ? [] : [day.gtEq(pl.lit(formatDay(dateOf(asking, from).earliest)))],
    ...to === undefined ? [] : [day.ltEq(pl.lit(formatDay(dateOf(asking, to).latest)))],
  ].reduce((a, b) => a.and(b));
}

function dateOf({ column: { field } }: FieldFilter, value: FilterValue) {
  const date = readPartialDate(String(value));
  if (date !== undefined) return date;
  throw new RangeError(
    `Cannot filter by ${field}: ${JSON.stringify(value)} is not a date; write 2016, 2016-05 or 2016-05-31`,
  );
}

function numberOf({ column: { field } }: FieldFilter, value: FilterValue): number {
  const number = typeof value === "boolean" ? undefined : readDecimal(String(value), "");
  if (number !== undefined) return number;
  throw new RangeError(
    `Cannot filter by ${field}: ${JSON.stringify(value)} is not a number, and the field holds numbers`,
  );
}

function readTruth({ column: { field } }: FieldFilter, value: FilterValue): boolean {
  const truth = typeof value === "boolean" ? value : readBoolean(String(value));
  if (truth !== undefined) return truth;
  throw new RangeError(`Cannot filter by ${field}: ${JSON.stringify(value)} is neither true nor false`);
}

function valuesOf(wanted: FilterValue | readonly FilterValue[]): readonly FilterValue[] {
  return isValue(wanted) ? [wanted] : wanted;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function wordsOf({ column: { field, dtype }, isDate }: FieldFilter, wanted: RecordFilter[string]): string {
  const isYear = isDate || DAYS.test(dtype);
  const text = (value: FilterValue) => typeof value === "number" && !isYear ? number(value) : String(value);
  if (!isRange(wanted)) return `${field} = ${valuesOf(wanted).map(text).join(" or ")}`;
  const { from, to } = wanted;
  if (from === undefined) return `${field} up to ${text(to ?? "")}`;
  return `${field} ${to === undefined ? `from ${text(from)}` : `${text(from)} to ${text(to)}`}`;
}

function number(value: number): string {
  return Number.isInteger(value) ? count(value) : String(value);
}
