/** Compares the numbers of an analysis with those of DuckDB over the same Parquet. */
import { assertEquals } from "@std/assert";
import type { DataFrame } from "nodejs-polars";
import type { Analysis } from "../../src/analysis/run/analysis.ts";
import { MISSING_WORDS } from "../../src/core/contract/mod.ts";
import type { Lake } from "../../src/core/tables/lake/open/open_lake.ts";

/** Rows of a frame as plain values; numbers that are not whole to twelve significant digits. */
export function plainRows(frame: DataFrame): unknown[][] {
  const columns = frame.columns.map((name) => frame.getColumn(name).toArray());
  return Array.from({ length: frame.height }, (_, row) => columns.map((values) => plain(values[row])));
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(12));
  return String(value);
}

/** Holds every number of an analysis to a query; where there is nothing, to a note and no chart. */
export async function assertSameNumbers(analysis: Analysis, lake: Lake, sql: string): Promise<void> {
  const expected = plainRows(await lake.sql(sql));
  assertEquals(plainRows(analysis.frame), expected);
  assertEquals(analysis.chart === undefined, expected.length === 0);
  if (analysis.chart === undefined && analysis.notes.length === 0) throw new Error("no chart and no note");
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text column as analyses take it: without blanks around, placeholders as null. */
export function textSql(name: string): string {
  const trimmed = `trim(${quote(name)}, E' \\t\\n\\r')`;
  return `CASE WHEN lower(${trimmed}) IN ('', ${
    MISSING_WORDS.map((word) => `'${word}'`).join(", ")
  }) THEN NULL ELSE ${trimmed} END`;
}
