/** Columns whose names differ in case alone have the same names for SQL in both versions. */
import { folded, sqlNames } from "@seqreg/core/engine/local/sql_names";
import { nameInFile } from "../columns.ts";
import type { SideTable } from "../open_side.ts";

/**
 * Columns that SQL cannot distinguish receive the names of the first version that has them, whatever their order in the
 * other: of `Country,country` and `country,Country` the former is `Country` in both. Others keep their names.
 *
 * @returns The tables themselves where no names differ in case alone.
 */
export function alignColumns(tables: readonly [SideTable, SideTable]): readonly [SideTable, SideTable] {
  const alike = new Set(tables.flatMap(({ renamed }) => [...renamed?.keys() ?? []].map(folded)));
  if (alike.size === 0) return tables;
  const names = [...new Set(tables.flatMap((table) => table.columns.map(({ name }) => nameInFile(table, name))))];
  const [twins, others] = [true, false].map((isAlike) => names.filter((name) => alike.has(folded(name)) === isAlike));
  // Others are only there to be avoided: each once, since `Host` and `host` of two versions are no twins.
  const called = sqlNames([...twins, ...new Map(others.map((name) => [folded(name), name])).values()]);
  const align = (table: SideTable): SideTable => {
    const nameOf = (name: string) => {
      const own = nameInFile(table, name);
      return twins.includes(own) ? called[twins.indexOf(own)] : name;
    };
    const { idField, sequence, columns } = table;
    const renamed = columns.flatMap(({ name }) =>
      nameOf(name) === nameInFile(table, name) ? [] : [[nameInFile(table, name), nameOf(name)] as const]
    );
    return {
      ...table,
      ...idField !== undefined && { idField: nameOf(idField) },
      ...sequence !== undefined && { sequence: nameOf(sequence) },
      columns: columns.map((column) => ({ ...column, name: nameOf(column.name) })),
      renamed: new Map(renamed),
    };
  };
  return [align(tables[0]), align(tables[1])];
}
