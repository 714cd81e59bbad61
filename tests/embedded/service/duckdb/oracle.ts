/** A second opinion on queries: the same records in a table of DuckDB, the query as SQL. */
import { DOUBLE, DuckDBInstance, type DuckDBValue, LIST, listValue, VARCHAR } from "@duckdb/node-api";
import type { Field } from "../../../../src/core/query/fields.ts";
import type { QueryNode } from "../../../../src/core/query/query_ast.ts";
import { compileQuery, type SqlParameter } from "./query_sql.ts";
import { createTableSql, rowAppender, TABLE, wordTablesSql } from "./tables.ts";

/** Finds rows by SQL. */
export interface Oracle extends Disposable {
  /** Gives the rows that hold a condition, in their order. */
  rows(node: QueryNode): Promise<number[]>;
}

/** Fills a table in memory. */
export async function openOracle(fields: readonly Field[], records: readonly (readonly string[])[]): Promise<Oracle> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run(createTableSql(fields));
  const appender = await connection.createAppender(TABLE);
  const append = rowAppender(appender, fields);
  for (const [row, values] of records.entries()) append(row, values);
  appender.closeSync();
  for (const sql of wordTablesSql(records.length)) await connection.run(sql);
  return {
    async rows(node) {
      const { where, parameters } = compileQuery(node);
      const sql = `SELECT row FROM ${TABLE} WHERE ${where} ORDER BY row`;
      const result = await connection.runAndReadAll(sql, parameters.map(valueOf), parameters.map(typeOf));
      return result.getRowsJS().map(([row]) => Number(row));
    },
    [Symbol.dispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function valueOf(parameter: SqlParameter): DuckDBValue {
  if (typeof parameter !== "object") return parameter;
  return listValue([...parameter.texts]);
}

/** A type that is guessed from a first value fails on the next: 12, then 0.5. */
function typeOf(parameter: SqlParameter) {
  if (typeof parameter === "number") return DOUBLE;
  if (typeof parameter === "string") return VARCHAR;
  return LIST("texts" in parameter ? VARCHAR : DOUBLE);
}
