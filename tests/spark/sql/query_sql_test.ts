/** What plans become in SQL gives polars' results: DuckDB runs it here, `tests/checks/cluster` has Spark run it. */
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { EngineLake, EngineTable } from "../../../src/core/engine/engine.ts";
import { recordsInTime, topTaxa } from "../../../src/analysis/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { digestFrame } from "../../../src/core/engine/digest/frame_digest.ts";
import { describeDifference } from "../../../src/core/engine/digest/frame_difference.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { duckdbEngine, openDuckdb } from "../../core/engine/_duckdb_engine.ts";
import { compareCase, compareResult, generateCase, writeGenerated } from "../../core/engine/_generated.ts";
import { collectTogether, compareTogether } from "../../core/engine/_together.ts";
import { inFolder } from "../../_files.ts";

const CASES = 90;
const TOGETHER = 20;
/** Analyses whose queries cover those of the others, but for the many of one a field. */
const NAMES = [
  "lengthDistribution",
  "recordsInTime by year",
  "lengthByFamily",
  "clusterSizes",
  "qualityTiers",
  "segmentsPerIsolate",
  "stratifiedSample",
  "clusterQuality",
  "releaseLag",
  "compareSets",
  "gcAgreement",
];

Deno.test("queries over hostile values give what polars gives", async () => {
  await inFolder(async (folder) => {
    const lake = await writeGenerated(folder, 0, CASES);
    await using session = await duckdbEngine.open(lake);
    for (let seed = 0; seed < CASES; seed++) {
      const generated = generateCase(seed, lake.tables[0].scan());
      assertEquals(await compareCase(generated, session), undefined, generated.name);
    }
  });
});

Deno.test("queries over hostile values give the same as one statement, and a difference is noticed", async () => {
  await inFolder(async (folder) => {
    const lake = await writeGenerated(folder, CASES, CASES + TOGETHER);
    await using session = await openDuckdb(lake);
    // DuckDB's dictionaries hold 0 and −0 of one column as one value.
    const cases = Array.from({ length: TOGETHER }, (_, at) => ({
      ...generateCase(CASES + at, lake.tables[0].scan()),
      keepsValues: false,
    }));
    assertEquals(await compareTogether(cases, session), []);

    const results = await collectTogether(cases.map(({ query }) => query), session);
    const others = await Promise.all(cases.map((one, at) => compareResult(one, results[(at + 1) % TOGETHER])));
    const noticed = others.filter((difference) => difference !== undefined).length;
    assert(noticed > 0.8 * TOGETHER, `${noticed} of ${TOGETHER}`);

    const broken = { ...cases[3], query: cases[3].query.select("absent") };
    const [fault, ...more] = await compareTogether(cases.with(3, broken), session);
    assertEquals([fault.includes('the column "absent"'), more], [true, []]);
  });
});

Deno.test("the first rows of a sort are refused where rows that differ have the same keys at the limit", async () => {
  await inFolder(async (folder) => {
    const frame = pl.DataFrame([
      pl.Series("id", ["a", "b", "c", "d", "d"], pl.String),
      pl.Series("n", [1, 2, 2, 3, 3], pl.Int64),
      pl.Series("t", ["x", "y", "z", "w", "w"], pl.String),
    ]);
    const { table, lake } = await tableOf(folder, frame);
    await using session = await duckdbEngine.open(lake);
    const ids = async (query: LazyDataFrame) => (await session.collect(query)).getColumn("id").toArray();
    const sorted = table.scan().sort("n");
    await assertRejects(() => ids(sorted.limit(2)), Error, "same sort keys at the limit");
    await assertRejects(() => ids(sorted.slice(2, 1)), Error, "same sort keys at the limit");
    assertEquals(await ids(sorted.limit(1)), ["a"]);
    assertEquals(await ids(sorted.limit(3)), ["a", "b", "c"]);
    assertEquals(await ids(sorted.slice(1, 2)), ["b", "c"]);
    assertEquals(await ids(sorted.limit(4)), ["a", "b", "c", "d"], "rows that are equal may come in any order");
    assertEquals(await ids(sorted.limit(9)), ["a", "b", "c", "d", "d"]);
    assertEquals(await ids(table.scan().sort([pl.col("n"), pl.col("id")]).limit(2)), ["a", "b"]);
  });
});

Deno.test("equal values have ranks in the order of the rows", async () => {
  await inFolder(async (folder) => {
    const frame = pl.DataFrame([
      pl.Series("n", Array.from({ length: 500 }, (_, row) => row % 3), pl.Int64),
      pl.Series("id", Array.from({ length: 500 }, (_, row) => `r${(row * 7919) % 500}`), pl.String),
    ]);
    const { table, lake } = await tableOf(folder, frame);
    await using session = await duckdbEngine.open(lake);
    const query = table.scan().withColumns(pl.col("n").rank("ordinal").over("n").cast(pl.Int64).alias("rank"));
    const rows = (found: DataFrame) => found.sort("id").toRecords().map(({ id, rank }) => `${id} ${Number(rank)}`);
    assertEquals(rows(await session.collect(query)), rows(query.collectSync()));
  });
});

