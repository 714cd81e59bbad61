/**
 * Changes in daff's tabular format: a table that `daff patch OLD DIFF` applies.
 *
 * @see Paul Fitzpatrick, "Tabular diff format": https://paulfitz.github.io/daff-doc/spec.html
 */
import { type ScratchSql, sqlName } from "@seqreg/core/engine/local/scratch_sql";
import { nameInFile } from "../columns.ts";
import type { ComparedTables } from "./_compared_tables.ts";
import { numberedKeys } from "./_differing_rows.ts";
import type { ColumnChanges } from "./match_columns.ts";

/**
 * The schema row if fields changed, the header, every row of the new version and those removed: daff finds the position
 * of a row by the rows before it.
 */
export async function* readDaffRows(
  sql: ScratchSql,
  tables: ComparedTables,
  columns: ColumnChanges,
): AsyncGenerator<string[]> {
  const layout = layOut(tables, columns);
  if (layout.some(({ mark }) => mark !== "")) yield ["!", ...layout.map(({ mark }) => mark)];
  yield ["@@", ...layout.map(({ name }) => name)];
  const cell = (version: "o" | "n", name: string | undefined) =>
    name === undefined ? "NULL" : `nullif(${version}.${sqlName(name)}::VARCHAR, '')`;
  const cells = (version: "o" | "n") =>
    layout.map(({ before, after }) => cell(version, version === "o" ? before : after)).join(", ");
  const [before, after] = [await sql.parquet(tables.before.files), await sql.parquet(tables.after.files)];
  const [oldKey, newKey] = tables.key!.map(sqlName);
  // A record that is left out may have the key of another.
  const [isOld, isNew] = [tables.only?.[0]("o.") ?? "true", tables.only?.[1]("n.") ?? "true"];
  // A removed row stands after the row that it stood after in the old version.
  const query = `WITH o_keys AS (${await numberedKeys(sql, tables, "old")}), n_keys AS (${await numberedKeys(
    sql,
    tables,
    "new",
  )}), ` +
    "common AS (SELECT o.row AS old_row, n.row AS new_row FROM o_keys o JOIN n_keys n USING (key)), " +
    "placed AS (SELECT k.key, coalesce(w.kind, 'same') AS kind, k.row, -1 AS old_row " +
    "FROM n_keys k LEFT JOIN work w ON w.key = k.key UNION ALL " +
    "SELECT w.key, w.kind, coalesce(c.new_row, -1), w.old_row " +
    "FROM work w ASOF LEFT JOIN common c ON w.old_row > c.old_row WHERE w.kind = 'removed') " +
    `SELECT ${cells("n")}, ${
      cells("o")
    }, p.kind FROM placed p LEFT JOIN ${after} n ON n.${newKey}::VARCHAR = p.key AND ${isNew} ` +
    `LEFT JOIN ${before} o ON o.${oldKey}::VARCHAR = p.key AND ${isOld} ORDER BY p.row, p.old_row`;
  for await (const row of rowsOf(sql, query, 2 * layout.length + 1)) {
    yield daffRow(row.slice(0, layout.length), row.slice(layout.length, -1), { kind: row.at(-1)!, layout });
  }
}

interface DaffColumn {
  readonly name: string;
  /** Name in the old version; absent of an added column. */
  readonly before?: string;
  /** Name in the new version; absent of a removed column. */
  readonly after?: string;
  /** Whether both versions have it, and its cells were not compared. */
  readonly isLeft: boolean;
  /** Its cell in the schema row. */
  readonly mark: string;
}

/** The columns of the new version in order, then those that were removed. */
function layOut({ before, after, columns, key }: ComparedTables, { moved }: ColumnChanges): DaffColumn[] {
  const names = before.columns.map(({ name }) => name);
  const pairs = key === undefined ? columns : [key, ...columns];
  const inFile = (name: string) => nameInFile(after, name);
  const kept = after.columns.map(({ name }): DaffColumn => {
    const isLeft = names.includes(name) && !pairs.flat().includes(name);
    const old = isLeft ? name : pairs.find(([, to]) => to === name)?.[0];
    if (old === undefined) return { name: inFile(name), after: name, isLeft, mark: "+++" };
    return {
      name: inFile(name),
      before: old,
      after: name,
      isLeft,
      mark: `${moved.includes(name) ? ":" : ""}${old === name ? "" : `(${nameInFile(before, old)})`}`,
    };
  });
  const removed = names.filter((name) => !kept.some((column) => column.before === name))
    .map((name): DaffColumn => ({ name: nameInFile(before, name), before: name, isLeft: false, mark: "---" }));
  return [...kept, ...removed];
}

async function* rowsOf(sql: ScratchSql, query: string, columns: number): AsyncGenerator<(string | null)[]> {
  for await (const batch of sql.stream(query)) {
    const values = Array.from({ length: columns }, (_, index) => batch.column(index));
    for (let row = 0; row < batch.rows; row++) {
      yield values.map((column) => column[row] === null ? null : String(column[row]));
    }
  }
}

function daffRow(
  now: readonly (string | null)[],
  old: readonly (string | null)[],
  { kind, layout }: { readonly kind: string; readonly layout: readonly DaffColumn[] },
): string[] {
  if (kind === "added") return ["+++", ...now.map(orEmpty)];
  if (kind === "removed") return ["---", ...old.map(orEmpty)];
  // Cells that were not compared stay as they are in the old version.
  const cellsNow = now.map((text, index) => layout[index].isLeft ? old[index] : text);
  const isNew = layout.some(({ before }) => before === undefined);
  if (kind !== "changed") return [isNew ? "+" : "", ...cellsNow.map(orEmpty)];
  const arrow = arrowFor([...now, ...old]);
  const cells = cellsNow.map((text, index) => {
    const { before, after } = layout[index];
    if (before === undefined) return orEmpty(text);
    if (after === undefined) return orEmpty(old[index]);
    return text === old[index] ? orEmpty(text) : `${orEmpty(old[index])}${arrow}${orEmpty(text)}`;
  });
  return [arrow, ...cells];
}

/** An arrow that stands in none of the cells: `->`, else with more dashes. */
function arrowFor(cells: readonly (string | null)[]): string {
  let arrow = "->";
  while (cells.some((cell) => cell?.includes(arrow))) arrow = `-${arrow}`;
  return arrow;
}

function orEmpty(text: string | null | undefined): string {
  return text ?? "";
}
