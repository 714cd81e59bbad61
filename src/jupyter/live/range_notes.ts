/** What the ranges of a table's query meet: texts that are compared character by character, and texts of no date. */
import { type Ask, mayHaveRange, noteRanges, type Remedy } from "@seqreg/core/registry/plan/range_entries";
import { isTime, textSql } from "./column_sql.ts";
import type { ParquetRows } from "./parquet_rows.ts";
import { queryColumn } from "./query_column.ts";
import { fieldsOf } from "./query_sql.ts";

/** Rows whose values a sentence chooses from. */
const LOOKED_AT = 1000;
const REMEDY: Remedy = { retype: "give the column the type", again: "show the table again" };

/** Describes what each range of the query that meets texts compares. */
export async function noteQueryRanges(rows: ParquetRows): Promise<string[]> {
  const { columns, source: { query, columns: described } } = rows;
  if (query === undefined || !mayHaveRange(query)) return [];
  const ask: Ask = async (asked, field) => {
    const column = columns.find(({ name }) => name === field)!;
    // A column of numbers or days holds nothing else.
    if (column.kind === "number" || isTime(column)) return { total: 0, results: [] };
    const { sql, values } = await rows.conditionOf(asked);
    const [[total]] = await rows.query(`SELECT count(*) FROM t WHERE ${sql}`, values);
    const found = await rows.query(`SELECT ${textSql(column)} FROM t WHERE ${sql} LIMIT ${LOOKED_AT}`, values);
    const results = found.map(([text]) => ({ id: "", score: null, source: { [field]: String(text) } }));
    return { total: Number(total), results };
  };
  const fields = fieldsOf(columns.map((column, index) => queryColumn(column, described?.[index]?.alias)));
  return (await noteRanges(query, fields, ask, REMEDY)).map(({ text }) => text);
}
