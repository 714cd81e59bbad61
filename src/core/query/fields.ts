/** The fields that a query may name: an allow-list, by public name and by alias. */
import type { FieldDefinition, FieldType } from "../contract/metadata.ts";
import { adviseName } from "../options/nearest.ts";

export interface Field {
  /** Position among the archives' columns, counted from 0. */
  readonly index: number;
  /** Public name. */
  readonly name: string;
  readonly alias: string;
  readonly type: FieldType;
  /** Unit of its numbers; empty when it has none. */
  readonly unit: string;
}

/** Finds fields by what a person calls them. */
export interface FieldLookup {
  /** The fields, in the order of the archives' columns. */
  readonly fields: readonly Field[];
  /** Finds a field by its public name or alias; in another case where only one field is called so. */
  find(name: string): Field | undefined;
  /** Makes the error for an unknown field, with the nearest name. */
  describeUnknown(name: string): string;
}

/** Makes a lookup; a public name wins over an alias. */
export function lookupFields(definitions: readonly FieldDefinition[]): FieldLookup {
  const fields = definitions.map(({ name, alias, type, unit }, index) => ({ index, name, alias, type, unit }));
  const byName = new Map<string, Field>();
  for (const field of fields) if (!byName.has(field.alias)) byName.set(field.alias, field);
  for (const field of fields) byName.set(field.name, field);
  const names = [...byName.keys()];
  const folded = new Map<string, Field | undefined>();
  for (const [name, field] of byName) {
    const key = name.toLowerCase();
    folded.set(key, folded.has(key) && folded.get(key) !== field ? undefined : field);
  }
  return {
    fields,
    find: (name) => byName.get(name) ?? folded.get(name.toLowerCase()),
    describeUnknown: (name) => `no field is called ${JSON.stringify(name.slice(0, 200))}; ${adviseName(name, names)}`,
  };
}

/** Whether values of a field compare as numbers. */
export function isNumeric(type: FieldType): boolean {
  return type === "integer" || type === "float";
}
