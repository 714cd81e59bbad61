/** Lengths, dates, shares and their classes as DuckDB counts them. */
import { quote, textSql } from "./_compare.ts";

/** Bins of a quarter of a power of ten, from the one of the shortest to the one of the longest. */
export function lengthSql(column: string): string {
  return `WITH edges AS (SELECT k, CASE WHEN k % 4 = 0 THEN 10 ** (k // 4) ELSE ceil(pow(10, k / 4)) END::BIGINT AS edge FROM range(0, 40) AS r(k)),
    bins AS (SELECT edge AS "from", lead(edge) OVER (ORDER BY k) - 1 AS "to" FROM edges),
    lengths AS (SELECT ${quote(column)} AS length FROM lake WHERE ${quote(column)} >= 1)
    SELECT "from", "to", count(length) AS records FROM bins LEFT JOIN lengths ON length BETWEEN "from" AND "to"
    WHERE "to" >= (SELECT min(length) FROM lengths) AND "from" <= (SELECT max(length) FROM lengths)
    GROUP BY 1, 2 ORDER BY 1`;
}

/** Bins of lengths in each set, from the shortest of all to the longest. */
export function setLengthsSql(column: string, perDecade: number): string {
  const set = (table: string, name: string, place: number) =>
    `SELECT ${quote(column)} AS length, '${name}' AS "set", ${place} AS place FROM ${table} WHERE ${
      quote(column)
    } >= 1`;
  return `WITH every AS (${set("full_dataset_metadata", "all records", 1)} UNION ALL ${
    set("unique_seqs_metadata", "unique sequences", 2)
  } UNION ALL ${set("votu_clusters_metadata", "representatives", 3)}),
    edges AS (SELECT k, CASE WHEN k % ${perDecade} = 0 THEN 10 ** (k // ${perDecade}) ELSE ceil(pow(10, k / ${perDecade})) END::BIGINT AS edge
      FROM range(0, ${perDecade} * 7) AS r(k)),
    bins AS (SELECT edge AS "from", lead(edge) OVER (ORDER BY k) - 1 AS "to" FROM edges),
    shown AS (SELECT * FROM bins WHERE "to" >= (SELECT min(length) FROM every) AND "from" <= (SELECT max(length) FROM every)),
    sets AS (SELECT "set", place, count(*) AS n FROM every GROUP BY 1, 2)
    SELECT sets."set", "from", "to", count(length) AS records, count(length) / n::DOUBLE AS share
    FROM sets CROSS JOIN shown LEFT JOIN every ON every."set" = sets."set" AND length BETWEEN "from" AND "to"
    GROUP BY sets."set", sets.place, n, "from", "to" ORDER BY sets.place, "from"`;
}

export function timeSql(column: string, by: "year" | "month", isCumulative: boolean): string {
  const dated = `WITH dates AS (SELECT substr(${quote(column)}, 1, ${by === "year" ? 4 : 7}) AS period,
      CASE WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN 'day'
        WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}(-XX)?$') THEN 'month' ELSE 'year' END AS precision
      FROM lake WHERE ${quote(column)} SIMILAR TO '[12][0-9]{3}.*'),
    each AS (SELECT period, precision, count(*) AS records FROM dates
      WHERE '${by}' = 'year' OR precision <> 'year' GROUP BY 1, 2)`;
  if (!isCumulative) return `${dated} SELECT * FROM each ORDER BY period, precision`;
  const periods = by === "year"
    ? "SELECT lpad(y::VARCHAR, 4, '0') AS period FROM range(1800, 2100) AS r(y)"
    : "SELECT y::VARCHAR || '-' || lpad(m::VARCHAR, 2, '0') AS period FROM range(1800, 2100) AS r(y), range(1, 13) AS s(m)";
  return `${dated}, periods AS (SELECT * FROM (${periods}) WHERE period BETWEEN (SELECT min(period) FROM each) AND (SELECT max(period) FROM each)),
    grid AS (SELECT * FROM periods, (SELECT DISTINCT precision FROM each))
    SELECT g.period, g.precision, sum(records)::BIGINT AS records FROM grid g JOIN each e
      ON e.precision = g.precision AND e.period <= g.period GROUP BY 1, 2 ORDER BY 1, 2`;
}

