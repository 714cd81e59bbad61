/** Columns of a version, as its Parquet files have them. */
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import type { SideColumn, SideTable } from "./open_side.ts";

/** The columns of a table; those of a Parquet file are asked from it. */
export async function withColumns(sql: ScratchSql, side: SideTable): Promise<SideTable> {
  if (side.columns.length > 0) return side;
  const rows = await sql.all(`DESCRIBE SELECT * FROM ${await sql.parquet(side.files)}`);
  return { ...side, columns: rows.map(([name, dtype]) => parquetColumn(String(name), String(dtype))) };
}

function parquetColumn(name: string, dtype: string): SideColumn {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/.test(dtype)) return { name, dtype, type: "integer" };
  if (/^(FLOAT|DOUBLE|DECIMAL)/.test(dtype)) return { name, dtype, type: "float" };
  if (dtype === "BOOLEAN") return { name, dtype, type: "boolean" };
  if (/^(DATE|TIMESTAMP)/.test(dtype)) return { name, dtype, type: "date" };
  return dtype.endsWith("[]") ? { name, dtype, type: "list" } : { name, dtype };
}

/** Whether a type of Parquet or of a lake is a list. */
export function isList(dtype: string | undefined): boolean {
  return dtype !== undefined && (dtype.startsWith("List") || dtype.endsWith("[]"));
}
