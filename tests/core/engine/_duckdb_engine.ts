/** A third reader of plans: their SQL in the words of DuckDB, so that what is compiled runs without a cluster. */
import { DuckDBInstance } from "@duckdb/node-api";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import pl from "nodejs-polars";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Engine, EngineLake, EngineSession } from "../../../src/core/engine/engine.ts";
import type { ValueType } from "../../../src/core/engine/plan/plan.ts";
import { planOf } from "../../../src/core/engine/plan/read_plan.ts";
import { unsupported } from "../../../src/core/engine/plan/unsupported.ts";
import { quotedName, type SqlDialect } from "../../../src/spark/sql/dialect.ts";
import { compileQuery, type QueryStatement } from "../../../src/spark/sql/query_sql.ts";
import { columnsOf, inTypes, scansOf, VALUE_TYPES } from "../../../src/spark/engine/plan_types.ts";
import type { Lake } from "../../../src/core/tables/mod.ts";
import type { StatementEngine } from "./_together.ts";

const TYPES: Readonly<Record<ValueType, string>> = {
  text: "VARCHAR",
  whole: "BIGINT",
  count: "BIGINT",
  float: "DOUBLE",
  boolean: "BOOLEAN",
  day: "DATE",
  list: "VARCHAR[]",
  null: "VARCHAR",
};

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** DuckDB's words. Its patterns are those of RE2, whose white space is ASCII's. */
export const duckdbDialect: SqlDialect = {
  name: "DuckDB",
  text,
  float(value) {
    if (Number.isNaN(value)) return "'NaN'::DOUBLE";
    return Number.isFinite(value) ? `(${Object.is(value, -0) ? "-0.0" : value}::DOUBLE)` : `('${value}'::DOUBLE)`;
  },
  whole: (value) => `(${value}::BIGINT)`,
  type: (type) => TYPES[type],
  truncated: (value) => `try_cast(trunc(${value}) AS BIGINT)`,
  parsed: (value) => `try_cast(${value} AS BIGINT)`,
  isNan: (value) => `isnan(${value})`,
  matches: (value, pattern) => `regexp_matches(${value}, ${text(pattern.replaceAll("\\s", "[\\s\\pZ\\x{85}]"))})`,
  holds: (value, part, where) =>
    `${{ first: "starts_with", last: "ends_with", anywhere: "contains" }[where]}(${value}, ${text(part)})`,
  replaced: (value, pattern, by) => `regexp_replace(${value}, ${text(pattern)}, ${text(by)}, 'g')`,
  last: (value, count) => `right(${value}, ${count})`,
  withoutPrefix: (value, characters) => `ltrim(${value}, ${text(characters)})`,
  modulo: (value, divisor) => `((${value} % ${divisor} + ${divisor}) % ${divisor})`,
  dayNumber: (value) => `(${value} - DATE '1970-01-01')::BIGINT`,
  ofSorted(value, make) {
    const made = make({ count: "CAST(len(v) AS DOUBLE)", nth: (index) => `v[CAST(${index} AS INT) + 1]` });
    const sorted = `coalesce(list_sort(list(${value}) FILTER (WHERE ${value} IS NOT NULL)), [])`;
    return `list_transform([${sorted}], lambda v: ${made})[1]`;
  },
  end: (value, position, end) => `${end === "first" ? "arg_min_null" : "arg_max_null"}(${value}, ${position})`,
  spread: (value, { isRoot, isSample }) =>
    `${isRoot ? "stddev" : "var"}_${isSample ? "samp" : "pop"}(CAST(${value} AS DOUBLE))`,
  fail: (message) => `error(${text(message)})`,
};

/** Compiles queries over tables of a lake. */
async function compilerOf({ tables }: EngineLake): Promise<(query: LazyDataFrame) => Promise<QueryStatement>> {
  const scanned = new Map<string, EngineLake["tables"][number]>();
  for (const table of tables) {
    for (const paths of scansOf(await planOf(table.scan()))) scanned.set(paths, table);
  }
  return async (query) =>
    compileQuery(await planOf(query), {
      dialect: duckdbDialect,
      tableOf(paths) {
        const table = scanned.get(JSON.stringify(paths));
        if (table === undefined) throw unsupported("a scan of other files");
        const columns = new Map(table.columns.map(({ name, dtype }) => [name, VALUE_TYPES[dtype]]));
        // One file a table: its row number is the position.
        const { name, rows } = table;
        return { name, rows, view: name, columns, position: "file_row_number" };
      },
      columnsOf: (arrow) => columnsOf(pl.readIPCStream(Buffer.from(arrow))),
    });
}

/** An engine that has the SQL of a lake in this process, which is DuckDB's, run what plans become. */
export function duckdbOver(lake: Pick<Lake, "sql">): Engine {
  return {
    ...duckdbEngine,
    async open(opened: EngineLake) {
      const compile = await compilerOf(opened);
      return {
        async collect(query) {
          const compiled = await compile(query);
          if (compiled.frames.length > 0) throw unsupported("a frame");
          return inTypes(pl, await lake.sql(compiled.sql), compiled.columns);
        },
        sql: (...args) => lake.sql(...args),
        facts: () => Promise.resolve({ engine: "duckdb", version: "", settings: {} }),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
  };
}

/** A lake open in DuckDB. */
export type DuckdbSession = EngineSession & StatementEngine;

export async function openDuckdb(lake: EngineLake): Promise<DuckdbSession> {
  const folder = await Deno.makeTempDir();
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const compile = await compilerOf(lake);
  for (const table of lake.tables) {
    const files = table.parts.map(({ location }) => text(location)).join(", ");
    const view = `CREATE VIEW ${quotedName(table.name)} AS FROM read_parquet([${files}], file_row_number = true)`;
    await connection.run(view);
  }
  let files = 0;
  const sql = async (statement: string): Promise<DataFrame> => {
    const path = join(folder, `${files++}.parquet`);
    await connection.run(`COPY (${statement}) TO ${text(path)} (FORMAT parquet)`);
    return pl.readParquet(path);
  };
  return {
    dialect: duckdbDialect,
    compile,
    sql,
    async collect(query: LazyDataFrame): Promise<DataFrame> {
      const compiled = await compile(query);
      for (const { name, arrow } of compiled.frames) {
        const path = join(folder, `${files++}.parquet`);
        pl.readIPCStream(Buffer.from(arrow)).writeParquet(path);
        await connection.run(`CREATE OR REPLACE VIEW ${quotedName(name)} AS FROM read_parquet(${text(path)})`);
      }
      return inTypes(pl, await sql(compiled.sql), compiled.columns);
    },
    facts: () => Promise.resolve({ engine: "duckdb", version: "", settings: {} }),
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      instance.closeSync();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

export const duckdbEngine: Engine = { name: "duckdb", isLocal: false, open: openDuckdb };
