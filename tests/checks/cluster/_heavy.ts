/** A query that takes as long as a fault needs to fall into it, on Spark and in DuckDB. */
import type { DataFrame } from "nodejs-polars";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { sparkFrame } from "../../../src/spark/connect/frame.ts";
import type { SparkOptions } from "../../../src/spark/connect/options.ts";
import { startSha256 } from "../../../src/core/io/digest/sha256.ts";
import { openLake } from "../../../src/core/tables/mod.ts";
import type { Cluster } from "./_cluster.ts";

/** Table that the query reads. */
export const TABLE = "full_dataset_metadata";
/** Tasks of the stage that computes; shuffled before, so that the loss of an executor also loses what it wrote. */
const TASKS = 8;

/** The query in Spark's SQL; `repeats` is what it costs. */
export function heavySql(repeats: number): string {
  return `WITH spread AS (
  SELECT /*+ REPARTITION(${TASKS}, id) */ \`Registry Accession\` AS id, \`Family\` AS family, \`Sequence Length\` AS bases
  FROM ${TABLE}
)
SELECT family, count(*) AS n, sum(bases * turn * 7919 % 1000003) AS mixed
FROM spread CROSS JOIN (SELECT explode(sequence(1L, ${repeats}L)) AS turn) turns
GROUP BY family`;
}

/** The digest of the query's answer, by DuckDB. */
export async function heavyDigestOf(folder: string, repeats: number): Promise<string> {
  await using lake = await openLake(folder);
  const frame = await lake.sql(`SELECT "Family" AS family, count(*) AS n,
    sum("Sequence Length" * turn * 7919 % 1000003)::BIGINT AS mixed
    FROM ${TABLE}, (SELECT unnest(range(1, ${repeats + 1})) AS turn) turns GROUP BY family`);
  return digestRows(frame);
}

/** SHA-256 of a frame's rows, whatever their order. */
export function digestRows(frame: DataFrame): string {
  const rows = frame.toRecords().map((row) =>
    JSON.stringify(
      Object.values(row),
      (_, value) => value === null || typeof value === "string" ? value : String(value),
    )
  );
  const hash = startSha256();
  hash.update(new TextEncoder().encode(rows.sort().join("\n")));
  return hash.digest();
}

/** A client of the cluster with a view of the table. */
export async function openClient(cluster: Cluster, lake: string, options: SparkOptions = {}): Promise<SparkClient> {
  const client = await SparkClient.open(cluster.url, options);
  await client.createView(TABLE, await partsOf(lake));
  return client;
}

/** Paths of the table's files, in their order. */
export async function partsOf(folder: string): Promise<string[]> {
  await using lake = await openLake(folder);
  return lake.tables.get(TABLE)!.files.map(({ name }) => `${folder}/${TABLE}/${name}`);
}

/** What came of a query, and how long it took. */
export interface Timed {
  readonly digest: string;
  readonly seconds: number;
  readonly warnings: readonly string[];
}

/**
 * Runs the query; `onHalf` is called once, when some of its heavy tasks are done and others run.
 *
 * @throws {SparkError} If the engine fails.
 */
export async function runHeavy(
  client: SparkClient,
  repeats: number,
  { signal, onHalf }: { readonly signal?: AbortSignal; readonly onHalf?: () => void } = {},
): Promise<Timed> {
  const begun = performance.now();
  let isHalf = false;
  const result = await client.collect(heavySql(repeats), {
    ...signal && { signal },
    onProgress: ({ tasks, done, running }) => {
      if (isHalf || tasks < TASKS || running === 0 || done < 2 || tasks - done > TASKS - 2) return;
      isHalf = true;
      onHalf?.();
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  return { digest: digestRows(await sparkFrame(result.batches)), seconds, warnings: result.warnings };
}

/** Repeats that a query has at least: fewer would be done before a fault falls into them. */
const LEAST_REPEATS = 4000;

/** Repeats that make the query take about so long here and now; Java is quicker once it has compiled the query. */
export async function calibrate(client: SparkClient, seconds: number): Promise<number> {
  await runHeavy(client, LEAST_REPEATS);
  let repeats = LEAST_REPEATS;
  for (let trial = 0; trial < 3; trial++) {
    const { seconds: took } = await runHeavy(client, repeats);
    if (took >= seconds) break;
    repeats = Math.round(repeats * seconds / took);
  }
  return repeats;
}
