/** Every number that a chart shows equals the one that DuckDB computes over the same Parquet. */
import { assert, assertEquals } from "@std/assert";
import { clusterQuality } from "../../src/analysis/cluster_quality.ts";
import { clusterSizes } from "../../src/analysis/cluster_sizes.ts";
import type { Analysis } from "../../src/analysis/analysis.ts";
import { compareLengths } from "../../src/analysis/compare_lengths.ts";
import { compareSets } from "../../src/analysis/compare_sets.ts";
import { completenessBySource } from "../../src/analysis/completeness_by_source.ts";
import { fieldCompleteness } from "../../src/analysis/field_completeness.ts";
import { gcAgreement } from "../../src/analysis/gc_agreement.ts";
import { gcByMolecule } from "../../src/analysis/gc_by_molecule.ts";
import { hostRange } from "../../src/analysis/host_range.ts";
import { lengthByFamily } from "../../src/analysis/length_by_family.ts";
import { lengthDistribution } from "../../src/analysis/length_distribution.ts";
import { loadPlaces, type PlaceReader } from "../../src/analysis/places.ts";
import { qualityTiers } from "../../src/analysis/quality_tiers.ts";
import { rarefaction } from "../../src/analysis/rarefaction.ts";
import { releaseLag } from "../../src/analysis/release_lag.ts";
import { recordsInTime } from "../../src/analysis/records_in_time.ts";
import { PLACEHOLDERS } from "../../src/analysis/_run.ts";
import { schemaCard } from "../../src/analysis/schema_card.ts";
import { segmentsPerIsolate } from "../../src/analysis/segments_per_isolate.ts";
import { stratifiedSample } from "../../src/analysis/stratified_sample.ts";
import { submissionFlow } from "../../src/analysis/submission_flow.ts";
import { taxonomyAgreement } from "../../src/analysis/taxonomy_agreement.ts";
import { topTaxa } from "../../src/analysis/top_taxa.ts";
import { worldMap } from "../../src/analysis/world_map.ts";
import type { Lake } from "../../src/tables/open_lake.ts";
import { testWithRealData } from "../_files.ts";
import { assertSameNumbers, plainRows, quote, textSql } from "./_compare.ts";
import { REAL_SETS, realWorld, sampleWorld } from "./_worlds.ts";

Deno.test("numbers of the sample are those of DuckDB", async (t) => {
  await using world = await sampleWorld();
  await compareAll(world.lake, t, {
    bins: "10",
    length: "Sequence Length",
    species: "Species",
    host: "Host Species",
    collection: "Collection Date",
    release: "Release Date",
    cluster: "Cluster",
    gc: "GC Content",
    molecule: "Molecule Type",
    family: "Family",
    country: "Country",
    submitter: "Submitter Country",
    isolate: "Isolate",
    segment: "Segment",
    completeness: "Genome Completeness",
    ambiguous: "Ambiguous Bases",
  });
});

for (const name of Object.keys(REAL_SETS)) {
  testWithRealData(`numbers of ${name} are those of DuckDB`, async (_, t) => {
    await using world = await realWorld(name);
    await compareAll(world.lake, t, {
      bins: { zika: "200", sarscov2: "2000" }[name],
      length: "Sequence Length",
      species: "Species",
      collection: "Collection Date",
      cluster: "Cluster",
      country: "Country",
      isolate: "Isolate",
      segment: "Segment",
      ...name === "sarscov2" && { host: "Host Species", release: "Release Date" },
    });
  });
}

/** Fields of a set by what they are, as its definitions call them: what an analysis must find by itself. */
type Fields = Readonly<Partial<Record<string, string>>>;