export function lagSql(collection: string, release: string, until = "2100-12-31"): string {
  const day = (column: string) =>
    `CASE WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN try_cast(${
      quote(column)
    } AS DATE) END`;
  return `WITH lags AS (SELECT ${day(release)} - ${day(collection)} AS days FROM lake
      WHERE ${day(release)} <= DATE '${until}'),
    used AS (SELECT days FROM lags WHERE days >= 0),
    width AS (SELECT CASE WHEN max(days) // 7 < 60 AND max(days) / 7 < 60 THEN 7 ELSE 30 END AS w FROM used),
    bins AS (SELECT k * w AS f, k * w + w - 1 AS t FROM width, range(0, 100) AS r(k))
    SELECT f::BIGINT AS from_days, t::BIGINT AS to_days, count(days) AS records FROM bins LEFT JOIN used ON days BETWEEN f AND t
    WHERE t >= (SELECT min(days) FROM used) AND f <= (SELECT max(days) FROM used) GROUP BY 1, 2 ORDER BY 1`;
}

export function quantileSql(value: string, group: string): string {
  const quantile = (q: number) => `quantile_cont(${quote(value)}::DOUBLE, ${q})`;
  return `SELECT ${quote(group)} AS "group", count(*) AS records, ${quantile(0.05)} AS q05, ${quantile(0.25)} AS q25,
      ${quantile(0.5)} AS median, ${quantile(0.75)} AS q75, ${quantile(0.95)} AS q95
    FROM lake WHERE ${quote(value)} > 0 AND ${quote(group)} IS NOT NULL GROUP BY 1 HAVING count(*) >= 30
    ORDER BY median DESC, 1`;
}

export function tiersSql(completeness: string, length: string, ambiguous: string): string {
  return `WITH tiers AS (SELECT ${textSql(completeness)} AS completeness, ${quote(ambiguous)} / ${
    quote(length)
  }::DOUBLE AS share
      FROM lake WHERE ${quote(length)} > 0),
    named AS (SELECT completeness, CASE WHEN share = 0 THEN 1 WHEN share <= 0.01 THEN 2 WHEN share <= 0.05 THEN 3 ELSE 4 END AS tier
      FROM tiers WHERE completeness IS NOT NULL AND share IS NOT NULL)
    SELECT completeness, ['none', 'up to 1 %', '1 % to 5 %', 'above 5 %'][tier] AS ambiguous, count(*) AS records, NULL AS quality FROM named
    GROUP BY completeness, tier ORDER BY sum(count(*)) OVER (PARTITION BY completeness) DESC, completeness, tier`;
}

export function agreementSql(column: string): string {
  return `WITH pairs AS (SELECT abs(m.${quote(column)} - s.gc * 100) AS d
      FROM lake m JOIN full_dataset_sequence s ON s."Registry Accession" = m."Registry Accession" WHERE d IS NOT NULL),
    classes AS (SELECT * FROM (VALUES (0, 'up to 0.01', -1, 0.01), (1, '0.01 to 0.1', 0.01, 0.1), (2, '0.1 to 1', 0.1, 1),
      (3, 'above 1', 1, 1e9)) AS v(place, difference, low, high))
    SELECT difference, count(d) AS records FROM classes LEFT JOIN pairs ON d > low + 1e-9 AND d <= high + 1e-9
    GROUP BY place, difference ORDER BY place`;
}

export const CLASS_NAMES = "['100 %', '99 to 100 %', '95 to 99 %', '90 to 95 %', '70 to 90 %', 'below 70 %']";

/** Place of a percentage among the classes, from 1. */
export function percentSql(column: string): string {
  const value = `${quote(column)}::DOUBLE`;
  return `CASE WHEN ${value} >= 100 THEN 1 WHEN ${value} >= 99 THEN 2 WHEN ${value} >= 95 THEN 3 WHEN ${value} >= 90 THEN 4
    WHEN ${value} >= 70 THEN 5 ELSE 6 END`;
}
