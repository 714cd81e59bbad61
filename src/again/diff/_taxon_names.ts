/** Names of taxa that the taxonomy archive of a version maps to one another. */
import { type ScratchSql, sqlName } from "@seqreg/core/engine/local/scratch_sql";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { Side, SideTable } from "../open_side.ts";

/** Whether one name of a taxon is mapped to another, in either direction. */
export type IsRenamedTaxon = (before: string, after: string) => boolean;

/** Aliases of the columns of the taxonomy archive. */
const MAPPED_COLUMNS: readonly (readonly [from: string, to: string])[] = [
  ["taxon", "mapped_taxon"],
  ["reftax1_name", "reftax2_name"],
  ["reftax1", "reftax2"],
];

/** Reads the names of the taxonomy archives of both versions; without one nothing is renamed. */
export async function readTaxonNames(sql: ScratchSql, sides: readonly Side[]): Promise<IsRenamedTaxon> {
  const pairs = new Set<string>();
  for (const table of sides.flatMap(({ tables }) => tables)) {
    const columns = mappedColumns(table);
    if (columns === undefined) continue;
    const [from, to] = columns.map(sqlName);
    const rows = `SELECT DISTINCT ${from}, ${to} FROM ${await sql.parquet(table.files)} WHERE ${from} <> ${to}`;
    for await (const batch of sql.stream(rows)) {
      const [before, after] = [batch.column(0), batch.column(1)];
      before.forEach((name, row) => pairs.add(pairOf(String(name), String(after[row]))));
    }
  }
  return (before, after) => pairs.has(pairOf(before, after)) || pairs.has(pairOf(after, before));
}

function pairOf(before: string, after: string): string {
  return `${before}\n${after}`;
}

/** Whether columns are those of the taxonomy archive. */
export function areTaxonNames(columns: Pick<SideTable, "columns">["columns"]): boolean {
  return mappedColumns({ columns }) !== undefined;
}

function mappedColumns({ columns }: Pick<SideTable, "columns">): readonly string[] | undefined {
  for (const aliases of MAPPED_COLUMNS) {
    const names = aliases.map((alias) => columns.find(({ name }) => fieldAlias(name) === alias)?.name);
    if (names.every((name) => name !== undefined)) return names;
  }
  return undefined;
}