async function compareAll(lake: Lake, t: Deno.TestContext, fields: Fields): Promise<void> {
  const texts = await lake.sql(
    [fields.country, fields.submitter].filter((column) => column !== undefined)
      .map((column) => `SELECT DISTINCT ${quote(column)} AS name FROM lake WHERE ${quote(column)} IS NOT NULL`)
      .join(" UNION "),
  );
  const places: Names = { places: await loadPlaces(), names: texts.getColumn("name").toArray().map(String) };
  const compare = async (
    name: string,
    needs: readonly string[],
    analyse: () => Promise<Analysis>,
    sql: (...columns: string[]) => string,
  ) => {
    await t.step(name, async () => {
      const analysis = await analyse();
      const columns = needs.map((need) => fields[need]);
      if (columns.includes(undefined)) {
        assertEquals([analysis.chart, analysis.frame.height], [undefined, 0]);
        assert(analysis.notes[0].includes("lacks a field for"), analysis.notes[0]);
      } else await assertSameNumbers(analysis, lake, sql(...columns.map(String)));
    });
  };

  await compare("lengths", ["length"], () => lengthDistribution(lake, { binsPerDecade: 4 }), lengthSql);
  for (const [by, need] of [["species", "species"], ["host", "host"]] as const) {
    await compare(`top ${by}`, [need], () => topTaxa(lake, { by, top: 4 }), (column) => topSql(column, 4));
  }
  for (const by of ["year", "month"] as const) {
    for (const date of ["collection", "release"] as const) {
      for (const sum of ["each", "cumulative"] as const) {
        await compare(
          `${sum} ${by} of ${date}`,
          [date],
          () => recordsInTime(lake, { by, date, sum }),
          (column) => timeSql(column, by, sum),
        );
      }
    }
  }
  await compare("clusters", ["cluster"], () => clusterSizes(lake), clusterSql);
  await compare("GC by molecule type", ["gc", "molecule"], () => gcByMolecule(lake), quantileSql);
  await compare("length by family", ["length", "family"], () => lengthByFamily(lake), quantileSql);

  await compare("host range", ["species", "host"], () => hostRange(lake, { by: "species", top: 5 }), hostRangeSql);
  await compare(
    "segments",
    ["isolate", "segment", "species"],
    () => segmentsPerIsolate(lake),
    segmentsSql,
  );
  await compare(
    "quality tiers",
    ["completeness", "length", "ambiguous"],
    () => qualityTiers(lake),
    tiersSql,
  );
  await compare("map", ["country"], () => worldMap(lake), (column) => countrySql(column, places));
  await compare(
    "submission flow",
    ["country", "submitter"],
    () => submissionFlow(lake, { top: 30 }),
    (from, to) => flowSql(from, to, places),
  );
  await compare(
    "stratified",
    ["species"],
    () => stratifiedSample(lake, { most: 3 }),
    (column) =>
      `SELECT ${quote(column)} AS stratum, count(*) AS before, least(count(*), 3) AS after
      FROM lake WHERE ${quote(column)} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
  );

  await compare("lag", ["collection", "release"], () => releaseLag(lake), lagSql);
  await compare("sets", ["species"], () => compareSets(lake, { top: 3 }), setsSql);
  await compare(
    "lengths of sets",
    ["length"],
    () => compareLengths(lake),
    (column) => setLengthsSql(column, Number(fields.bins)),
  );
  await compare("agreement of GC", ["gc"], () => gcAgreement(lake), agreementSql);

  await t.step("cluster quality", async () => {
    await assertSameNumbers(
      await clusterQuality(lake),
      lake,
      `WITH pairs AS (SELECT ${percentSql("Identity")} AS i, ${percentSql("Coverage")} AS c
          FROM votu_cluster_comparison_metrics WHERE Representative <> Member)
        SELECT ${CLASS_NAMES}[i] AS identity, ${CLASS_NAMES}[c] AS coverage, count(*) AS pairs FROM pairs GROUP BY i, c ORDER BY i, c`,
    );
  });
  await t.step("agreement of taxonomies", async () => {
    await assertSameNumbers(
      await taxonomyAgreement(lake),
      lake,
      `WITH cells AS (SELECT Rank AS rank, Relation AS relation, count(*) AS taxa FROM reftax1_to_reftax2_map GROUP BY 1, 2)
        SELECT * FROM cells ORDER BY sum(taxa) OVER (PARTITION BY rank) DESC, rank,
          sum(taxa) OVER (PARTITION BY relation) DESC, relation`,
    );
  });

  await t.step("completeness of fields", async () => {
    const { frame } = await fieldCompleteness(lake);
    for (const [field, filled, placeholder, empty] of plainRows(frame)) {
      const column = quote(String(field));
      const isText = lake.tables.get(lake.main)?.columns.find(({ name }) => name === field)?.dtype === "String";
      const says = isText ? `${column} IN (${PLACEHOLDER_WORDS})` : "false";
      const [theirs] = plainRows(
        await lake.sql(
          `SELECT count(${column}) - count(*) FILTER (${says}), count(*) FILTER (${says}), count(*) - count(${column}) FROM lake`,
        ),
      );
      assertEquals([filled, placeholder, empty], theirs, String(field));
    }
  });

  await t.step("completeness by source", async () => {
    const { frame } = await completenessBySource(lake, { by: "country", top: 3 });
    const country = `coalesce(${textSql(String(fields.country))}, 'none stated')`;
    const ranked = `WITH ranked AS (SELECT ${country} AS source, count(*) AS n FROM lake GROUP BY 1),
      named AS (SELECT source, row_number() OVER (ORDER BY n DESC, source) AS place, count(*) OVER () AS sources FROM ranked)`;
    const theirs: unknown[][] = [];
    for (const { name, dtype } of lake.tables.get(lake.main)?.columns ?? []) {
      if (name === fields.country) continue;
      const says = dtype === "String" ? `${quote(name)} IN (${PLACEHOLDER_WORDS})` : "false";
      theirs.push(...plainRows(
        await lake.sql(
          `${ranked} SELECT '${name}', CASE WHEN place <= 3 THEN source ELSE 'other (' || (sources - 3) || ' countries)' END AS s,
            count(*), count(*) FILTER (${says}), count(*) - count(${quote(name)}),
            (count(*) - count(${quote(name)}) + count(*) FILTER (${says})) / count(*)::DOUBLE
          FROM lake JOIN named ON source = ${country} GROUP BY s, least(place, 4) ORDER BY least(place, 4)`,
        ),
      ));
    }
    const missing = (name: unknown) =>
      theirs.filter(([field]) => field === name).reduce((sum, row) => sum + Number(row[3]) + Number(row[4]), 0);
    const order = theirs.map((row, place) => ({ row, place })).sort((one, other) =>
      missing(other.row[0]) - missing(one.row[0]) ||
      (one.row[0] === other.row[0] ? one.place - other.place : String(one.row[0]) < String(other.row[0]) ? -1 : 1)
    );
    assertEquals(plainRows(frame), order.map(({ row }) => row));
  });

  await t.step("schema card", async () => {
    const { frame, chart } = await schemaCard(lake);
    assertEquals(chart, undefined);
    for (const row of frame.toRecords()) {
      const column = quote(String(row.field));
      const [[values, distinct]] = plainRows(
        await lake.sql(`SELECT count(${column}), count(DISTINCT ${column}) FROM lake`),
      );
      assertEquals(row.values, values, String(row.field));
      if (row.distinct !== null) assertEquals(row.distinct, distinct, String(row.field));
    }
  });

  await t.step("rarefaction", async () => {
    const { frame } = await rarefaction(lake, { steps: 7 });
    const species = textSql(fields.species ?? "");
    for (const [records, expected] of plainRows(frame).map(([m, e]) => [Number(m), Number(e)])) {
      const query =
        `WITH kinds AS (SELECT ${species} AS kind, count(*) AS n FROM lake GROUP BY 1 HAVING kind IS NOT NULL),
        whole AS (SELECT sum(n) AS all_n FROM kinds)
        SELECT sum(1 - CASE WHEN all_n - n < ${records} THEN 0 ELSE exp(lgamma(all_n - n + 1) + lgamma(all_n - ${records} + 1)
          - lgamma(all_n - n - ${records} + 1) - lgamma(all_n + 1)) END) AS expected FROM kinds, whole`;
      const [[theirs]] = plainRows(await lake.sql(query));
      assert(Math.abs(Number(theirs) - expected) <= 1e-6 * expected, `at ${records}: ${expected}, DuckDB ${theirs}`);
    }
  });
}

const PLACEHOLDER_WORDS = PLACEHOLDERS.flatMap((word) => [
  word,
  word.toUpperCase(),
  word[0].toUpperCase() + word.slice(1),
]).map((word) => `'${word}'`).join(", ");

/** Bins of a quarter of a power of ten, from the one of the shortest to the one of the longest. */
function lengthSql(column: string): string {
  return `WITH edges AS (SELECT k, CASE WHEN k % 4 = 0 THEN 10 ** (k // 4) ELSE ceil(pow(10, k / 4)) END::BIGINT AS edge FROM range(0, 40) AS r(k)),
    bins AS (SELECT edge AS "from", lead(edge) OVER (ORDER BY k) - 1 AS "to" FROM edges),
    lengths AS (SELECT ${quote(column)} AS length FROM lake WHERE ${quote(column)} >= 1)
    SELECT "from", "to", count(length) AS records FROM bins LEFT JOIN lengths ON length BETWEEN "from" AND "to"
    WHERE "to" >= (SELECT min(length) FROM lengths) AND "from" <= (SELECT max(length) FROM lengths)
    GROUP BY 1, 2 ORDER BY 1`;
}

function topSql(column: string, top: number): string {
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

function timeSql(column: string, by: "year" | "month", sum: "each" | "cumulative"): string {
  const dated = `WITH dates AS (SELECT substr(${quote(column)}, 1, ${by === "year" ? 4 : 7}) AS period,
      CASE WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN 'day'
        WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}(-XX)?$') THEN 'month' ELSE 'year' END AS precision
      FROM lake WHERE ${quote(column)} SIMILAR TO '[12][0-9]{3}.*'),
    each AS (SELECT period, precision, count(*) AS records FROM dates
      WHERE '${by}' = 'year' OR precision <> 'year' GROUP BY 1, 2)`;
  if (sum === "each") return `${dated} SELECT * FROM each ORDER BY period, precision`;
  const periods = by === "year"
    ? "SELECT lpad(y::VARCHAR, 4, '0') AS period FROM range(1800, 2100) AS r(y)"
    : "SELECT y::VARCHAR || '-' || lpad(m::VARCHAR, 2, '0') AS period FROM range(1800, 2100) AS r(y), range(1, 13) AS s(m)";
  return `${dated}, periods AS (SELECT * FROM (${periods}) WHERE period BETWEEN (SELECT min(period) FROM each) AND (SELECT max(period) FROM each)),
    grid AS (SELECT * FROM periods, (SELECT DISTINCT precision FROM each))
    SELECT g.period, g.precision, sum(records)::BIGINT AS records FROM grid g JOIN each e
      ON e.precision = g.precision AND e.period <= g.period GROUP BY 1, 2 ORDER BY 1, 2`;
}

function clusterSql(column: string): string {
  return `WITH sizes AS (SELECT count(*) AS size FROM lake WHERE ${quote(column)} IS NOT NULL GROUP BY ${
    quote(column)
  }),
    counts AS (SELECT size, count(*) AS clusters FROM sizes GROUP BY size)
    SELECT size, clusters, (sum(clusters) OVER (ORDER BY size DESC) - clusters + 1)::BIGINT AS first_rank,
      (sum(clusters) OVER (ORDER BY size DESC))::BIGINT AS last_rank FROM counts ORDER BY size DESC`;
}

function quantileSql(value: string, group: string): string {
  const quantile = (q: number) => `quantile_cont(${quote(value)}::DOUBLE, ${q})`;
  return `SELECT ${quote(group)} AS "group", count(*) AS records, ${quantile(0.05)} AS q05, ${quantile(0.25)} AS q25,
      ${quantile(0.5)} AS median, ${quantile(0.75)} AS q75, ${quantile(0.95)} AS q95
    FROM lake WHERE ${quote(value)} > 0 AND ${quote(group)} IS NOT NULL GROUP BY 1 HAVING count(*) >= 30
    ORDER BY median DESC, 1`;
}

const CLASS_NAMES = "['100 %', '99 to 100 %', '95 to 99 %', '90 to 95 %', '70 to 90 %', 'below 70 %']";

/** Place of a percentage among the classes, from 1. */
function percentSql(column: string): string {
  const value = `${quote(column)}::DOUBLE`;
  return `CASE WHEN ${value} >= 100 THEN 1 WHEN ${value} >= 99 THEN 2 WHEN ${value} >= 95 THEN 3 WHEN ${value} >= 90 THEN 4
    WHEN ${value} >= 70 THEN 5 ELSE 6 END`;
}

function lagSql(collection: string, release: string): string {
  const day = (column: string) =>
    `CASE WHEN regexp_matches(${quote(column)}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN try_cast(${
      quote(column)
    } AS DATE) END`;
  return `WITH lags AS (SELECT ${day(release)} - ${day(collection)} AS days FROM lake),
    used AS (SELECT days FROM lags WHERE days >= 0),
    width AS (SELECT CASE WHEN max(days) // 7 < 60 AND max(days) / 7 < 60 THEN 7 ELSE 30 END AS w FROM used),
    bins AS (SELECT k * w AS f, k * w + w - 1 AS t FROM width, range(0, 100) AS r(k))
    SELECT f::BIGINT AS from_days, t::BIGINT AS to_days, count(days) AS records FROM bins LEFT JOIN used ON days BETWEEN f AND t
    WHERE t >= (SELECT min(days) FROM used) AND f <= (SELECT max(days) FROM used) GROUP BY 1, 2 ORDER BY 1`;
}

function setsSql(column: string): string {
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

function agreementSql(column: string): string {
  return `WITH pairs AS (SELECT abs(m.${quote(column)} - s.gc * 100) AS d
      FROM lake m JOIN full_dataset_sequence s ON s."Registry Accession" = m."Registry Accession" WHERE d IS NOT NULL),
    classes AS (SELECT * FROM (VALUES (0, 'up to 0.01', -1, 0.01), (1, '0.01 to 0.1', 0.01, 0.1), (2, '0.1 to 1', 0.1, 1),
      (3, 'above 1', 1, 1e9)) AS v(place, difference, low, high))
    SELECT difference, count(d) AS records FROM classes LEFT JOIN pairs ON d > low + 1e-9 AND d <= high + 1e-9
    GROUP BY place, difference ORDER BY place`;
}

function hostRangeSql(taxon: string, host: string): string {
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

function segmentsSql(isolate: string, segment: string, species: string): string {
  return `WITH named AS (SELECT ${quote(isolate)} AS i, ${quote(segment)} AS s, ${quote(species)} AS v FROM lake
      WHERE i IS NOT NULL AND s IS NOT NULL AND v IS NOT NULL),
    sets AS (SELECT v, i, count(DISTINCT s) AS segments FROM named GROUP BY 1, 2),
    whole AS (SELECT v, count(DISTINCT s) AS whole FROM named GROUP BY 1)
    SELECT segments, CASE WHEN segments = whole THEN 'complete' ELSE 'incomplete' END AS "set", count(*) AS isolates
    FROM sets JOIN whole USING (v) GROUP BY 1, 2 ORDER BY 1, 2`;
}

function tiersSql(completeness: string, length: string, ambiguous: string): string {
  return `WITH tiers AS (SELECT ${textSql(completeness)} AS completeness, ${quote(ambiguous)} / ${
    quote(length)
  }::DOUBLE AS share
      FROM lake WHERE ${quote(length)} > 0),
    named AS (SELECT completeness, CASE WHEN share = 0 THEN 1 WHEN share <= 0.01 THEN 2 WHEN share <= 0.05 THEN 3 ELSE 4 END AS tier
      FROM tiers WHERE completeness IS NOT NULL AND share IS NOT NULL)
    SELECT completeness, ['none', 'up to 1 %', '1 % to 5 %', 'above 5 %'][tier] AS ambiguous, count(*) AS records FROM named
    GROUP BY completeness, tier ORDER BY sum(count(*)) OVER (PARTITION BY completeness) DESC, completeness, tier`;
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

interface Names {
  readonly places: PlaceReader;
  readonly names: readonly string[];
}

function countrySql(column: string, places: Names): string {
  return `WITH named AS (SELECT ${codes(column, places, "code")} AS code, ${codes(column, places, "name")} AS place,
      ${quote(column)} AS name FROM lake WHERE ${quote(column)} IS NOT NULL),
    names AS (SELECT code, place, name, count(*) AS n FROM named GROUP BY ALL)
    SELECT code, place, sum(n)::BIGINT AS records, string_agg(name, '; ' ORDER BY n DESC, name) AS names
    FROM names GROUP BY 1, 2 ORDER BY records DESC, code`;
}

function flowSql(from: string, to: string, places: Names): string {
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

/** Bins of lengths in each set, from the shortest of all to the longest. */
function setLengthsSql(column: string, perDecade: number): string {
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
