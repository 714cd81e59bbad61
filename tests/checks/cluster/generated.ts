/**
 * Queries over generated frames of hostile values: Spark computes what polars computes, value by value. 200 frames of a
 * random seed; long: 1,000. `SEQREG_SEED=N` repeats those of a seed.
 */
import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import pl from "nodejs-polars";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { SparkSession } from "../../../src/spark/engine/spark_session.ts";
import { sparkDialect } from "../../../src/spark/sql/spark_dialect.ts";
import { compareResult, generateCase, type GeneratedCase, writeGenerated } from "../../core/engine/_generated.ts";
import { collectTogether, compareTogether, type StatementEngine } from "../../core/engine/_together.ts";
import { restartConnect } from "./_cluster.ts";
import { inSeconds, IS_LONG, load, runningCluster } from "./_room.ts";
import { inFolder } from "../../_files.ts";

const FRAMES = IS_LONG ? 1_000 : 200;
/** Frames of one table, whose queries are one statement. */
const TOGETHER = 25;
const TABLES = 4;
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? Math.floor(Math.random() * 2 ** 31));

// The classes that Spark compiled for other queries stay in its memory, and every frame adds some.
const cluster = await restartConnect(await runningCluster());

interface Batch {
  readonly cases: readonly GeneratedCase[];
}

/** Opens the frames of some seeds on Spark, in tables of {@linkcode TOGETHER}, and hands their queries over. */
async function withFrames(
  from: number,
  tables: number,
  work: (batches: readonly Batch[], engine: StatementEngine) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const written = await Promise.all(Array.from({ length: tables }, async (_, at) => {
      const first = from + at * TOGETHER;
      const [table] = (await writeGenerated(folder, first, first + TOGETHER, `generated_${at}`)).tables;
      const cases = Array.from({ length: TOGETHER }, (_, offset) => generateCase(first + offset, table.scan()));
      return { table, cases };
    }));
    const lake = { location: folder, tables: written.map(({ table }) => table) };
    await using client = await SparkClient.open(cluster.url);
    const session = await SparkSession.open(client, { lake, limits: {} });
    await work(written, {
      dialect: sparkDialect,
      compile: (query) => session.compile(query),
      sql: (statement) => session.sql(statement),
    });
  });
}

const perTest = TOGETHER * TABLES;
for (let done = 0; done < FRAMES; done += perTest) {
  const from = SEED + done;
  Deno.test(`${perTest} queries over frames of the seeds from ${from} equal polars`, async () => {
    const begun = performance.now();
    await withFrames(from, TABLES, async (batches, engine) => {
      const faults = (await Promise.all(batches.map(({ cases }) => compareTogether(cases, engine)))).flat();
      assertEquals(faults, [], `SEQREG_SEED=${SEED} deno task cluster generated repeats it`);
    });
    console.log(`seeds from ${from}: ${inSeconds((performance.now() - begun) / 1000)}, ${load()}`);
  });
}

Deno.test("results of other queries are noticed", async () => {
  await withFrames(SEED, 1, async ([{ cases }], engine) => {
    const results = await collectTogether(cases.map(({ query }) => query), engine);
    const others = [...results.slice(1), results[0]];
    const differences = await Promise.all(cases.map((one, at) => compareResult(one, others[at])));
    const noticed = differences.filter((difference) => difference !== undefined).length;
    assert(noticed > 0.9 * cases.length, `${noticed} of ${cases.length}`);
  });
});

Deno.test("a limit at equal keys is refused on the cluster, and means agree to twelve digits", async () => {
  await inFolder(async (folder) => {
    const lake = await writeGenerated(folder, SEED, SEED + TOGETHER);
    await using client = await SparkClient.open(cluster.url);
    await using session = await SparkSession.open(client, { lake: { ...lake, main: lake.tables[0].name }, limits: {} });
    const rows = lake.tables[0].scan();
    await assertRejects(() => session.collect(rows.sort("case").limit(1)), Error, "same sort keys at the limit");
    const g = pl.when(pl.col("g").abs().lt(pl.lit(1e6))).then(pl.col("g")).otherwise(pl.lit(null));
    const query = rows.groupBy("k").agg(g.mean().alias("mean"), g.std().alias("std"), g.var().alias("var"));
    const [here, there] = [query.collectSync(), await session.collect(query)].map((one) => one.sort("k").toRecords());
    assertEquals(there.length, here.length);
    for (const [at, row] of here.entries()) {
      for (const name of ["mean", "std", "var"]) {
        assertAlmostEquals(Number(there[at][name]), Number(row[name]), Math.abs(Number(row[name])) * 1e-12);
      }
    }
  });
});
