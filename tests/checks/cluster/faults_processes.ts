/** Processes of a cluster that are killed or stopped under a query: the answer is that of an undisturbed run. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { restartConnect } from "./_cluster.ts";
import { calibrate, heavyDigestOf, openClient, runHeavy } from "./_heavy.ts";
import { lakeOf } from "./_lakes.ts";
import { findExecutors, killProcess, signalProcess } from "./_processes.ts";
import { executors, waitForExecutors, waitUntilIdle } from "./_rest.ts";
import { assertInTime, inSeconds, IS_LONG, load, runningCluster } from "./_room.ts";
import { WORKERS } from "./_settings.ts";

const RECORDS = 20_000;
/** How long the undisturbed query takes, about: starting an executor must be short compared with it. */
const SECONDS = IS_LONG ? 60 : 15;
/** Until an executor has been replaced. */
const REPLACED_MS = 120_000;
/** Until the engine must be idle after a Stop. */
const IDLE_MS = 5000;

const cluster = await runningCluster();
const lake = await lakeOf(cluster, RECORDS);
const work = await (async () => {
  await using client = await openClient(cluster, lake);
  const repeats = await calibrate(client, SECONDS);
  const { digest, seconds } = await runHeavy(client, repeats);
  console.log(`undisturbed: ${inSeconds(seconds)}, ${repeats} repeats of ${RECORDS} rows, ${load()}`);
  return { repeats, digest, seconds };
})();

Deno.test("the query's answer is that of DuckDB", async () => {
  assertEquals(work.digest, await heavyDigestOf(lake, work.repeats));
});

Deno.test("an executor killed in a query: the same digest, in at most twice the time", async () => {
  await using client = await openClient(cluster, lake);
  let killed = 0;
  const { digest, seconds } = await runHeavy(client, work.repeats, {
    onHalf: () => {
      [killed] = findExecutors(cluster.folder);
      signalProcess(killed, "SIGKILL");
    },
  });
  assert(killed > 0, "no executor was killed");
  console.log(`executor SIGKILL: ${inSeconds(seconds)}, ${(seconds / work.seconds).toFixed(2)} ×, ${load()}`);
  assertEquals(digest, work.digest);
  assertInTime(seconds <= 2 * work.seconds, `${inSeconds(seconds)} instead of ${inSeconds(work.seconds)}`);
  assert(await waitForExecutors(cluster, WORKERS, REPLACED_MS) !== undefined, "the executor was not replaced");
});

Deno.test("an executor that stops answering in a query: the same digest, at most 60 s later", async () => {
  await using client = await openClient(cluster, lake);
  let stopped = 0;
  try {
    const { digest, seconds } = await runHeavy(client, work.repeats, {
      onHalf: () => {
        [stopped] = findExecutors(cluster.folder);
        signalProcess(stopped, "SIGSTOP");
      },
    });
    assert(stopped > 0, "no executor was stopped");
    console.log(`executor SIGSTOP: ${inSeconds(seconds)}, ${inSeconds(seconds - work.seconds)} more, ${load()}`);
    assertEquals(digest, work.digest);
    assertInTime(seconds <= work.seconds + 60, `${inSeconds(seconds)} instead of ${inSeconds(work.seconds)}`);
  } finally {
    await killProcess(stopped, cluster.folder);
  }
  assert(await waitForExecutors(cluster, WORKERS, REPLACED_MS) !== undefined, "the executor was not replaced");
});

Deno.test("Stop ends the query with the signal's reason, and the engine is idle within 5 s", async () => {
  await using client = await openClient(cluster, lake);
  const controller = new AbortController();
  const reason = new DOMException("stopped by the user", "AbortError");
  let at = 0;
  const thrown = await runHeavy(client, work.repeats, {
    signal: controller.signal,
    onHalf: () => {
      at = performance.now();
      controller.abort(reason);
    },
  }).then(() => undefined, (error) => error);
  const returned = performance.now() - at;
  assertEquals(thrown, reason);
  const idle = await waitUntilIdle(cluster, IDLE_MS);
  console.log(
    `Stop: back after ${returned.toFixed(0)} ms, idle after ${(performance.now() - at).toFixed(0)} ms, ${load()}`,
  );
  assert(idle !== undefined && performance.now() - at <= IDLE_MS, "the engine still computes");
});

Deno.test("a Connect server killed in a query is distinguished from a Stop", async (t) => {
  await t.step("it comes back: one more run, one warning, the same digest", async () => {
    await using client = await openClient(cluster, lake, { reconnectMs: 240_000 });
    let restarted: Promise<unknown> | undefined;
    const begun = performance.now();
    const { digest, warnings } = await runHeavy(client, work.repeats, {
      onHalf: () => restarted = restartConnect(cluster),
    });
    assert(restarted !== undefined, "the server was not killed");
    await restarted;
    console.log(`Connect SIGKILL: ${inSeconds((performance.now() - begun) / 1000)} with its restart, ${load()}`);
    assertEquals(digest, work.digest);
    assertEquals(warnings.length, 1);
    assertStringIncludes(warnings[0], "run once more");
  });
  await t.step("it stays away: an error that says that the connection was lost", async () => {
    const again = await runningCluster();
    await using client = await openClient(again, lake, { reconnectMs: 2000 });
    const thrown = await runHeavy(client, work.repeats, { onHalf: () => signalProcess(again.connect, "SIGKILL") })
      .then(() => undefined, (error) => error);
    try {
      assert(thrown instanceof SparkError, String(thrown));
      assertEquals(thrown.reason, "lost");
    } finally {
      await restartConnect(again);
    }
  });
  assertEquals((await executors(await runningCluster())).filter(({ isActive }) => isActive).length, WORKERS);
});
