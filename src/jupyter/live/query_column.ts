/** Columns of a table as fields of the query grammar. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { FieldType } from "@seqreg/core/contract";
import { isInteger, type SqlColumn } from "./column_sql.ts";

/** A column whose type in the query grammar is known. */
export interface QueryColumn {
  readonly column: SqlColumn;
  /** Its name in queries besides the one that is shown. */
  readonly alias: string;
  /** `undefined` where the grammar has no type for its values. */
  readonly type: FieldType | undefined;
}

/** By what grammar's type a column is queried. */
export function queryColumn(column: SqlColumn, alias = fieldAlias(column.name)): QueryColumn {
  const { sqlType } = column;
  const type = sqlType === "VARCHAR" || sqlType.startsWith("ENUM")
    ? column.kind === "date" ? "date" : "string"
    : sqlType === "DATE"
    ? "date"
    : sqlType === "BOOLEAN"
    ? "boolean"
    : sqlType === "DOUBLE"
    ? "float"
    : isInteger(column) && !/HUGE|^UBIGINT/.test(sqlType)
    ? "integer"
    : sqlType === "VARCHAR[]"
    ? "list"
    : undefined;
  return { column, alias, type };
}