Deno.test("numbers with decimals are groups, and joined, as polars has them", async () => {
  await inFolder(async (folder) => {
    const rows = ["1.5", "1.7", "2016", "2016", "", "0", "0"].map((batch, at) => `${at},${batch},${2015 + at % 2}`);
    await Deno.writeTextFile(`${folder}/batches.csv`, `Accession,Batch,Collection Date\n${rows.join("\n")}\n`);
    await buildLake(`${folder}/batches.csv`, `${folder}/lake`);
    await using here = await openLake(`${folder}/lake`);
    await using there = await openLake(`${folder}/lake`, { engine: duckdbEngine });
    for (const lake of [here, there]) {
      const { frame } = await topTaxa(lake, { by: "host", fields: { host: "Batch" } });
      assertEquals(
        frame.toRecords().map(({ taxon, records }) => `${taxon}: ${records}`),
        ["0: 2", "2016: 2", "1.5: 1", "1.7: 1", "missing: 1"],
      );
    }
    const [one, other] = await Promise.all([here, there].map((lake) => recordsInTime(lake, { stack: "Batch" })));
    assertEquals(other.frame.toRecords(), one.frame.toRecords());
    assertEquals(one.frame.getColumn("group").toArray().includes("2016"), true);
  });
});

Deno.test("means and deviations of floats are those of polars to twelve digits", async () => {
  await inFolder(async (folder) => {
    const value = Array.from({ length: 1000 }, (_, row) => row % 11 === 0 ? null : Math.sin(row) * 10 ** (row % 7));
    const groups = value.map((_, row) => `g${row % 3}`);
    const frame = pl.DataFrame([
      pl.Series("k", [...groups, "one"], pl.String),
      pl.Series("x", [...value, 1.5], pl.Float64),
    ]);
    const { table, lake } = await tableOf(folder, frame);
    await using session = await duckdbEngine.open(lake);
    const x = pl.col("x");
    const query = table.scan().groupBy("k").agg(x.mean().alias("mean"), x.std().alias("std"), x.var().alias("var"));
    const [here, there] = [query.collectSync(), await session.collect(query)].map((found) =>
      found.sort("k").toRecords()
    );
    for (const [at, row] of here.entries()) {
      for (const name of ["mean", "std", "var"]) {
        if (row[name] === null) assertEquals([there[at].k, there[at][name]], ["one", null]);
        else assertAlmostEquals(Number(there[at][name]), Number(row[name]), Math.abs(Number(row[name])) * 1e-12);
      }
    }
  });
});

/** A table of one frame, in a lake of its own. */
async function tableOf(folder: string, frame: DataFrame): Promise<{ table: EngineTable; lake: EngineLake }> {
  const location = `${folder}/table.parquet`;
  frame.writeParquet(location);
  const { size } = await Deno.stat(location);
  const table: EngineTable = {
    name: "table",
    rows: frame.height,
    columns: frame.columns.map((name, at) => ({
      name,
      dtype: ({ String: "String", Int64: "Int64", Float64: "Float64" } as const)[
        String(Reflect.get(frame.dtypes[at], "variant")) as "String" | "Int64" | "Float64"
      ],
    })),
    parts: [{ name: "table.parquet", location, rows: frame.height, bytes: size }],
    scan: () => pl.scanParquet(location, { cache: false }),
  };
  return { table, lake: { location: folder, main: "table", tables: [table] } };
}

Deno.test("analyses give the same digests on another engine, and others for other data", async (t) => {
  await inFolder(async (folder) => {
    const [one, other] = [`${folder}/one`, `${folder}/other`];
    for (const [seed, path] of [one, other].entries()) {
      await makeSample(`${path}/archives`, { records: 120, seed });
      await buildLake(`${path}/archives`, `${path}/lake`);
    }
    await using local = await openLake(`${one}/lake`);
    await using far = await openLake(`${one}/lake`, { engine: duckdbEngine });
    await using different = await openLake(`${other}/lake`, { engine: duckdbEngine });
    for (const name of NAMES) {
      await t.step(name, async () => {
        const analyse = { ...RECIPES, ...LAKE_RECIPES }[name];
        const here = await analyse(local, "2026-01-31");
        const there = await analyse(far, "2026-01-31");
        assertEquals(
          await describeDifference({ name: "polars", frame: here.frame }, { name: "DuckDB", frame: there.frame }),
          undefined,
        );
        assertEquals(await digestFrame(there.frame), await digestFrame(here.frame));
        assertEquals(there.notes, here.notes);
      });
    }
    const filters: readonly (Parameters<typeof topTaxa>[1])[] = [
      { filter: { country: "Kenya", length: { from: "500" } } },
      { filter: { collectionDate: { from: "2010", to: "2015-06-15" } }, onePer: "species" },
      { filter: { collectionDate: { from: "2999" } } },
    ];
    for (const options of filters) {
      await t.step(JSON.stringify(options), async () => {
        const [here, there] = [await topTaxa(local, options), await topTaxa(far, options)];
        assertEquals([there.frame.toRecords(), there.notes], [here.frame.toRecords(), here.notes]);
      });
    }
    await assertRejects(
      () => topTaxa(far, { filter: { "Sequencing Technology": "Illumina MiSeq" } }),
      TypeError,
      "ListExpr",
    );
    const [same, not] = [await RECIPES.lengthDistribution(far), await RECIPES.lengthDistribution(different)];
    assertEquals(await digestFrame(same.frame) === await digestFrame(not.frame), false);
  });
});
