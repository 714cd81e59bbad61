/** Parquet files that DuckDB writes. */
import { DuckDBInstance } from "@duckdb/node-api";

/** Writes the rows of a query, so many in a row group. */
export async function writeParquet(path: string, query: string, groupRows = 122_880): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${groupRows})`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
