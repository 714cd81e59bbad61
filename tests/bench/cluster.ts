/**
 * Analyses on a Spark cluster of this machine and in this process, over 1, 2, 4 and 8 times the data; and the same with
 * one executor and with two. `deno task bench cluster [ROWS [NAME…]]`, ROWS being the smallest lake's.
 *
 * Starts a cluster of its own (Java 17, Linux: see `tests/checks/README.md`) and ends it.
 */
import { join } from "node:path";
import { digestFrame } from "../../src/core/engine/digest/frame_digest.ts";
import { spark } from "../../src/spark/engine/spark.ts";
import { type Lake, openLake } from "../../src/core/tables/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../analysis/_recipes.ts";
import { type Cluster, restartConnect, startCluster, stopCluster } from "../checks/cluster/_cluster.ts";
import { lakeOf } from "../checks/cluster/_lakes.ts";
import { type ExecutorFigures, executors } from "../checks/cluster/_rest.ts";
import { growthExponent, lineOf, type Point } from "./_growth.ts";
import { median, report, type Row } from "./_report.ts";

const ROWS = 250_000;
const TIMES = [1, 2, 4, 8];
const RUNS = 3;
const WARM = 2;
const FIRST_WARM = 8;
/** Asynchronous reads of Parquet are left out of what Spark counts as read. */
const SETTINGS = { "spark.hadoop.parquet.hadoop.vectored.io.enabled": "false" };
const SNAPSHOT = "2026-01-31";
const EVERY = { ...RECIPES, ...LAKE_RECIPES };
/** Analyses of different kinds: one scan and few groups, many groups, a join, a sort, several tables. */
const NAMES = ["topTaxa", "worldMap", "clusterSizes", "hostRange", "rarefaction", "compareSets"];
/** Records for which costs are extrapolated, far beyond what is measured. */
const EXTRAPOLATED = 1e9;

const rows = Number(Deno.args[0] ?? ROWS);
const names = Deno.args.length > 1 ? Deno.args.slice(1) : NAMES;
const table: Row[] = [];

interface Run {
  readonly ms: number;
  readonly digest: string;
}

async function run(lake: Lake, name: string): Promise<Run> {
  const begun = performance.now();
  const { frame } = await EVERY[name](lake, SNAPSHOT);
  const ms = performance.now() - begun;
  return { ms, digest: await digestFrame(frame) };
}

/** Runs analyses on both engines in turn, after runs that are not counted: Java compiles what it has seen often. */
async function measure(cluster: Cluster, size: number): Promise<{ here: Point[]; there: Point[] }> {
  const folder = await lakeOf(cluster, size);
  const points = { here: [] as Point[], there: [] as Point[] };
  await using local = await openLake(folder);
  await using remote = await openLake(folder, { engine: spark(cluster.url) });
  const totals = { here: new Array<number>(RUNS).fill(0), there: new Array<number>(RUNS).fill(0) };
  let equal = true;
  for (const name of names) {
    for (let warm = 0; warm < WARM; warm++) await run(remote, name);
    const times = { here: [] as number[], there: [] as number[] };
    for (let turn = 0; turn < RUNS; turn++) {
      const [here, there] = [await run(local, name), await run(remote, name)];
      equal &&= here.digest === there.digest;
      times.here.push(here.ms);
      times.there.push(there.ms);
      totals.here[turn] += here.ms;
      totals.there[turn] += there.ms;
    }
    table.push({ work: `${name}, ${size} rows: Spark`, ours: times.there, unit: "ms" });
    table.push({ work: `${name}, ${size} rows: here`, ours: times.here, unit: "ms" });
  }
  for (let turn = 0; turn < RUNS; turn++) {
    points.here.push({ size, time: totals.here[turn] / 1000 });
    points.there.push({ size, time: totals.there[turn] / 1000 });
  }
  if (!equal) throw new Error(`${size} rows: a digest differs`);
  return points;
}

