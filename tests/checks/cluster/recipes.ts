/** Every analysis on Spark: the same numbers as in this process, to the last bit, and nothing of them computed here. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { digestFrame } from "../../../src/core/engine/digest/frame_digest.ts";
import { spark } from "../../../src/spark/engine/spark.ts";
import { startSha256 } from "../../../src/core/io/digest/sha256.ts";
import type { Analysis } from "../../../src/analysis/mod.ts";
import { type Lake, openLake } from "../../../src/core/tables/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { lakeOf, otherLakeOf } from "./_lakes.ts";
import { countLocalScans } from "./_local_scans.ts";
import { executors } from "./_rest.ts";
import { inSeconds, IS_LONG, load, runningCluster } from "./_room.ts";
import { WORKERS } from "./_settings.ts";

const RECORDS = IS_LONG ? 1_000_000 : 20_000;
/** Other data for the negative control. */
const OTHER_RECORDS = 15_000;
const SNAPSHOT = "2026-01-31";
const EVERY = { ...RECIPES, ...LAKE_RECIPES };

const cluster = await runningCluster();
const folder = await lakeOf(cluster, RECORDS);
const other = await otherLakeOf(cluster, OTHER_RECORDS);

/** The digest of an analysis: its title, its frame and its notes. */
async function digestOf({ title, frame, notes }: Analysis): Promise<string> {
  const hash = startSha256();
  hash.update(new TextEncoder().encode(JSON.stringify([title, await digestFrame(frame), notes])));
  return hash.digest();
}

async function tasksOfExecutors(): Promise<Map<string, number>> {
  return new Map((await executors(cluster)).map(({ id, completedTasks }) => [id, completedTasks]));
}

async function timed(lake: Lake, name: string): Promise<{ digest: string; seconds: number }> {
  const begun = performance.now();
  const digest = await digestOf(await EVERY[name](lake, SNAPSHOT));
  return { digest, seconds: (performance.now() - begun) / 1000 };
}

Deno.test(`${Object.keys(EVERY).length} analyses of ${RECORDS} rows have one digest here and on Spark`, async (t) => {
  await using local = await openLake(folder);
  await using remote = await openLake(folder, { engine: spark(cluster.url) });
  await using otherRemote = await openLake(other, { engine: spark(cluster.url) });
  // The counter counts: an analysis of this process scans.
  assert(await countLocalScans(async () => void await EVERY.topTaxa(local)) > 0);
  const total = { here: 0, spark: 0, equal: 0 };
  for (const name of Object.keys(EVERY)) {
    await t.step(name, async () => {
      const here = await timed(local, name);
      const before = await tasksOfExecutors();
      let there = { digest: "", seconds: 0 };
      const scans = await countLocalScans(async () => void (there = await timed(remote, name)));
      const after = await tasksOfExecutors();
      const tasks = [...after].map(([id, done]) => done - (before.get(id) ?? 0)).filter((done) => done > 0);
      console.log(
        `${name}: ${there.digest.slice(0, 12)}, here ${inSeconds(here.seconds)}, Spark ${inSeconds(there.seconds)}, ` +
          `tasks ${tasks.join(" + ")}`,
      );
      total.here += here.seconds;
      total.spark += there.seconds;
      assertEquals(there.digest, here.digest, "another digest on Spark");
      assertEquals(scans, 0, "files were read in this process");
      assert(tasks.length > 0, "Spark had no task");
      assertNotEquals((await timed(otherRemote, name)).digest, here.digest, "other data has the same digest");
      total.equal++;
    });
  }
  // A small table in one file is one task; over all analyses both executors must have had some.
  const all = await tasksOfExecutors();
  assertEquals([...all.values()].filter((done) => done > 0).length, WORKERS, "an executor had no task");
  console.log(`${total.equal} equal; tasks of the executors so far: ${[...all.values()].join(" + ")}`);
  console.log(`here ${inSeconds(total.here)}, Spark ${inSeconds(total.spark)}, ${load()}`);
});

Deno.test("lake.check() confirms the numbers of Spark, and has the provenance of both engines", async () => {
  await using local = await openLake(folder);
  await using remote = await openLake(folder, { engine: spark(cluster.url) });
  const { digest, engines, plans } = await remote.check((lake) => RECIPES.worldMap(lake, SNAPSHOT));
  assertEquals(digest, await digestFrame((await RECIPES.worldMap(local, SNAPSHOT)).frame));
  assertEquals(engines.map(({ engine }) => engine), ["local", "spark"]);
  assertEquals(engines[1].settings["spark.sql.ansi.enabled"], "true");
  assert(plans.length > 0);
});
