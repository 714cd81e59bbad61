/** Clients that ask for too much or must not ask at all: a clear error, and nothing left. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { SparkError, type SparkReason } from "../../../src/spark/connect/spark_error.ts";
import { walk } from "../../_files.ts";
import { needsSmallDisk, onSmallDisk } from "../../_small_disk.ts";
import { testNeeding } from "../../_needs.ts";
import { type Cluster, restartConnect, restartWorkers } from "./_cluster.ts";
import { openClient } from "./_heavy.ts";
import { lakeOf } from "./_lakes.ts";
import { executors, waitForExecutors, waitUntilIdle } from "./_rest.ts";
import { runningCluster } from "./_room.ts";
import { WORKERS } from "./_settings.ts";

const IDLE_MS = 5000;
const READY_MS = 120_000;
/** Rows of about 1 kB each: 200 MB in all. */
const ROWS = 200_000;
const WIDE = `SELECT id, repeat(sha2(cast(id AS STRING), 256), 16) AS text FROM range(0, ${ROWS}, 1, 64)`;
/** What is shuffled must not fit on the small disk, and must not shrink by compression. */
const SHUFFLED = "SELECT sum(length(text)) AS n FROM (SELECT /*+ REPARTITION(8, id) */ id, " +
  "concat(sha2(cast(id AS STRING), 512), sha2(cast(-id AS STRING), 512)) AS text FROM range(0, 1000000, 1, 8))";
const DISK_KIB = 16 * 1024;

const cluster = await runningCluster();

async function failureOf(work: () => Promise<unknown>): Promise<SparkError> {
  const thrown = await work().then(() => undefined, (error) => error);
  assert(thrown instanceof SparkError, `expected a SparkError, got ${thrown}`);
  return thrown;
}

async function assertIdle(of: Cluster, what: string): Promise<void> {
  const ms = await waitUntilIdle(of, IDLE_MS);
  assert(ms !== undefined, `${what}: the engine still computes after ${IDLE_MS} ms`);
}

async function assertFails(work: () => Promise<unknown>, reason: SparkReason, words: string): Promise<void> {
  const { message, reason: found } = await failureOf(work);
  console.log(message);
  assertEquals(found, reason, message);
  assertStringIncludes(message, words);
  assertEquals(message.split("\n").length, 1);
  await assertIdle(await runningCluster(), reason);
}

Deno.test("a result that is too large is refused here, and may be written by the engine", async (t) => {
  await using client = await SparkClient.open(cluster.url);
  await t.step("too many rows", () => assertFails(() => client.collect(WIDE), "too-large", "100,000 rows"));
  await t.step(
    "too many bytes",
    () => assertFails(() => client.collect(WIDE, { maxRows: Infinity }), "too-large", "67,108,864 bytes"),
  );
  await t.step("too much for Spark's own driver", async () => {
    const much = WIDE.replace(`${ROWS}`, `${ROWS * 2}`);
    const limits = { maxRows: Infinity, maxBytes: Infinity };
    await assertFails(() => client.collect(much, limits), "too-large", "spark.driver.maxResultSize");
  });
  await t.step("written as Parquet instead", async () => {
    const spill = join(cluster.folder, "spill");
    const { location, rows } = await client.spill(WIDE, spill);
    const read = await client.collect(`SELECT id FROM parquet.\`${location}\``, { maxRows: Infinity });
    assertEquals([read.rows, rows], [ROWS, ROWS]);
    await Deno.remove(spill, { recursive: true });
  });
});

Deno.test("a statement that Spark refuses is refused in its words, before a task runs", async () => {
  await using client = await SparkClient.open(cluster.url);
  const done = async () => (await executors(cluster)).reduce((sum, { completedTasks }) => sum + completedTasks, 0);
  const before = await done();
  await assertFails(() => client.collect("SELEC 1"), "refused", "PARSE_SYNTAX_ERROR");
  await assertFails(() => client.collect("SELECT * FROM absent"), "refused", "absent");
  assertEquals(await done(), before);
});

testNeeding(needsSmallDisk(), "a full disk of the workers: an error that says so, and nothing is left", async () => {
  const lake = await lakeOf(cluster, 2000);
  let before = await executors(cluster);
  await onSmallDisk(DISK_KIB, async (small) => {
    // Both of them: with one, tasks that failed there may come to the other one, and the query to its end.
    const restarted = await restartWorkers(cluster, { localFolder: small });
    try {
      assert(
        await waitForExecutors(restarted, WORKERS, READY_MS, before) !== undefined,
        "no executors on the small disk",
      );
      await using client = await openClient(restarted, lake);
      await assertFails(() => client.collect(SHUFFLED), "disk", "spark.local.dir");
    } finally {
      before = await executors(restarted);
      await restartWorkers(restarted);
    }
    // A worker that is ended while it starts an executor may leave the executor's empty folder.
    const left = await walk(pathToFileURL(`${small}/`), "");
    assertEquals(left.map(String), [], "files are left on the small disk");
  });
  const whole = await runningCluster();
  assert(await waitForExecutors(whole, WORKERS, READY_MS, before) !== undefined, "no executors on the large disk");
  await using client = await openClient(whole, lake);
  assertEquals((await client.collect(SHUFFLED)).rows, 1);
});

Deno.test("a wrong token, and none, are refused; the right one is never shown", async () => {
  const [right, wrong] = [crypto.randomUUID(), crypto.randomUUID()];
  const closed = await restartConnect(await runningCluster(), { token: right });
  try {
    const url = (token: string) => `${closed.url}/;use_ssl=false${token && `;token=${token}`}`;
    for (const token of [wrong, ""]) {
      const { reason, message } = await failureOf(() => SparkClient.open(url(token)));
      console.log(message);
      assertEquals(reason, "token");
      assert(!message.includes(wrong) && !message.includes(right));
    }
    await using client = await SparkClient.open(url(right));
    assertEquals(await client.version(), "4.3.0");
    const log = await Deno.readTextFile(join(cluster.folder, "connect.log"));
    assert(!log.includes(right), "the server's log shows the token");
  } finally {
    await restartConnect(closed, cluster.options);
  }
});