/** What each executor did for one run of all the analyses. */
async function shares(cluster: Cluster, size: number): Promise<{ figures: ExecutorFigures[]; ms: number }> {
  await using remote = await openLake(await lakeOf(cluster, size), { engine: spark(cluster.url) });
  for (const name of names) await run(remote, name);
  const before = new Map((await executors(cluster)).map((executor) => [executor.id, executor]));
  const begun = performance.now();
  for (const name of names) await run(remote, name);
  const ms = performance.now() - begun;
  const figures = (await executors(cluster)).filter(({ isActive }) => isActive).map((executor) => {
    const { completedTasks = 0, inputBytes = 0 } = before.get(executor.id) ?? {};
    return {
      ...executor,
      completedTasks: executor.completedTasks - completedTasks,
      inputBytes: executor.inputBytes - inputBytes,
    };
  });
  return { figures, ms };
}

function tellShares(count: number, { figures, ms }: { figures: ExecutorFigures[]; ms: number }): void {
  const each = figures.map(({ completedTasks, inputBytes }) =>
    `${completedTasks} tasks, ${(inputBytes / 1e6).toFixed(1)} MB read`
  );
  console.log(`${count} executor${count > 1 ? "s" : ""}: ${(ms / 1000).toFixed(1)} s; ${each.join("; ")}`);
}

/** Java compiles what it has seen often: before the first size is measured, every analysis has run a few times. */
async function warmUp(cluster: Cluster): Promise<void> {
  await using remote = await openLake(await lakeOf(cluster, rows), { engine: spark(cluster.url) });
  for (let turn = 0; turn < FIRST_WARM; turn++) {
    for (const name of names) await run(remote, name);
  }
}

const folder = await Deno.makeTempDir();
const cluster = await startCluster(join(folder, "cluster"), { settings: SETTINGS }, console.error);
try {
  await warmUp(cluster);
  const points = { here: [] as Point[], there: [] as Point[] };
  for (const size of TIMES.map((times) => times * rows)) {
    const { here, there } = await measure(cluster, size);
    points.here.push(...here);
    points.there.push(...there);
  }
  const [growth, line, local] = [growthExponent(points.there), lineOf(points.there), lineOf(points.here)];
  table.push({ work: "growth on Spark: exponent", ours: [growth.value], unit: "", goal: { atMost: 1.1 } });
  const met = report("Spark and this process", table, { Spark: "4.3.0", polars: "0.25.2" });

  console.log(
    `\nexponent of Spark ${growth.value.toFixed(2)}, 95 % interval ${growth.from.toFixed(2)} to ${
      growth.to.toFixed(2)
    }`,
  );
  console.log("\nrows, seconds of all analyses here, seconds on Spark");
  for (const size of TIMES.map((times) => times * rows)) {
    const of = (list: readonly Point[]) => median(list.filter((point) => point.size === size).map(({ time }) => time));
    console.log(`${size}\t${of(points.here).toFixed(2)}\t${of(points.there).toFixed(2)}`);
  }
  for (const [where, { base, slope }] of Object.entries({ here: local, Spark: line })) {
    const seconds = base + slope.value * EXTRAPOLATED;
    console.log(
      `${where}: ${base.toFixed(2)} s + ${(slope.value * 1e6).toFixed(3)} s for each million rows ` +
        `(${(slope.from * 1e6).toFixed(3)} to ${(slope.to * 1e6).toFixed(3)}); ` +
        `extrapolated to 10^9 rows: ${(seconds / 3600).toFixed(2)} h on two cores`,
    );
  }

  const largest = rows * TIMES.at(-1)!;
  console.log(`\nall analyses of ${largest} rows`);
  tellShares(2, await shares(cluster, largest));
  tellShares(1, await shares(await restartConnect(cluster, { executors: 1, settings: SETTINGS }), largest));
  console.log(
    "Both executors, the driver and this process share the cores of this machine: with two cores these times show how " +
      "work is divided, and no speed-up.",
  );
  if (!met) Deno.exitCode = 1;
} finally {
  await stopCluster(cluster.folder);
  await Deno.remove(folder, { recursive: true });
}
