/** What a live table shows as code that finds the same rows again: lines of TypeScript, and SQL. */
import { quoteName, quoteText, type SqlColumn } from "./column_sql.ts";
import { isPattern } from "@seqreg/core/engine/frames";
import { escapeGlob } from "@seqreg/core/engine/frames/glob";
import { bothOf, conditionOf, conditionText, mayHoldNaN, type SqlCondition } from "./filter_sql.ts";
import type { LiveFilter, LiveSort, LiveSource } from "./live_question.ts";

/** Code that finds the rows of a view. SQL leaves the order of equal values open; `lake.scan(…)` keeps the files'. */
export interface LiveCode {
  /** Lines of TypeScript. Of a lake: `lake.scan(…)`, or `lake.sql(…)` where polars has no exact translation. */
  readonly typescript: string;
  /** One SELECT in DuckDB's SQL; of a lake, for `lake.sql()`. */
  readonly sql: string;
}

export interface ShownRows {
  readonly columns: readonly SqlColumn[];
  readonly filters: readonly LiveFilter[];
  /** The condition of the table's query, by the columns' names in code; empty without one. */
  readonly query: SqlCondition;
  readonly sort: LiveSort | null;
  /** Numbers of the columns that are shown, in their order. */
  readonly shown: readonly number[];
}

export function writeLiveCode(source: LiveSource, rows: ShownRows): LiveCode {
  const { origin } = source;
  const sql = selectOf(source, rows);
  if (origin.kind === "files") {
    const typescript = `import { DuckDBInstance } from "@duckdb/node-api";\n` +
      `const connection = await (await DuckDBInstance.create()).connect();\n` +
      `const rows = await connection.runAndReadAll(${JSON.stringify(sql)});`;
    return { sql, typescript };
  }
  const lines = scanLines(rows);
  const scanned = origin.kind === "frame"
    ? `const rows = await frame.lazy()${lines}\n    .collect();`
    : `const rows = await lake.collect(\n  lake.scan(${JSON.stringify(origin.table)})${lines},\n);`;
  const inSql = origin.kind === "frame"
    ? ["Steps of polars that find exactly these rows are not known. In SQL:", ...sql.split("\n")]
      .map((line) => `// ${line}`).join("\n")
    : `const rows = await lake.sql(${JSON.stringify(sql)});`;
  const typescript = lines === undefined ? inSql : scanned;
  return { sql, typescript: `${lines?.includes("pl.") ? 'import pl from "nodejs-polars";\n' : ""}${typescript}` };
}

/**
 * Columns by their names in code: those of `lake.sql()` for a lake; a frame's file is gone when its view is, so its own
 * names stand for themselves.
 */
export function namesInCode(
  { origin }: Pick<LiveSource, "origin">,
  columns: readonly SqlColumn[],
): readonly SqlColumn[] {
  if (origin.kind === "files") return columns;
  return columns.map((column) => ({
    ...column,
    sql: origin.kind === "lake" ? column.lakeSql : quoteName(column.name),
  }));
}

function selectOf({ origin, files }: LiveSource, { columns, filters, query, sort, shown }: ShownRows): string {
  const named = namesInCode({ origin }, columns);
  const where = conditionText(bothOf(query, conditionOf(filters, named)));
  const from = origin.kind === "lake"
    ? quoteName(origin.table)
    : origin.kind === "frame"
    ? "frame"
    : `read_parquet([${files.map(({ path }) => quoteText(escapeGlob(path))).join(", ")}])`;
  return `SELECT ${shown.map((column) => named[column].sql).join(", ")}\nFROM ${from}` +
    (where === "" ? "" : `\nWHERE ${where}`) +
    (sort === null ? "" : `\nORDER BY ${named[sort.column].sql} ${sort.descending ? "DESC" : "ASC"} NULLS LAST`);
}

/** The same as steps of polars; `undefined` where one has no exact translation. */
function scanLines({ columns, filters, query, sort, shown }: ShownRows): string | undefined {
  if (query.sql !== "") return undefined;
  const used = [...shown, ...filters.map(({ column }) => column), ...sort === null ? [] : [sort.column]];
  if (used.some((column) => isPattern(columns[column].name))) return undefined;
  const conditions = filters.map((filter) => expressionOf(filter, columns[filter.column]));
  if (conditions.includes(undefined)) return undefined;
  const name = (column: number) => JSON.stringify(columns[column].name);
  return [
    ...conditions.map((condition) => `.filter(${condition})`),
    ...sort === null
      ? []
      : [`.sort({ by: ${name(sort.column)}, descending: ${sort.descending}, nullsLast: true, maintainOrder: true })`],
    `.select(${shown.map(name).join(", ")})`,
  ].map((line) => `\n    ${line}`).join("");
}

function expressionOf(filter: LiveFilter, { name, kind, sqlType }: SqlColumn): string | undefined {
  const column = `pl.col(${JSON.stringify(name)})`;
  if (filter.not === true) return undefined;
  if (filter.kind === "missing") return `${column}.isNull()`;
  if (filter.kind === "present") return `${column}.isNotNull()`;
  if (filter.kind === "is" && sqlType === "VARCHAR") return `${column}.eq(pl.lit(${JSON.stringify(filter.text)}))`;
  if (filter.kind !== "range" || kind !== "number" || sqlType === "HUGEINT" || sqlType.startsWith("DECIMAL")) {
    return undefined;
  }
  const type = /INT/.test(sqlType) ? "pl.Int64" : sqlType === "FLOAT" ? "pl.Float32" : "pl.Float64";
  const bounds = [
    ...filter.min === undefined ? [] : [[filter.above === true ? "gt" : "gtEq", filter.min] as const],
    ...filter.max === undefined ? [] : [[filter.below === true ? "lt" : "ltEq", filter.max] as const],
  ];
  const isExact = bounds.every(([, bound]) =>
    type !== "pl.Int64" || (/^-?\d+$/.test(bound) && Number.isSafeInteger(Number(bound)))
  );
  if (!isExact) return undefined;
  const parts = bounds.map(([compare, bound]) => `${column}.${compare}(pl.lit(${Number(bound)}).cast(${type}))`);
  if (mayHoldNaN(filter, { sqlType })) parts.push(`${column}.isNotNan()`);
  return parts.reduce((all, one) => `${all}.and(${one})`);
}
