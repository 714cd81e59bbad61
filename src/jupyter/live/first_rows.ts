/** The first rows of an order: DuckDB finds them without the order of all rows. */
import { escapeGlob } from "@seqreg/core/engine/frames/glob";
import { quoteText } from "./column_sql.ts";
import { NONE, type SqlCondition } from "./filter_sql.ts";
import type { LiveFilter, LiveSort } from "./live_question.ts";
import { areObjects } from "./object_files.ts";
import { FILE, FILE_ROW, ID, type ParquetRows } from "./parquet_rows.ts";

/** Types whose values are the same again when they are read from their text. */
const SIMPLE = /^(VARCHAR|DOUBLE|BOOLEAN|DATE|TIMESTAMP|U?(TINYINT|SMALLINT|INTEGER|BIGINT)|HUGEINT)$/;
/** Types whose least and greatest values in a row group are known. */
const COUNTED = /^(VARCHAR|DOUBLE|DATE|TINYINT|SMALLINT|INTEGER|BIGINT)$/;

/**
 * Reads the offsets of the first rows of an order, equal values in the order of the files.
 *
 * Ordered by the value alone, DuckDB skips rows that sort too late, and row indices are computed only for the rows
 * found. Which of several equal values come last is then undecided, and is read separately.
 */
export async function readFirstIds(
  rows: ParquetRows,
  sort: LiveSort,
  filters: readonly LiveFilter[],
  most: number,
): Promise<number[]> {
  const { sql, sqlType } = rows.columns[sort.column];
  const direction = directionOf(sort);
  const all = rows.where(filters);
  if (!SIMPLE.test(sqlType)) {
    const query = `SELECT ${ID} FROM t${all.sql} ORDER BY ${sql} ${direction}, ${ID} LIMIT ${most}`;
    return (await rows.query(query, all.values)).map(([id]) => Number(id));
  }
  const rank = async ({ sql: where, values }: SqlCondition) =>
    await rows.query(
      `SELECT ${rows.indexSql}::DOUBLE, (dense_rank() OVER (ORDER BY x ${direction}))::INTEGER AS rank, ` +
        `x::VARCHAR FROM (SELECT ${sql} AS x, ${FILE}, ${FILE_ROW} FROM t${where} ORDER BY ${sql} ${direction} ` +
        `LIMIT ${most + 1}) ORDER BY rank, ${FILE}, ${FILE_ROW}`,
      values,
    );
  const bound = rows.isEvery(filters) ? await readBound(rows, sort, most) : NONE;
  let ranked = bound.sql === "" ? [] : await rank({ ...bound, sql: ` WHERE ${bound.sql}` });
  if (ranked.length <= most) ranked = await rank(all);
  const ids = ranked.map(([id]) => Number(id));
  const [, last, value] = ranked[most - 1] ?? [];
  if (ids.length <= most || ranked[most][1] !== last) return ids.slice(0, most);
  const before = ranked.findIndex(([, rank]) => rank === last);
  const also = value === null
    ? { sql: `${sql} IS NULL`, values: [] }
    : { sql: `${sql} = ?::${sqlType}`, values: [String(value)] };
  return [...ids.slice(0, before), ...await rows.firstIds(filters, { limit: most - before, also })];
}

/**
 * A condition that the first rows fulfil, so that row groups without any are not read: a value that as many row groups
 * begin before as rows are wanted. Where too few rows fulfil it, the files' statistics are cut short.
 */
async function readBound(rows: ParquetRows, sort: LiveSort, most: number): Promise<SqlCondition> {
  const { sql, sqlType, inFile } = rows.columns[sort.column];
  const { files } = rows.source;
  // Statistics leave NaN out, which is greater than every number.
  const isKnown = COUNTED.test(sqlType) && !(sort.descending && sqlType === "DOUBLE");
  if (!isKnown || areObjects(files)) return NONE;
  const value = `try_cast(stats_${sort.descending ? "max" : "min"}_value AS ${sqlType})`;
  const paths = files.map(({ path }) => quoteText(escapeGlob(path))).join();
  const [found] = await rows.query(
    `SELECT ${value}::VARCHAR FROM parquet_metadata([${paths}]) WHERE path_in_schema = ? AND ${value} IS NOT NULL ` +
      `ORDER BY ${value} ${directionOf(sort)} LIMIT 1 OFFSET ${most}`,
    [inFile],
  );
  if (found === undefined) return NONE;
  return { sql: `${sql} ${sort.descending ? ">=" : "<="} ?::${sqlType}`, values: [String(found[0])] };
}

function directionOf({ descending }: LiveSort): string {
  return `${descending ? "DESC" : "ASC"} NULLS LAST`;
}
