/** How the values of a column are distributed: in bins of numbers or years, or by the commonest values. */
import { isInteger, isTime, type SqlColumn, textSql } from "./column_sql.ts";
import type { Kept } from "./kept.ts";
import type { LiveDistribution, LiveFilter } from "./live_question.ts";
import type { ParquetRows } from "./parquet_rows.ts";

/** A distribution over all rows. */
export type Scale = WithoutMatching<LiveDistribution>;

type WithoutMatching<Distribution> = Distribution extends unknown ? Omit<Distribution, "matching"> : never;

/** Bins at most. */
const BINS = 29;
/** Commonest values that are shown. */
const VALUES = 12;
/** Rows from the top that tell whether values repeat: they do not where more than one in so many is another. */
const SAMPLE = 20_000;
const REPEATS = 5;
/** Characters of a value that is shown as one of the commonest. */
const MOST_LETTERS = 180;

/** Reads a column's distribution; that over all rows is kept. */
export async function readDistribution(
  rows: ParquetRows,
  { column, filters, scales }: {
    readonly column: number;
    readonly filters: readonly LiveFilter[];
    readonly scales: Kept<Scale>;
  },
): Promise<LiveDistribution> {
  const shown = rows.columns[column];
  const scale = await scales.want(
    String(column),
    () => shown.kind === "text" ? readCommonest(rows, shown) : readBins(rows, shown),
  );
  if (scale.kind === "none") return scale;
  if (filters.length === 0) return { ...scale, matching: scale.all };
  const place = scale.kind === "bins" ? binSql(shown, scale) : textSql(shown);
  const counted = await countPlaces(rows, place, filters, scale.kind === "bins" ? undefined : scale.values);
  const counts = new Map(counted.map(([place, count]) => [place, Number(count)]));
  const places = scale.kind === "bins" ? scale.all.map((_, index) => index) : scale.values;
  return { ...scale, matching: places.map((place) => counts.get(place) ?? 0) };
}

async function readBins(rows: ParquetRows, column: SqlColumn): Promise<Scale> {
  const number = numberSql(column);
  const every = rows.where([]);
  const [[low, high]] = await rows.query(
    `SELECT min(x), max(x) FROM (SELECT ${number} AS x FROM t${every.sql}) WHERE isfinite(x)`,
    every.values,
    "aside",
  );
  if (typeof low !== "number" || typeof high !== "number") return { kind: "none" };
  const isWhole = isInteger(column) || column.kind === "date";
  const span = isWhole ? high - low + 1 : high - low || 1;
  const width = isWhole ? Math.ceil(span / BINS) : span / BINS;
  const bins = isWhole ? Math.ceil(span / width) : BINS;
  const all = Array.from({ length: bins }, () => 0);
  const scale = { kind: "bins" as const, from: low, width, ...!isWhole && { to: high }, all };
  const counted = await countPlaces(rows, binSql(column, scale));
  for (const [place, count] of counted) if (typeof place === "number") scale.all[place] = Number(count);
  return scale;
}

/**
 * Counts rows by a value of theirs, of which only some are shown: there may be as many others as rows. The values are
 * read within brackets, since the table may have a column `place`.
 */
async function countPlaces(
  rows: ParquetRows,
  place: string,
  filters: readonly LiveFilter[] = [],
  shown?: readonly (string | null)[],
): Promise<(readonly unknown[])[]> {
  const { sql, values } = rows.where(filters);
  const texts = shown?.filter((text) => text !== null) ?? [];
  const isOne = texts.length === 0 ? "" : ` OR place IN (${texts.map(() => "?").join()})`;
  return await rows.query(
    `SELECT place, count(*) FROM (SELECT ${place} AS place FROM t${sql}) ` +
      `${shown === undefined ? "" : `WHERE place IS NULL${isOne} `}GROUP BY place`,
    [...values, ...texts],
    "aside",
  );
}

/** A value as a number: of a date its year. */
function numberSql(column: SqlColumn): string {
  if (column.kind === "number") return `${column.sql}::DOUBLE`;
  return isTime(column) ? `year(${column.sql})::DOUBLE` : `try_cast(left(${column.sql}, 4) AS DOUBLE)`;
}

function binSql(column: SqlColumn, { from, width, all }: Scale & { readonly kind: "bins" }): string {
  const number = numberSql(column);
  // Numbers without ::DOUBLE would be decimals to DuckDB, which are 50 times as slow.
  return `CASE WHEN isfinite(${number}) THEN least(${all.length - 1}, ` +
    `floor((${number} - ${from}::DOUBLE) / ${width}::DOUBLE))::INTEGER END`;
}

async function readCommonest(rows: ParquetRows, column: SqlColumn): Promise<Scale> {
  // A list is one of its elements as a filter, which these counts would not be.
  if (column.sqlType.endsWith("[]")) return { kind: "none" };
  const text = textSql(column);
  const every = rows.where([]);
  const [[different, present]] = await rows.query(
    `SELECT count(DISTINCT x), count(x) FROM (SELECT ${text} AS x FROM t${every.sql} LIMIT ${SAMPLE})`,
    every.values,
    "aside",
  );
  if (Number(different) > Math.max(VALUES, Number(present) / REPEATS)) return { kind: "none" };
  const top = await rows.query(
    `SELECT x, count(*) AS n FROM (SELECT ${text} AS x FROM t${every.sql}) GROUP BY x ` +
      `ORDER BY n DESC, x NULLS LAST LIMIT ${VALUES}`,
    every.values,
    "aside",
  );
  const shown = top.filter(([value]) => String(value).length <= MOST_LETTERS);
  if (shown.length === 0) return { kind: "none" };
  return {
    kind: "values",
    values: shown.map(([value]) => value === null ? null : String(value)),
    all: shown.map(([, count]) => Number(count)),
  };
}
