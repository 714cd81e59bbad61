/** The first rows of an order equal those of plain SQL, whatever the statistics of the files' row groups. */
import { assertEquals } from "@std/assert";
import { DuckDBInstance } from "@duckdb/node-api";
import pl from "nodejs-polars";
import { describeFiles } from "../../../src/jupyter/live/live_source.ts";
import { LiveTable } from "../../../src/jupyter/live/live_table.ts";

/** Values that are in no order, in many row groups. */
const COLUMNS = {
  "all different": "(hash(i) >> 1)::BIGINT",
  "few, some missing": "CASE WHEN i % 3 = 0 THEN NULL ELSE hash(i) % 50 END::INTEGER",
  "mostly missing": "CASE WHEN i % 9000 = 0 THEN i::VARCHAR END",
  "long texts": "repeat('vj', 60) || lpad((hash(i) % 1000000)::VARCHAR, 6, '0')",
  "texts": "chr((33 + hash(i) % 50000)::INTEGER)",
  "days": "DATE '1990-01-01' + (hash(i) % 12000)::INTEGER",
  "numbers":
    "CASE WHEN i % 500 = 0 THEN 'NaN' WHEN i % 501 = 0 THEN '-Infinity' ELSE hash(i) % 1000000 / 7 END::DOUBLE",
  "moments": "TIMESTAMP '2016-01-01' + to_minutes((hash(i) % 500000)::INTEGER)",
};

Deno.test("the first rows of each order equal those of plain SQL, of files of three writers", async () => {
  const folder = await Deno.makeTempDir();
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    const [small, large, other] = ["small", "large", "polars"].map((name) => `${folder}/${name}.parquet`);
    const columns = Object.entries(COLUMNS).map(([name, sql]) => `${sql} AS "${name}"`);
    await duckdb.run(`CREATE TABLE plain AS SELECT i AS id, ${columns.join()} FROM range(0, 200000) r(i)`);
    await duckdb.run(`COPY (FROM plain ORDER BY id) TO '${small}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    await duckdb.run(`COPY (FROM plain ORDER BY id) TO '${large}' (FORMAT parquet)`);
    await pl.scanParquet(large).sinkParquet(other, { rowGroupSize: 2000 }).collect();
    const orders = new Map<string, number[]>();
    for (const name of Object.keys(COLUMNS)) {
      for (const direction of ["ASC", "DESC"]) {
        const query = `SELECT id::INTEGER FROM plain ORDER BY "${name}" ${direction} NULLS LAST, id LIMIT 128`;
        const ids = (await duckdb.runAndReadAll(query)).getRows().map(([id]) => Number(id));
        orders.set(`${direction} ${name}`, ids);
      }
    }
    for (const path of [small, large, other]) {
      await using table = await LiveTable.open({ files: await describeFiles([path]), origin: { kind: "files" } });
      for (const [order, expected] of orders) {
        const column = table.columns.findIndex(({ name }) => order.endsWith(` ${name}`));
        const sort = { column, descending: order.startsWith("DESC") };
        for (const [offset, limit] of [[0, 28], [40, 24], [100, 28]]) {
          const { ids } = await table.rows({ offset, limit, columns: [0], sort, filters: [] });
          assertEquals(ids, expected.slice(offset, offset + limit), `${path} ${order} ${offset}`);
        }
      }
    }
  } finally {
    duckdb.closeSync();
    await Deno.remove(folder, { recursive: true });
  }
});
