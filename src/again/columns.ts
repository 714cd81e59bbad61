/** Columns of a version, as its Parquet files have them. */
import type { FieldType } from "@seqreg/core/contract";
import { listSome, quoteValue } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";
import { type ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
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
  if (renamed === undefined || renamed.size === 0) return rows;
  const cases = [...renamed].map(([from, to]) => `WHEN ${sqlText(from)} THEN ${sqlText(to)}`).join(" ");
  return `(SELECT row, CASE field ${cases} ELSE field END AS field, value FROM ${rows})`;
}

/** The name of a column in its files. */
export function nameInFile({ renamed }: Pick<SideTable, "renamed">, name: string): string {
  return [...renamed ?? []].find(([, called]) => called === name)?.[0] ?? name;
}

/** Notes how columns are called whose names differ in case alone. */
export function alikeEntries({ name: table, renamed }: SideTable): LedgerEntry[] {
  if (renamed === undefined || renamed.size === 0) return [];
  const each = [...renamed].map(([name, other]) => `${quoteValue(name)} is called ${quoteValue(other)}`);
  const text = `names of columns in ${table} differ in case alone: ${listSome(each, 5)}`;
  return [noteEntry("columns-alike", text, { ids: [...renamed.keys()] })];
}

/** Types of the columns of plain files; all others are texts. */
const TYPES: readonly (readonly [dtypes: RegExp, type: FieldType])[] = [
  [/^U?(?:TINY|SMALL|BIG)?INT(?:EGER)?$/, "integer"],
  [/^DOUBLE$/, "float"],
  [/^BOOLEAN$/, "boolean"],
  [/^DATE$/, "date"],
];

function parquetColumn(name: string, dtype: string): SideColumn {
  const type = TYPES.find(([dtypes]) => dtypes.test(dtype))?.[1];
  return { name, dtype, ...type && { type } };
}

/** Whether a type of Parquet or of a lake is a list. */
export function isList(dtype: string | undefined): boolean {
  return dtype !== undefined && (dtype.startsWith("List") || dtype.endsWith("[]"));
}

/** A cell as text in SQL, as the toolkit writes it; `from` stands before its column, such as `r.`. */
export function cellText({ name, dtype }: Pick<SideColumn, "name" | "dtype">, from = ""): string {
  const cell = `${from}${sqlName(name)}`;
  if (isList(dtype)) return `array_to_string(${cell}, ';')`;
  if (dtype !== "Float64" && dtype !== "DOUBLE") return `${cell}::VARCHAR`;
  // DuckDB writes 5.0, and 5 is what a table of text or of whole numbers has.
  return `(CASE WHEN ${cell} = trunc(${cell}) AND abs(${cell}) < 1e15 THEN ${cell}::BIGINT::VARCHAR ` +
    `ELSE ${cell}::VARCHAR END)`;
}

/** A number in SQL; null if it is NaN or infinite, which SQL reads in texts (`nan`, `inf`) and the toolkit does not. */
export function finite(number: string): string {
  return `(CASE WHEN isfinite(${number}) THEN ${number} END)`;
}
