/**
 * Names of columns where names are read without regard to case, as in DuckDB's SQL: of `Country` and `country`, whose
 * data are two columns, SQL finds the first by either name.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { escapeGlob } from "../frames/glob.ts";

/**
 * The names under which SQL tells columns apart: their own, but the second of those that differ in case alone is
 * `NAME_2`, the third `NAME_3`; numbers that are taken are skipped.
 *
 * @param names The columns' names, in order, each once.
 * @returns A name for each, in the same order.
 */
export function sqlNames(names: readonly string[]): string[] {
  const taken = new Set(names.map(folded));
  const seen = new Set<string>();
  return names.map((name) => {
    const own = folded(name);
    if (!seen.has(own)) {
      seen.add(own);
      return name;
    }
    let number = 2;
    while (taken.has(`${own}_${number}`)) number++;
    taken.add(`${own}_${number}`);
    return `${name}_${number}`;
  });
}

/**
 * A table function of Parquet files, followed by names for its columns where they need other ones than their own.
 *
 * @param own Names that SQL distinguishes; those of {@linkcode sqlNames} by default.
 */
export function namedColumns(reading: string, names: readonly string[], own = sqlNames(names)): string {
  if (own.every((name, index) => name === names[index])) return reading;
  // By position: how DuckDB calls the second of two names is its own affair.
  return `${reading} AS files(${own.map(sqlName).join(", ")})`;
}

/** The names of a Parquet file's columns, as it has them: DuckDB describes those that differ in case by other ones. */
export async function namesInFile(connection: DuckDBConnection, path: string): Promise<string[]> {
  const nodes = (await connection.runAndReadAll(
    `SELECT name, coalesce(num_children, 0)::INTEGER FROM parquet_schema(${sqlText(escapeGlob(path))})`,
  )).getRows();
  const names: string[] = [];
  // A tree whose nodes come before those below them; the first is the root.
  let below = 0;
  for (const [name, children] of nodes.slice(1)) {
    if (below === 0) names.push(String(name));
    below += Number(children) - (below === 0 ? 0 : 1);
  }
  return names;
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name as SQL compares it: DuckDB knows the two cases of ASCII's letters only. */
export function folded(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
