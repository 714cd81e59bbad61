/** Results beyond the limits through a folder that this machine shares with Spark. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { canonicalRows } from "../../../src/core/engine/digest/frame_digest.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { spark, type SparkEngineOptions } from "../../../src/spark/engine/spark.ts";
import { type Lake, openLake } from "../../../src/core/tables/mod.ts";
import { testNeeding } from "../../_needs.ts";
import { needsSmallDisk, onSmallDisk } from "../../_small_disk.ts";
import { lakeOf } from "./_lakes.ts";
import { restartWorkers } from "./_cluster.ts";
import { executors, waitForExecutors, waitUntilIdle } from "./_rest.ts";
import { load, runningCluster } from "./_room.ts";
import { WORKERS } from "./_settings.ts";

const RECORDS = 20_000;
const IDLE_MS = 5000;
const READY_MS = 120_000;
/** A column of each type, a name that Parquet once refused, and an order. */
const TYPES = `SELECT id, cast(id AS INT) AS i, cast(id AS SMALLINT) AS s, cast(id AS DOUBLE) / 7 AS d,
  cast(id AS FLOAT) AS f, cast(id AS DECIMAL(20, 3)) AS m, id % 2 = 0 AS b, nullif(cast(id AS STRING), '7') AS t,
  date_add(DATE'2020-01-01', cast(id AS INT)) AS day, timestamp_seconds(id) AS ts,
  cast(timestamp_seconds(id) AS TIMESTAMP_NTZ) AS ntz, array(cast(id AS STRING), NULL) AS l,
  double('NaN') AS "a name, with; (signs) = {}", cast(NULL AS INT) AS nothing
FROM range(0, 5000, 1, 4) ORDER BY id % 10, id DESC`;
/** Takes some seconds to write, in more tasks than there are executors. */
const LONG = "SELECT id, sha2(repeat(cast(id AS STRING), 2000), 512) AS text FROM range(0, 2000000, 1, 64)";

const cluster = await runningCluster();
const folder = await lakeOf(cluster, RECORDS);

/** A lake whose results go through a folder of their own, which must be empty in the end. */
async function withSpill(
  options: SparkEngineOptions,
  work: (lake: Lake, spill: string) => Promise<void>,
) {
  // Characters of patterns and of URLs.
  const spill = join(cluster.folder, "data", "spill [1]* {a}%20");
  await Deno.mkdir(spill);
  try {
    await using lake = await openLake(folder, { engine: spark(cluster.url, { spill, maxRows: 1000, ...options }) });
    await work(lake, spill);
    assertEquals([...Deno.readDirSync(spill)].map(({ name }) => name), []);
  } finally {
    await Deno.remove(spill, { recursive: true });
  }
}

/** Whether a file is below a folder, which others write to meanwhile. */
function hasFile(path: string): boolean {
  try {
    return [...Deno.readDirSync(path)].some(({ name, isFile }) => isFile || hasFile(join(path, name)));
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

/** Rows as texts; decimals have no value in JavaScript. */
async function rowsOf(frame: DataFrame): Promise<string[]> {
  const decimals = frame.columns.filter((_, index) => /Decimal/.test(Deno.inspect(frame.dtypes[index])));
  return await canonicalRows(frame.withColumns(...decimals.map((name) => pl.col(name).cast(pl.String))));
}

function typesOf(frame: DataFrame): string[] {
  return frame.columns.map((name, index) => `${name}: ${Deno.inspect(frame.dtypes[index])}`);
}

Deno.test("a result that Spark wrote has the rows, order and types of one that was sent", async (t) => {
  await using direct = await openLake(folder, { engine: spark(cluster.url) });
  await withSpill({}, async (spilled) => {
    const statements = { types: TYPES, lake: 'SELECT * FROM lake ORDER BY "Registry Accession" DESC' };
    for (const [name, sql] of Object.entries(statements)) {
      await t.step(name, async () => {
        const begun = performance.now();
        const expected = await direct.sql(sql);
        const between = performance.now();
        const frame = await spilled.sql(sql);
        const ms = (from: number, to: number) => `${(to - from).toFixed(0)} ms`;
        console.log(
          `${frame.height} rows: sent in ${ms(begun, between)}, written and read in ${ms(between, performance.now())}`,
        );
        assertEquals(typesOf(frame), typesOf(expected));
        assertEquals(await rowsOf(frame), await rowsOf(expected));
      });
    }
    await t.step("a query of polars", async () => {
      const query = spilled.scan().select("Registry Accession", "Country").sort("Registry Accession");
      const expected = await direct.collect(
        direct.scan().select("Registry Accession", "Country").sort("Registry Accession"),
      );
      const frame = await spilled.collect(query);
      assertEquals([frame.height, typesOf(frame)], [RECORDS, typesOf(expected)]);
      assertEquals(await rowsOf(frame), await rowsOf(expected));
    });
  });
});

Deno.test("Stop while a result is written leaves the engine idle, and no file", async () => {
  const reason = new DOMException("Stop was pressed", "AbortError");
  await withSpill({}, async (lake, spill) => {
    const controller = new AbortController();
    const stopped = lake.sql(LONG, [], { signal: controller.signal }).then(() => undefined, (error) => error);
    // Tasks write now: the statement whose rows were sent has ended.
    while (!hasFile(spill)) await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort(reason);
    assertEquals(await stopped, reason);
    const ms = await waitUntilIdle(cluster, IDLE_MS);
    assert(ms !== undefined, `the engine still computes after ${IDLE_MS} ms`);
    console.log(`idle after ${ms.toFixed(0)} ms, ${load()}`);
  });
});

testNeeding(
  needsSmallDisk(),
  "a full disk under a written result is an error that says so, and no file is left",
  async () => {
    const before = await executors(cluster);
    await onSmallDisk(8 * 1024, async (spill) => {
      try {
        await using lake = await openLake(folder, { engine: spark(cluster.url, { spill, maxRows: 1000 }) });
        const error = await assertRejects(() => lake.sql(LONG), SparkError);
        console.log(error.message);
        assertEquals(error.reason, "disk", error.message);
        assertEquals([...Deno.readDirSync(spill)].map(({ name }) => name), []);
      } finally {
        // A file that Java could not close keeps the disk busy until its process ends.
        await restartWorkers(cluster);
      }
    });
    assert(
      await waitForExecutors(cluster, WORKERS, READY_MS, before) !== undefined,
      "no executors after the full disk",
    );
  },
);
