/** Columns of a table in DuckDB's SQL: their text, their cells, and how they are filtered. */
import { sqlName as quoteName, sqlText as quoteText } from "@seqreg/core/engine/local/sql_names";
import type { LiveCell, LiveColumn, LiveColumnSource, LiveKind } from "./live_question.ts";

export { quoteName, quoteText };

/** Characters of a cell that a page gets; those of a record's card. */
export const CELL_LETTERS = 180;
export const RECORD_LETTERS = 20_000;

const INTEGER = /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/;
const NUMBER = /^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL\(.*\))$/;
const TIME = /^(DATE|TIMESTAMP.*)$/;

export interface SqlColumn extends LiveColumn {
  readonly inFile: string;
  /** As SQL names it. */
  readonly sql: string;
  /** As the SQL of `lake.sql()` names it. */
  readonly lakeSql: string;
  /** Its type in DuckDB. */
  readonly sqlType: string;
}

/** A column as DuckDB describes it. */
export interface DescribedColumn {
  readonly sqlType: string;
  /** Its name in DuckDB's SQL; that in the file by default. */
  readonly sqlName?: string;
  /** Its name in the SQL of `lake.sql()`; that in the file by default. */
  readonly lakeName?: string;
}

export function columnOf({ sqlType, sqlName, lakeName }: DescribedColumn, source: LiveColumnSource): SqlColumn {
  const { name, label = name, type = shownType(sqlType), isDate = false, description = "", unit = "" } = source;
  const kind: LiveKind = NUMBER.test(sqlType)
    ? "number"
    : TIME.test(sqlType) || (isDate && sqlType === "VARCHAR")
    ? "date"
    : "text";
  const [sql, lakeSql] = [quoteName(sqlName ?? name), quoteName(lakeName ?? name)];
  return { name: label, type, kind, description, unit, inFile: name, sql, lakeSql, sqlType };
}

/** DuckDB's types as polars calls them: frames and files are shown alike. */
const SHOWN_TYPES: Readonly<Record<string, string>> = {
  VARCHAR: "String",
  TINYINT: "Int8",
  SMALLINT: "Int16",
  INTEGER: "Int32",
  BIGINT: "Int64",
  UTINYINT: "UInt8",
  USMALLINT: "UInt16",
  UINTEGER: "UInt32",
  UBIGINT: "UInt64",
  FLOAT: "Float32",
  DOUBLE: "Float64",
  BOOLEAN: "Bool",
  DATE: "Date",
  BLOB: "Binary",
};

function shownType(sqlType: string): string {
  const item = /^(.*)\[\]$/.exec(sqlType)?.[1];
  if (item !== undefined) return `List(${shownType(item)})`;
  return sqlType.startsWith("TIMESTAMP") ? "Datetime" : SHOWN_TYPES[sqlType] ?? sqlType;
}

/** Whether a column holds whole numbers. */
export function isInteger({ sqlType }: SqlColumn): boolean {
  return INTEGER.test(sqlType);
}

/** Whether a column's type is a date or a time, rather than a text that says a date. */
export function isTime({ sqlType }: SqlColumn): boolean {
  return TIME.test(sqlType);
}

/** SQL of the text that a value is shown and searched by. */
export function textSql({ sql, sqlType }: SqlColumn): string {
  if (sqlType === "VARCHAR") return sql;
  if (sqlType.startsWith("TIMESTAMP")) return `strftime(${sql}::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`;
  if (sqlType === "BLOB") return `(octet_length(${sql}) || ' bytes')`;
  return /[\[(]/.test(sqlType) && !sqlType.startsWith("DECIMAL") && !sqlType.startsWith("ENUM")
    ? `to_json(${sql})::VARCHAR`
    : `${sql}::VARCHAR`;
}

/** SQL of a cell, in two columns: the value or the beginning of its text, and the length of a text that is cut. */
export function cellSql(column: SqlColumn, characters: number): string {
  const { sql, sqlType } = column;
  // Doubles and small integers are JavaScript's numbers as they are; all others travel as text.
  if (/^(FLOAT|DOUBLE|U?(TINYINT|SMALLINT|INTEGER)|BIGINT|UBIGINT)$/.test(sqlType)) return `${sql}, NULL::BIGINT`;
  const text = textSql(column);
  return `left(${text}, ${characters}), CASE WHEN length(${text}) > ${characters} THEN length(${text}) END`;
}

/** Makes a cell of what {@linkcode cellSql} gives. */
export function cellOf({ kind }: SqlColumn, value: unknown, length: unknown): LiveCell {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = String(value);
  if (length !== null && length !== undefined) return [text.toWellFormed(), Number(length)];
  if (kind !== "number") return text;
  const number = Number(text);
  return String(number) === text ? number : text;
}
