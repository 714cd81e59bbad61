/** Filters as conditions in DuckDB's SQL, their values apart from it. */
import { isInteger, isTime, quoteText, type SqlColumn, textSql } from "./column_sql.ts";
import type { LiveFilter } from "./live_question.ts";

/** A condition with a `?` for each value. */
export interface SqlCondition {
  /** SQL; empty without filters. */
  readonly sql: string;
  readonly values: readonly string[];
}

/** The condition that rows match every one of some filters. */
export function conditionOf(filters: readonly LiveFilter[], columns: readonly SqlColumn[]): SqlCondition {
  const parts = filters.map((filter) => {
    const part = partOf(filter, columns[filter.column]);
    return filter.not === true ? { ...part, sql: `(${part.sql}) IS NOT TRUE` } : part;
  });
  return { sql: parts.map(({ sql }) => `(${sql})`).join(" AND "), values: parts.flatMap(({ values }) => values) };
}

/** The condition that every row holds. */
export const NONE: SqlCondition = { sql: "", values: [] };

/** The condition that two hold; of an empty one the other. */
export function bothOf(one: SqlCondition, other: SqlCondition): SqlCondition {
  if (one.sql === "" || other.sql === "") return one.sql === "" ? other : one;
  return { sql: `(${one.sql}) AND ${other.sql}`, values: [...one.values, ...other.values] };
}

/** A condition with its values written into it, to be read by people and run again. */
export function conditionText({ sql, values }: SqlCondition): string {
  let next = 0;
  // Quoted names and texts may hold a question mark themselves.
  return sql.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g, (part) => part === "?" ? quoteText(values[next++]) : part);
}

function partOf(filter: LiveFilter, column: SqlColumn): SqlCondition {
  const { sql } = column;
  switch (filter.kind) {
    case "missing":
      return { sql: `${sql} IS NULL`, values: [] };
    case "present":
      return { sql: `${sql} IS NOT NULL`, values: [] };
    case "holds":
      return { sql: `contains(lower(${textSql(column)}), lower(?))`, values: [filter.text] };
    case "is":
      return column.sqlType === "VARCHAR[]"
        ? { sql: `list_contains(${sql}, ?)`, values: [filter.text] }
        : { sql: `${textSql(column)} = ?`, values: [filter.text] };
    case "range": {
      const bounds = [
        ...filter.min === undefined ? [] : [boundOf(column, filter.above === true ? ">" : ">=", filter.min)],
        ...filter.max === undefined ? [] : [boundOf(column, filter.below === true ? "<" : "<=", filter.max)],
      ];
      if (bounds.length === 0) return { sql: `${sql} IS NOT NULL`, values: [] };
      const parts = bounds.map((bound) => bound.sql);
      if (mayHoldNaN(filter, column)) parts.push(`NOT isnan(${sql})`);
      return { sql: parts.join(" AND "), values: bounds.flatMap(({ values }) => values) };
    }
  }
}

/** Whether a range lets NaN through, which is greater than every number to DuckDB and polars. */
export function mayHoldNaN(
  { min, max }: { readonly min?: string; readonly max?: string },
  { sqlType }: Pick<SqlColumn, "sqlType">,
): boolean {
  return min !== undefined && max === undefined && /^(FLOAT|DOUBLE)$/.test(sqlType);
}

type Comparison = ">" | ">=" | "<" | "<=";

function boundOf(column: SqlColumn, comparison: Comparison, bound: string): SqlCondition {
  const { sql, kind, sqlType } = column;
  if (kind === "number") {
    // Compared in the column's own type, no value is converted, and row groups that cannot match are skipped.
    if (isInteger(column)) return integerBound(sql, comparison, bound);
    const type = sqlType === "FLOAT" ? "FLOAT" : "DOUBLE";
    return {
      sql: `${sqlType.startsWith("DECIMAL") ? `${sql}::DOUBLE` : sql} ${comparison} ?::${type}`,
      values: [bound],
    };
  }
  if (!isTime(column)) {
    return partialBound(sql, comparison, bound);
  }
  const isAfter = comparison === ">" || comparison === "<=";
  const day = isAfter ? dayAfter(bound) : firstDay(bound);
  const [type, value] = sqlType === "DATE"
    ? ["DATE", day]
    : sqlType.endsWith("WITH TIME ZONE")
    ? ["TIMESTAMPTZ", `${day} 00:00:00+00`]
    : ["TIMESTAMP", day];
  return { sql: `${sql} ${comparison.startsWith(">") ? ">=" : "<"} ?::${type}`, values: [value] };
}

/**
 * Dates that may be partial, as texts: what is above a bound begins above it, what is below it ends below it, as far as
 * the bound is written. So 2016-03-XX is in 2016-03 and in 2016-03-01..2016-03-31, and neither above nor below
 * 2016-03-15.
 */
function partialBound(sql: string, comparison: Comparison, bound: string): SqlCondition {
  const { length } = bound;
  if (length === 4) return { sql: `left(${sql}, 4) ${comparison} ?`, values: [bound] };
  const known = `replace(${sql}, '-XX', '')`;
  if (comparison.startsWith(">")) {
    return { sql: `left(${known} || '-01-01', ${length}) ${comparison} ?`, values: [bound] };
  }
  // A month ends with its day 31, however many it has.
  const isLastDay = length === 10 && dayAfter(bound).endsWith("-01");
  const value = isLastDay && comparison === "<=" ? `${bound.slice(0, 8)}31` : bound;
  const last = `${known} || right('-12-31', greatest(0, 10 - length(${known})))`;
  return { sql: `left(${last}, ${length}) ${comparison} ?`, values: [value] };
}

/** Whole numbers are compared with whole numbers: more than 2.5 is 3 and more. */
function integerBound(sql: string, comparison: Comparison, bound: string): SqlCondition {
  const digits = /^[+-]?\d+$/.test(bound) && bound.length < 38;
  const value = digits ? bound.replace("+", "") : String(BigInt(limitToHuge(roundFor(comparison, Number(bound)))));
  const isWhole = digits || Number.isInteger(Number(bound));
  return { sql: `${sql} ${isWhole ? comparison : comparison.slice(0, 1) + "="} ?::HUGEINT`, values: [value] };
}

function roundFor(comparison: Comparison, bound: number): number {
  return comparison.startsWith(">") ? Math.ceil(bound) : Math.floor(bound);
}

/** Beyond every integer of a table. */
function limitToHuge(value: number): number {
  return Math.max(-1e38, Math.min(1e38, value));
}

function firstDay(bound: string): string {
  return (bound + "-01-01").slice(0, 10);
}

function dayAfter(bound: string): string {
  const day = new Date(`${firstDay(bound)}T00:00:00Z`);
  if (bound.length === 4) day.setUTCFullYear(day.getUTCFullYear() + 1);
  else if (bound.length === 7) day.setUTCMonth(day.getUTCMonth() + 1);
  else day.setUTCDate(day.getUTCDate() + 1);
  // DuckDB writes the years from 10000 without the sign and the zero of ISO 8601.
  return day.toISOString().replace(/T.*/, "").replace(/^\+0*/, "");
}
