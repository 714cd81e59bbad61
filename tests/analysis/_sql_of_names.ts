/** Taxa, hosts, clusters, isolates and countries as DuckDB counts them. */
import type { PlaceReader } from "../../src/analysis/places/places.ts";
import { quote, textSql } from "./_compare.ts";

export function topSql(column: string, top: number): string {
  return `WITH texts AS (SELECT ${textSql(column)} AS taxon FROM lake),
    ranked AS (SELECT taxon, count(*) AS records, row_number() OVER (ORDER BY count(*) DESC, taxon) AS place
      FROM texts WHERE taxon IS NOT NULL GROUP BY taxon),
    bars AS (SELECT 1 AS part, place, taxon, 'taxon' AS kind, records FROM ranked WHERE place <= ${top}
      UNION ALL SELECT 2, 0, 'other (' || count(*) || ' ${
    column === "Species" ? "species" : "hosts"
  })', 'other', sum(records)
        FROM ranked WHERE place > ${top} HAVING count(*) > 0
      UNION ALL SELECT 3, 0, 'missing', 'missing', count(*) FROM texts WHERE taxon IS NULL HAVING count(*) > 0)
    SELECT taxon, kind, records::BIGINT AS records, records / (SELECT count(*) FROM texts)::DOUBLE AS share
    FROM bars ORDER BY part, place`;
}

export function setsSql(column: string): string {
  const set = (table: string, name: string, place: number) =>
    `SELECT ${textSql(column)} AS taxon, '${name}' AS "set", ${place} AS place FROM ${table}`;
  return `WITH every AS (${set("full_dataset_metadata", "all records", 1)} UNION ALL ${
    set("unique_seqs_metadata", "unique sequences", 2)
  } UNION ALL ${set("votu_clusters_metadata", "representatives", 3)}),
    named AS (SELECT * FROM every WHERE taxon IS NOT NULL),
    top AS (SELECT taxon, row_number() OVER (ORDER BY count(*) DESC, taxon) AS rank FROM named WHERE place = 1 GROUP BY 1),
    sets AS (SELECT "set", place, count(*) AS n FROM named GROUP BY 1, 2)
    SELECT top.taxon, sets."set", count(named.taxon) AS records, count(named.taxon) / n::DOUBLE AS share
    FROM top CROSS JOIN sets LEFT JOIN named ON named.taxon = top.taxon AND named."set" = sets."set"
    WHERE rank <= 3 GROUP BY top.taxon, rank, sets."set", sets.place, n ORDER BY rank, sets.place`;
}

export function hostRangeSql(taxon: string, host: string): string {
  return `WITH pairs AS (SELECT ${textSql(taxon)} AS taxon, ${textSql(host)} AS host FROM lake),
    cells AS (SELECT taxon, host, count(*) AS records FROM pairs WHERE taxon IS NOT NULL AND host IS NOT NULL GROUP BY 1, 2),
    taxa AS (SELECT taxon, row_number() OVER (ORDER BY sum(records) DESC, taxon) AS t FROM cells GROUP BY 1),
    hosts AS (SELECT host, row_number() OVER (ORDER BY sum(records) DESC, host) AS h FROM cells GROUP BY 1)
    SELECT CASE WHEN t <= 5 THEN taxon ELSE 'other (' || ((SELECT count(*) FROM taxa) - 5) || ' species)' END AS taxon,
      CASE WHEN h <= 5 THEN host ELSE 'other (' || ((SELECT count(*) FROM hosts) - 5) || ' hosts)' END AS host,
      sum(records)::BIGINT AS records
    FROM cells JOIN taxa USING (taxon) JOIN hosts USING (host)
    GROUP BY 1, 2, least(t, 6), least(h, 6) ORDER BY least(t, 6), least(h, 6)`;
}

export function clusterSql(column: string): string {
  return `WITH sizes AS (SELECT count(*) AS size FROM lake WHERE ${quote(column)} IS NOT NULL GROUP BY ${
    quote(column)
  }),
    counts AS (SELECT size, count(*) AS clusters FROM sizes GROUP BY size)
    SELECT size, clusters, (sum(clusters) OVER (ORDER BY size DESC) - clusters + 1)::BIGINT AS first_rank,
      (sum(clusters) OVER (ORDER BY size DESC))::BIGINT AS last_rank FROM counts ORDER BY size DESC`;
}

export function segmentsSql(isolate: string, segment: string, species: string): string {
  return `WITH named AS (SELECT ${quote(isolate)} AS i, ${quote(segment)} AS s, ${quote(species)} AS v FROM lake
      WHERE i IS NOT NULL AND s IS NOT NULL AND v IS NOT NULL),
    sets AS (SELECT v, i, count(DISTINCT s) AS segments FROM named GROUP BY 1, 2),
    whole AS (SELECT v, count(DISTINCT s) AS whole FROM named GROUP BY 1)
    SELECT segments, CASE WHEN segments = whole THEN 'complete' ELSE 'incomplete' END AS "set", count(*) AS isolates
    FROM sets JOIN whole USING (v) GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** Names of countries in the data, and what reads them. */
export interface Names {
  readonly places: PlaceReader;
  readonly names: readonly string[];
  /** Codes of countries that the map has shapes of. */
  readonly large: ReadonlySet<string>;
}

export function countrySql(column: string, places: Names): string {
  return `WITH named AS (SELECT ${codes(column, places, "code")} AS code, ${codes(column, places, "name")} AS place,
      ${quote(column)} AS name FROM lake WHERE ${quote(column)} IS NOT NULL),
    names AS (SELECT code, place, name, count(*) AS n FROM named GROUP BY ALL)
    SELECT code, place, sum(n)::BIGINT AS records, string_agg(name, '; ' ORDER BY n DESC, name) AS names,
      CASE WHEN code IN (${
    [...places.large].map((code) => `'${code}'`).join(", ")
  }) THEN 'shape' ELSE 'dot' END AS drawn
    FROM names GROUP BY 1, 2 ORDER BY records DESC, code`;
}

export function flowSql(from: string, to: string, places: Names): string {
  const named = (name: string, place: string) =>
    `CASE WHEN ${place} <= 30 THEN ${name} ELSE 'other (' || ((SELECT count(*) FROM ranks) - 30) || ' countries)' END`;
  return `WITH every AS (SELECT ${codes(from, places, "name")} AS a, ${codes(to, places, "name")} AS b FROM lake),
    flows AS (SELECT a, b, count(*) AS n FROM every WHERE a IS NOT NULL AND b IS NOT NULL GROUP BY 1, 2),
    ranks AS (SELECT c, row_number() OVER (ORDER BY sum(n) DESC, c) AS r
      FROM (SELECT a AS c, n FROM flows UNION ALL SELECT b, n FROM flows) GROUP BY 1)
    SELECT ${named("a", "x.r")} AS collected_in, ${named("b", "y.r")} AS submitted_from, sum(n)::BIGINT AS records
    FROM flows JOIN ranks x ON x.c = a JOIN ranks y ON y.c = b
    GROUP BY 1, 2, least(x.r, 31), least(y.r, 31) ORDER BY least(x.r, 31), least(y.r, 31)`;
}

/** What the reader makes of every name: reading names is not what DuckDB is to check, counting is. */
function codes(column: string, { places, names }: Names, value: "code" | "name"): string {
  const known = names.flatMap((name) => {
    const { country } = places.read(name);
    return country === undefined
      ? []
      : [`WHEN '${name.replaceAll("'", "''")}' THEN '${country[value].replaceAll("'", "''")}'`];
  });
  return `CASE ${quote(column)} ${known.join(" ")} END`;
}
