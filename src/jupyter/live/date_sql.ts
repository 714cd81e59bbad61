/** Dates, some of them partial, as their first and last day in DuckDB's SQL. */
import { formatDay } from "@seqreg/core/contract/values";
import { DAYS_BEFORE_EPOCH, type Key } from "@seqreg/core/query";
import { isTime, type SqlColumn } from "./column_sql.ts";

const YEAR = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})";
const MONTH = "(?:0[1-9]|1[0-2])";
const ONLY_YEAR = `'${YEAR}(?:-XX(?:-XX)?)?'`;
const ONLY_MONTH = `'${YEAR}-${MONTH}(?:-XX)?'`;
const DAY = `'${YEAR}-${MONTH}-[0-9]{2}'`;

export interface DateSql {
  /** The first day that a value may mean. */
  readonly start: string;
  /** The last one. */
  readonly end: string;
  /** Whether a text is one of the forms that the days are computed for; `undefined` where every value is. */
  readonly isPlain: string | undefined;
}

/** Writes the SQL of a column's days. */
export function dateSql(column: SqlColumn): DateSql {
  const { sql } = column;
  if (isTime(column)) return { start: sql, end: sql, isPlain: undefined };
  const is = (form: string) => `regexp_full_match(${sql}, ${form})`;
  const day = `WHEN ${is(DAY)} THEN try_cast(${sql} AS DATE)`;
  const month = `(left(${sql}, 7) || '-01')::DATE`;
  return {
    start: `CASE ${day} WHEN ${is(ONLY_MONTH)} THEN ${month} ` +
      `WHEN ${is(ONLY_YEAR)} THEN (left(${sql}, 4) || '-01-01')::DATE END`,
    end: `CASE ${day} WHEN ${is(ONLY_MONTH)} THEN last_day(${month}) ` +
      `WHEN ${is(ONLY_YEAR)} THEN (left(${sql}, 4) || '-12-31')::DATE END`,
    isPlain: `(${is(DAY)} OR ${is(ONLY_MONTH)} OR ${is(ONLY_YEAR)})`,
  };
}

export function daySql(key: Key): string {
  return formatDay(Number(key) - DAYS_BEFORE_EPOCH);
}
