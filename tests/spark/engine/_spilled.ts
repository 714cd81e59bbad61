/** Results beyond the limits, fetched at a stub of Spark. */
import { assert } from "@std/assert";
import type { DataFrame } from "nodejs-polars";
import { SparkClient } from "../../../src/spark/connect/client.ts";
import { SparkError } from "../../../src/spark/connect/spark_error.ts";
import { type FetchOptions, fetchResult } from "../../../src/spark/engine/spilled_result.ts";
import { batchAnswers } from "../connect/_batches.ts";
import { type StubOperation, type StubOptions, StubServer } from "../connect/_stub_server.ts";

/** Values of the files of a result, by name; the order of the names is not that of the rows. */
export const PARTS = {
  "part-00000-x.c000.zstd.parquet": ["a", "b"],
  "part-100000-x.parquet": ["e"],
  "part-2-x.parquet": ["c"],
};
export const ROWS = 4;

export interface Fetched {
  readonly frame?: DataFrame;
  readonly thrown?: unknown;
  readonly warnings: readonly string[];
  readonly operations: readonly StubOperation[];
}

/** Fetches two rows where one is the limit. */
export async function fetchSpilled(stubOptions: StubOptions, options: FetchOptions): Promise<Fetched> {
  await using stub = await StubServer.start({ answers: () => batchAnswers(["a"], ["b"]), ...stubOptions });
  await using client = await SparkClient.open(stub.url);
  const warnings: string[] = [];
  const fetch = { maxRows: 1, onWarning: (text: string) => warnings.push(text), ...options };
  const outcome = await fetchResult(client, "SELECT n FROM v", fetch).then(
    (frame) => ({ frame }),
    (thrown: unknown) => ({ thrown }),
  );
  return { ...outcome, warnings, operations: [...stub.operations.values()] };
}

export function sparkError(thrown: unknown): SparkError {
  assert(thrown instanceof SparkError, String(thrown));
  return thrown;
}
