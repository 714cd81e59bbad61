/** Data that is damaged, lost or uneven under a query on the cluster. */
import { assert, assertEquals } from "@std/assert";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { sparkFrame } from "../../../src/spark/connect/frame.ts";
import { ParseError, RegistryError } from "../../../src/core/errors.ts";
import { openLake } from "../../../src/core/tables/mod.ts";
import { fileOf } from "../../core/tables/_lake_files.ts";
import { drawFrom } from "../../_randoms.ts";
import { digestRows, partsOf, TABLE } from "./_heavy.ts";
import { lakeOf } from "./_lakes.ts";
import { assertInTime, inSeconds, IS_LONG, load, runningCluster } from "./_room.ts";

const RECORDS = 2000;
const FLIPS = IS_LONG ? 200 : 24;
/** Share of flipped bits that must be noticed; the others, in headers of pages, must change no answer. */
const LEAST_NOTICED = 0.8;
const SWAPS = IS_LONG ? 20 : 6;
const SEED = Number(Deno.env.get("SEQREG_SEED") ?? 1);
/** Rows of the table with one key that half of them have. */
const ROWS = IS_LONG ? 20_000_000 : 2_000_000;
const RUNS = 3;

const cluster = await runningCluster();
const lake = await lakeOf(cluster, RECORDS);
const [part] = await partsOf(lake);
const next = drawFrom(SEED);

/** Reads every value of the table through Spark: what checks a lake at its opening, then every page of its files. */
async function readAll(client: SparkClient): Promise<string> {
  const rows = await rowsOf();
  await client.createView(TABLE, await partsOf(lake));
  return await readView(client, rows);
}

/** Rows of the table, by the manifest. */
async function rowsOf(): Promise<number> {
  await using open = await openLake(lake);
  return open.tables.get(TABLE)!.rows;
}

/** Reads every value of a view; its rows must be as many as the manifest has. */
async function readView(client: SparkClient, rows: number): Promise<string> {
  const result = await client.collect(
    `SELECT count(*) AS n, cast(sum(cast(xxhash64(*) AS DECIMAL(20))) AS STRING) AS mixed FROM ${TABLE}`,
  );
  const frame = await sparkFrame(result.batches);
  const found = Number(frame.getColumn("n").get(0));
  if (found !== rows) throw new RegistryError("damaged", `${TABLE} has ${found} rows, the manifest ${rows}`);
  return digestRows(frame);
}

/** Whether a reading failed with one of our errors; a wrong answer without one ends the test. */
async function isLoud(read: () => Promise<string>, expected: string, what: string): Promise<boolean> {
  try {
    assertEquals(await read(), expected, `${what}: another answer, and no error`);
    return false;
  } catch (error) {
    if (!(error instanceof RegistryError) && !(error instanceof ParseError)) throw error;
    return true;
  }
}

Deno.test(`${FLIPS} flipped bits of a part are noticed, or change no answer`, async () => {
  await using client = await SparkClient.open(cluster.url);
  const [whole, expected] = [await Deno.readFile(part), await readAll(client)];
  let noticed = 0;
  try {
    for (let done = 0; done < FLIPS; done++) {
      const bit = next(whole.length * 8);
      const flipped = whole.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      await Deno.writeFile(part, flipped);
      if (await isLoud(() => readAll(client), expected, `bit ${bit}, seed ${SEED}`)) noticed++;
      else console.log(`bit ${bit} of ${whole.length * 8} changes nothing`);
    }
  } finally {
    await Deno.writeFile(part, whole);
  }
  console.log(`flipped bits: ${noticed} of ${FLIPS} noticed, seed ${SEED}, ${load()}`);
  // No checksum covers the headers of pages, some of whose bytes Spark does not read.
  assert(noticed >= LEAST_NOTICED * FLIPS, `only ${noticed} of ${FLIPS} were noticed`);
  assertEquals(await readAll(client), expected);
});

Deno.test(`${SWAPS} parts lost or swapped, before a lake is opened and after, are noticed`, async () => {
  await using client = await SparkClient.open(cluster.url);
  const [whole, expected] = [await Deno.readFile(part), await readAll(client)];
  const rows = await rowsOf();
  const others: string[] = [];
  for (const table of ["unique_seqs_metadata", "votu_clusters_metadata"]) {
    others.push(fileOf(lake, table, "parquet"));
  }
  let noticed = 0;
  try {
    for (let done = 0; done < SWAPS; done++) {
      const isLost = done % 2 === 0;
      const isOpen = done % 4 < 2;
      if (isOpen) await client.createView(TABLE, [part]);
      if (isLost) await Deno.remove(part);
      else await Deno.copyFile(others[next(others.length)], part);
      const what = `${isLost ? "lost" : "swapped"} ${isOpen ? "after" : "before"} opening`;
      if (await isLoud(() => isOpen ? readView(client, rows) : readAll(client), expected, what)) noticed++;
      else console.log(`${what}: nothing noticed it`);
      await Deno.writeFile(part, whole);
    }
  } finally {
    await Deno.writeFile(part, whole);
  }
  console.log(`parts lost or swapped: ${noticed} of ${SWAPS} noticed, ${load()}`);
  assertEquals(noticed, SWAPS);
  assertEquals(await readAll(client), expected);
});

Deno.test("one key with half of all rows: the same answer as DuckDB, in at most three times the time", async () => {
  await using client = await SparkClient.open(cluster.url);
  await using local = await openLake(lake);
  // Keys are texts, grouped, and joined to their groups: the join moves every row to the task of its key.
  const sqlOf = (share: string, range: string, text: string, hint: string) =>
    `WITH v AS (SELECT id, CASE WHEN ${share} THEN 'hot' ELSE concat('key', CAST(id % 50000 AS ${text})) END AS key
       FROM ${range}), g AS (SELECT key, count(*) AS n FROM v GROUP BY key)
     SELECT g.n AS size, count(*) AS records, CAST(sum(v.id % 1009) AS BIGINT) AS mixed
     FROM v JOIN g ${hint} ON v.key = g.key GROUP BY g.n`;
  const spark = (share: string) =>
    sqlOf(share, `range(0, ${ROWS}, 1, 8)`, "STRING", "").replace(/SELECT g\.n/, "SELECT /*+ MERGE(v, g) */ g.n");
  const seconds: Record<string, number> = {};
  for (const [name, share] of Object.entries({ even: "id < 0", uneven: "id % 2 = 0" })) {
    const expected = digestRows(
      await local.sql(sqlOf(share, `(SELECT range AS id FROM range(${ROWS})) r`, "VARCHAR", "")),
    );
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const begun = performance.now();
      const result = await client.collect(spark(share));
      times.push((performance.now() - begun) / 1000);
      assertEquals(digestRows(await sparkFrame(result.batches)), expected, name);
    }
    seconds[name] = Math.min(...times);
  }
  const ratio = seconds.uneven / seconds.even;
  console.log(
    `one key with half of ${ROWS} rows: ${inSeconds(seconds.uneven)}, ${ratio.toFixed(2)} × ` +
      `${inSeconds(seconds.even)} of even keys, ${load()}`,
  );
  assertInTime(ratio <= 3, `${ratio.toFixed(2)} ×`);
});
