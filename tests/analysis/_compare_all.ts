/** Compares every number that charts of a lake show with the one that DuckDB computes over the same Parquet. */
import { assert, assertEquals } from "@std/assert";
import { clusterQuality } from "../../src/analysis/recipes/cluster_quality.ts";
import { clusterSizes } from "../../src/analysis/recipes/cluster_sizes.ts";
import { Analysis } from "../../src/analysis/run/analysis.ts";
import { compareLengths } from "../../src/analysis/recipes/compare_lengths.ts";
import { compareSets } from "../../src/analysis/recipes/taxa/compare_sets.ts";
import { completenessBySource } from "../../src/analysis/recipes/completeness_by_source.ts";
import { fieldCompleteness } from "../../src/analysis/recipes/field_completeness.ts";
import { gcAgreement } from "../../src/analysis/recipes/gc_agreement.ts";
import { gcByMolecule } from "../../src/analysis/recipes/gc_by_molecule.ts";
import { hostRange } from "../../src/analysis/recipes/taxa/host_range.ts";
import { lengthByFamily } from "../../src/analysis/recipes/length_by_family.ts";
import { lengthDistribution } from "../../src/analysis/recipes/length_distribution.ts";
import { loadPlaces } from "../../src/analysis/places/places.ts";
import { qualityTiers } from "../../src/analysis/recipes/quality_tiers.ts";
import { rarefaction } from "../../src/analysis/recipes/taxa/rarefaction.ts";
import { releaseLag } from "../../src/analysis/recipes/release_lag.ts";
import { recordsInTime } from "../../src/analysis/recipes/records_in_time.ts";
import { schemaCard } from "../../src/analysis/recipes/schema_card.ts";
import { segmentsPerIsolate } from "../../src/analysis/recipes/segments_per_isolate.ts";
import { stratifiedSample } from "../../src/analysis/recipes/taxa/stratified_sample.ts";
import { submissionFlow } from "../../src/analysis/recipes/submission_flow.ts";
import { taxonomyAgreement } from "../../src/analysis/recipes/taxa/taxonomy_agreement.ts";
import { topTaxa } from "../../src/analysis/recipes/taxa/top_taxa.ts";
import { worldMap } from "../../src/analysis/recipes/world_map.ts";
import type { Lake } from "../../src/core/tables/lake/open/open_lake.ts";
import { loadWorld } from "../../src/analysis/places/world.ts";
import { assertSameNumbers, plainRows, quote, textSql } from "./_compare.ts";
import {
  clusterSql,
  countrySql,
  flowSql,
  hostRangeSql,
  type Names,
  segmentsSql,
  setsSql,
  topSql,
} from "./_sql_of_names.ts";
import {
  agreementSql,
  CLASS_NAMES,
  lagSql,
  lengthSql,
  percentSql,
  quantileSql,
  setLengthsSql,
  tiersSql,
  timeSql,
} from "./_sql_of_numbers.ts";

/** Fields of a set by what they are, as its definitions call them: what an analysis must find by itself. */
export type Fields = Readonly<Partial<Record<string, string>>>;

