/** Columns of a version, as its Parquet files have them. */
import { listSome, quoteValue } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { type ScratchSql, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import type { SideColumn, SideTable } from "./open_side.ts";

/** The columns of a table; those of a Parquet file are asked from it. */
export async function withColumns(sql: ScratchSql, side: SideTable): Promise<SideTable> {
  if (side.columns.length > 0) return side;
  const rows = await sql.all(`DESCRIBE SELECT * FROM ${await sql.parquet(side.files)}`);
  return { ...side, columns: rows.map(([name, dtype]) => parquetColumn(String(name), String(dtype))) };
}

/** What reads the texts that typed columns do not hold as they came, in a FROM: `row` from 1, `field`, `value`. */
export async function rawTexts(sql: ScratchSql, { raw, renamed }: SideTable): Promise<string> {
  const rows = await sql.parquet(raw);
  if (renamed === undefined) return rows;
  const cases = [...renamed].map(([from, to]) => `WHEN ${sqlText(from)} THEN ${sqlText(to)}`).join(" ");
  return `(SELECT row, CASE field ${cases} ELSE field END AS field, value FROM ${rows})`;
}

/** Notes how columns are called whose names differ in case alone. */
export function alikeEntries({ name: table, renamed }: SideTable): LedgerEntry[] {
  if (renamed === undefined) return [];
  const each = [...renamed].map(([name, other]) => `${quoteValue(name)} is called ${quoteValue(other)}`);
  const text = `names of columns in ${table} differ in case alone: ${listSome(each, 5)}`;
  return [noteEntry("columns-alike", text, { ids: [...renamed.keys()] })];
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
