/** Spark as the engine of a lake. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { Engine } from "@seqreg/core/engine/engine";
import { SparkEndpoint } from "../connect/connection_string.ts";
import { objectsOf } from "./_spill_place.ts";
import { SPARK_OPTIONS, type SparkOptions, type SparkProgress } from "../connect/options.ts";

/** Options of {@linkcode spark}. */
export interface SparkEngineOptions extends Omit<SparkOptions, "signal"> {
  /** Rows of a result that may come to this process; 100,000 by default. */
  readonly maxRows?: number;
  /** Bytes of a result that may come to this process, as Arrow; 64 MiB by default. */
  readonly maxBytes?: number;
  /**
   * Where Spark writes larger results as Parquet: a folder, or an address `s3://bucket/results`, that this machine and
   * all executors share. They are read from there, their rows counted, and removed. The key is that of the lake, if it
   * is in an object store, else that of the environment. What cannot be read from here stays, as at `hdfs://…`: the
   * error names it (`location`, `rows`).
   */
  readonly spill?: string;
  /** Bytes of Parquet in `spill` that are read, 1 GiB by default; the error names a larger result. */
  readonly maxSpillBytes?: number;
  /** Receives the progress of a query. */
  readonly onProgress?: (progress: SparkProgress) => void;
}

const { signal: _signal, ...connection } = SPARK_OPTIONS;

export const SPARK_ENGINE_OPTIONS = {
  ...connection,
  maxRows: rule.wholeNumber({ from: 1 }),
  maxBytes: rule.wholeNumber({ from: 1 }),
  spill: rule.text,
  maxSpillBytes: rule.wholeNumber({ from: 1 }),
  onProgress: rule.callback(),
} satisfies OptionRules<SparkEngineOptions>;

/**
 * Names a Spark Connect server as the engine of a lake. It is reached when the lake is first asked.
 *
 * The files of the lake must be where Spark reads them by the same paths; those of a lake at `s3://…` are read by the
 * cluster's own s3a, with its own key. Analyses give the same numbers as in this process, down to the last bit;
 * `lake.check()` shows it. `lake.sql()` speaks Spark's SQL.
 *
 * @param url Connection string: `sc://host:15002/;token=…;use_ssl=true`.
 * @param options Token, certificates, limits.
 * @throws {TypeError} If the connection string is wrong, or `spill` is a wrong address in an object store.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { spark } from "./spark.ts";
 *
 * assertEquals(spark("sc://head:15002/;token=secret;use_ssl=true").name, "spark sc://head:15002");
 * ```
 */
export function spark(url: string, options: SparkEngineOptions = {}): Engine {
  checkOptions("spark()", options, SPARK_ENGINE_OPTIONS);
  const { maxRows, maxBytes, spill, maxSpillBytes, onProgress, ...connection } = options;
  const { token, headers, onWarning } = connection;
  const { address } = SparkEndpoint.parse(url, { token, headers });
  if (spill !== undefined) objectsOf(spill);
  const limits = {
    maxRows,
    maxBytes,
    spill,
    maxSpillBytes,
    onProgress,
    onWarning,
  };
  return {
    name: `spark ${address}`,
    isLocal: false,
    async open(lake, { signal } = {}) {
      const { SparkClient } = await import("../connect/client.ts");
      const { SparkSession } = await import("./spark_session.ts");
      const client = await SparkClient.open(url, { ...connection, signal });
      try {
        return await SparkSession.open(client, { lake, limits, signal });
      } catch (thrown) {
        await client[Symbol.asyncDispose]();
        throw thrown;
      }
    },
  };
}