/** Compares every analysis of a lake, each as a step. */
export async function compareAll(lake: Lake, t: Deno.TestContext, fields: Fields): Promise<void> {
  const texts = await lake.sql(
    [fields.country, fields.submitter].filter((column) => column !== undefined)
      .map((column) => `SELECT DISTINCT ${quote(column)} AS name FROM lake WHERE ${quote(column)} IS NOT NULL`)
      .join(" UNION "),
  );
  const reader = await loadPlaces();
  const places: Names = {
    places: reader,
    names: texts.getColumn("name").toArray().map(String),
    large: new Set((await loadWorld(reader)).shapes.map(({ code }) => code ?? "")),
  };
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
      for (const cumulative of [false, true]) {
        await compare(
          `${cumulative ? "cumulative" : "each"} ${by} of ${date}`,
          [date],
          () => recordsInTime(lake, { by, date, cumulative }),
          (column) => timeSql(column, by, cumulative),
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

  await compare("lag", ["collection", "release"], () => binsOf(releaseLag(lake)), lagSql);
  await compare(
    "lag up to a day",
    ["collection", "release"],
    () => binsOf(releaseLag(lake, { snapshot: "2021-12-31" })),
    (collection, release) => lagSql(collection, release, "2021-12-31"),
  );
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
    const counts = plainRows(frame);
    const columns = counts.map(([field]) => {
      const column = quote(String(field));
      const says = saysNothing(lake, String(field));
      return [
        `count(${column}) - count(*) FILTER (${says})`,
        `count(*) FILTER (${says})`,
        `count(*) - count(${column})`,
      ];
    });
    const [theirs] = plainRows(await lake.sql(`SELECT ${named(columns.flat())} FROM lake`));
    assertEquals(counts.flatMap(([, ...each]) => each), theirs);
  });

  await t.step("completeness by source", async () => {
    const { frame } = await completenessBySource(lake, { by: "country", top: 3 });
    const country = `coalesce(${textSql(String(fields.country))}, 'none stated')`;
    const ranked = `WITH ranked AS (SELECT ${country} AS source, count(*) AS n FROM lake GROUP BY 1),
      named AS (SELECT source, row_number() OVER (ORDER BY n DESC, source) AS place, count(*) OVER () AS sources FROM ranked)`;
    const names = (lake.tables.get(lake.main)?.columns ?? []).map(({ name }) => name)
      .filter((name) => name !== fields.country);
    const counts = names.flatMap((name) => {
      const [says, empty] = [`count(*) FILTER (${saysNothing(lake, name)})`, `count(*) - count(${quote(name)})`];
      return [says, empty, `(${empty} + ${says}) / count(*)::DOUBLE`];
    });
    const bySource = plainRows(
      await lake.sql(
        `${ranked} SELECT CASE WHEN place <= 3 THEN source ELSE 'other (' || (sources - 3) || ' countries)' END AS s,
          count(*) AS records, ${named(counts)}
        FROM lake JOIN named ON source = ${country} GROUP BY s, least(place, 4) ORDER BY least(place, 4)`,
      ),
    );
    const theirs = names.flatMap((name, at) =>
      bySource.map(([source, records, ...each]) => [name, source, records, ...each.slice(at * 3, at * 3 + 3)])
    );
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
    const rows = frame.toRecords();
    const counts = rows.flatMap(({ field }) => {
      const [column, says] = [quote(String(field)), saysNothing(lake, String(field))];
      return [`count(${column}) FILTER (NOT ${says})`, `count(DISTINCT ${column}) FILTER (NOT ${says})`];
    });
    const [theirs] = plainRows(await lake.sql(`SELECT ${named(counts)} FROM lake`));
    for (const [at, { field, values, distinct }] of rows.entries()) {
      const expected = [field, theirs[2 * at], distinct === null ? null : theirs[2 * at + 1]];
      assertEquals([field, values, distinct], expected);
    }
  });

  await t.step("rarefaction", async () => {
    const { frame } = await rarefaction(lake, { steps: 7, orders: [0], extrapolate: false, bootstrap: 0 });
    const species = textSql(fields.species ?? "");
    for (
      const [records, expected] of plainRows(frame.select("records", "expected")).map((
        [m, e],
      ) => [Number(m), Number(e)])
    ) {
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

/** The counts of delays alone: what is estimated of them has tests of its own. */
async function binsOf(lag: Promise<Analysis>): Promise<Analysis> {
  const { title, frame, chart, notes } = await lag;
  return new Analysis({ title, frame: frame.select("from_days", "to_days", "records"), chart, notes });
}

/** Columns of a query, each with a name of its own. */
function named(expressions: readonly string[]): string {
  return expressions.map((expression, at) => `${expression} AS "column ${at}"`).join(", ");
}

/** Whether a record says that a field has no value, in SQL. */
function saysNothing(lake: Lake, field: string): string {
  const column = lake.tables.get(lake.main)?.columns.find(({ name }) => name === field);
  return column?.dtype === "String" ? `(${quote(field)} IS NOT NULL AND ${textSql(field)} IS NULL)` : "false";
}
