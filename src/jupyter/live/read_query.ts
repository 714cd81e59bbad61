/** The query of a source as the condition of its rows. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SqlColumn } from "./column_sql.ts";
import { dateSql } from "./date_sql.ts";
import { NONE, type SqlCondition } from "./filter_sql.ts";
import type { LiveSource } from "./live_question.ts";
import { queryColumn } from "./query_column.ts";
import { compileQuery, UntranslatedError } from "./query_sql.ts";

/** Different texts of a column that a query is asked about one by one. */
const MOST_TEXTS = 1000;

/** The condition of a source's query, by the names that columns have in `named`. */
export async function readQuery(
  connection: DuckDBConnection,
  { query, columns }: LiveSource,
  shown: readonly SqlColumn[],
  named: readonly SqlColumn[] = shown,
): Promise<SqlCondition> {
  if (query === undefined) return NONE;
  const fields = named.map((column, index) => queryColumn(column, columns?.[index]?.alias));
  return await compileQuery(query, fields, async (field, which) => {
    const { sql } = shown[field];
    const where = which === "all" ? `${sql} IS NOT NULL` : `NOT coalesce(${dateSql(shown[field]).isPlain}, true)`;
    const texts = await connection.runAndReadAll(
      `SELECT DISTINCT ${sql} FROM t WHERE ${where} LIMIT ${MOST_TEXTS + 1}`,
    );
    if (texts.currentRowCount <= MOST_TEXTS) return texts.getRows().map(([text]) => String(text));
    if (which === "all") return [];
    throw new UntranslatedError(
      `a condition on ${JSON.stringify(shown[field].name)}: more than ${MOST_TEXTS} of its dates are not written ` +
        "as YYYY-MM-DD",
    );
  });
}
