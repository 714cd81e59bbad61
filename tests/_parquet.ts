/** Parquet files that DuckDB writes. */
import { DuckDBInstance } from "@duckdb/node-api";

export async function writeParquet(path: string, query: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
