/** What changed between the fields of two versions. */
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

/** Change of the share of records with a value from which it is reported: so many of it are the whole. */
const FILLED_PARTS = 10;

/**
 * Compares the fields of two versions, table by table. Fields are the same if their aliases are equal.
 *
 * @param older The old version.
 * @param schema The new version.
 * @returns A row for each table of the new version, then for each that only the old one has: all its fields were added
 * or removed. If both have a single table, they are compared whatever their names.
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
  const partner = (table: SchemaTable, others: readonly SchemaTable[]) =>
    isSingle ? others[0] : others.find((other) => other.table === table.table);
  const without = (table: SchemaTable): SchemaTable => ({ ...table, fields: [] });
  return [
    ...schema.tables.map((table) => driftOfTable(partner(table, older.tables) ?? without(table), table)),
    ...older.tables.filter((table) => partner(table, schema.tables) === undefined)
      .map((table) => driftOfTable(table, without(table))),
  ];
}

function driftOfTable(before: SchemaTable, after: SchemaTable): SchemaDrift {
  const both = sameFields(before.fields, after.fields);
  const gone = before.fields.filter((field) => !both.some(([old]) => old === field));
  const came = after.fields.filter((field) => !both.some(([, now]) => now === field));
  const aliases = (fields: readonly SchemaField[]) => fields.map(({ alias }) => alias);
  const pairs = pairByWords(aliases(gone), aliases(came)).map(([from, to]) =>
    [gone.find(({ alias }) => alias === from)!, came.find(({ alias }) => alias === to)!] as const
  );
  const drift = ([old, now]: FieldPair, hasSameAlias: boolean) =>
    driftOfField([old, before], [now, after], hasSameAlias);
  return {
    table: after.table,
    added: came.filter((field) => !pairs.some(([, now]) => now === field)).map(({ name }) => name),
    removed: gone.filter((field) => !pairs.some(([old]) => old === field)).map(({ name }) => name),
    renamed: pairs.map(([old, now]): RenamedColumn =>
      old.name === now.name ? [old.alias, now.alias] : [old.name, now.name]
    ),
    changed: [...both.flatMap((pair) => drift(pair, true)), ...pairs.flatMap((pair) => drift(pair, false))],
  };
}

type FieldPair = readonly [old: SchemaField, now: SchemaField];

/** Fields with one alias in both versions, each once; of several with one alias those of one name first. */
function sameFields(before: readonly SchemaField[], after: readonly SchemaField[]): FieldPair[] {
  const areSame = (one: SchemaField, other: SchemaField) => one.name === other.name && one.alias === other.alias;
  const taken = new Set<SchemaField>();
  return before.flatMap((old) => {
    const now = after.find((field) => areSame(old, field)) ??
      after.find((field) =>
        field.alias === old.alias && !taken.has(field) && !before.some((other) => areSame(other, field))
      );
    if (now === undefined) return [];
    taken.add(now);
    return [[old, now] as const];
  });
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
  if (old.values !== undefined && now.values !== undefined && before.rows && after.rows) {
    // In whole numbers: 0.9 - 0.8 is less than a tenth.
    const change = Math.abs(old.values.filled * after.rows - now.values.filled * before.rows);
    if (change * FILLED_PARTS >= before.rows * after.rows) {
      note("filled", percent(old.values.filled / before.rows), percent(now.values.filled / after.rows));
    }
  }
  return drift;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
