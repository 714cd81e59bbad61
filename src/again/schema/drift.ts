/**
 * What changed between the fields of two versions.
 *
 * @module
 */
import { pairByWords, type RenamedColumn } from "../diff/propose_renames.ts";
import type { Schema, SchemaField, SchemaTable } from "./fields.ts";

/** One change of a field that both versions have. */
export interface FieldDrift {
  /** Name of the field in the new version. */
  readonly field: string;
  /** What changed: its name, type, unit, or the share of records with a value by at least a tenth. */
  readonly what: "name" | "type" | "unit" | "filled";
  /** As it was. */
  readonly old: string;
  /** As it is. */
  readonly new: string;
}

/** Changes of the fields of one table. */
export interface SchemaDrift {
  /** Name of the table in the new version. */
  readonly table: string;
  /** Fields only in the new version. */
  readonly added: readonly string[];
  /** Fields only in the old version. */
  readonly removed: readonly string[];
  /** Fields that are probably the same: their names, or their aliases if these alone changed, have the same words. */
  readonly renamed: readonly RenamedColumn[];
  /** Changes of fields in both versions, the renamed ones among them. */
  readonly changed: readonly FieldDrift[];
}

/** Change of the share of records with a value from which it is reported. */
const FILLED_CHANGE = 0.1;

/**
 * Compares the fields of two versions, table by table. Fields are the same if their aliases are equal.
 *
 * @param older The old version.
 * @param schema The new version.
 * @returns A row for each table that both versions have; if both have a single one, whatever their names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { driftOf } from "./drift.ts";
 *
 * const field = { type: "string", isDeclared: true, unit: "", description: "" } as const;
 * const schema = (name: string, alias: string) => ({
 *   source: "a.csv",
 *   tables: [{ table: "a", fields: [{ ...field, name, alias }] }],
 * });
 *
 * const [{ renamed }] = driftOf(schema("Host Age", "host_age"), schema("Age Host", "age_host"));
 * assertEquals(renamed, [["Host Age", "Age Host"]]);
 * ```
 */
export function driftOf(older: Schema, schema: Schema): SchemaDrift[] {
  const isSingle = older.tables.length === 1 && schema.tables.length === 1;
  return schema.tables.flatMap((table) => {
    const before = isSingle ? older.tables[0] : older.tables.find((other) => other.table === table.table);
    return before === undefined ? [] : [driftOfTable(before, table)];
  });
}

function driftOfTable(before: SchemaTable, after: SchemaTable): SchemaDrift {
  const byAlias = ({ fields }: SchemaTable) => new Map(fields.map((field) => [field.alias, field]));
  const [old, now] = [byAlias(before), byAlias(after)];
  const gone = [...old.keys()].filter((alias) => !now.has(alias));
  const came = [...now.keys()].filter((alias) => !old.has(alias));
  const pairs = pairByWords(gone, came);
  const both = [...old.keys()].filter((alias) => now.has(alias)).map((alias) => [alias, alias] as const);
  const changed = [...both, ...pairs].flatMap(([from, to]) =>
    driftOfField([old.get(from)!, before], [now.get(to)!, after], from === to)
  );
  const nameOf = (fields: Map<string, SchemaField>) => (alias: string) => fields.get(alias)!.name;
  return {
    table: after.table,
    added: came.filter((alias) => !pairs.some(([, to]) => to === alias)).map(nameOf(now)),
    removed: gone.filter((alias) => !pairs.some(([from]) => from === alias)).map(nameOf(old)),
    renamed: pairs.map(([from, to]): RenamedColumn => {
      const names: RenamedColumn = [nameOf(old)(from), nameOf(now)(to)];
      return names[0] === names[1] ? [from, to] : names;
    }),
    changed,
  };
}

type FieldOfTable = readonly [field: SchemaField, table: SchemaTable];

function driftOfField([old, before]: FieldOfTable, [now, after]: FieldOfTable, hasSameAlias: boolean): FieldDrift[] {
  const drift: FieldDrift[] = [];
  const note = (what: FieldDrift["what"], was: string, is: string) => {
    if (was !== is) drift.push({ field: now.name, what, old: was, new: is });
  };
  if (hasSameAlias) note("name", old.name, now.name);
  note("type", old.type, now.type);
  note("unit", old.unit, now.unit);
  const shares = [[old, before], [now, after]].map(([field, table]) =>
    shareOf(field as SchemaField, (table as SchemaTable).rows)
  );
  if (shares[0] !== undefined && shares[1] !== undefined && Math.abs(shares[0] - shares[1]) >= FILLED_CHANGE) {
    note("filled", percent(shares[0]), percent(shares[1]));
  }
  return drift;
}

function shareOf({ values }: SchemaField, rows: number | undefined): number | undefined {
  return values === undefined || !rows ? undefined : values.filled / rows;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
