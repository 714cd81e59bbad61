/** Defines the fields of a table from what is seen in it. */
import { fieldAlias } from "../contract/field_alias.ts";
import type { FieldDefinition, FieldType } from "../contract/metadata.ts";
import { defineField, isFieldName } from "./_fields.ts";

/** Share of a column's values that must fit a type; the rest is the oddness of real data. */
const LEAST_SHARE = 0.95;

/** Types in the order in which they are tried, each with the values that fit. Leading zeros make an identifier. */
const PATTERNS: readonly (readonly [type: FieldType, pattern: RegExp])[] = [
  ["boolean", /^(true|false)$/],
  ["integer", /^-?(0|[1-9][0-9]{0,14})$/],
  ["float", /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/],
  ["date", /^[12][0-9]{3}(-([01][0-9]|XX)(-([0-3][0-9]|XX))?)?$/],
  ["list", /;/],
];

/** Observes the type of a column: `string` where no other type fits 95 of 100 values that are not empty. */
export function observeType(values: Iterable<string>): FieldType | undefined {
  const fits = PATTERNS.map(() => 0);
  let count = 0;
  for (const value of values) {
    if (value === "") continue;
    count++;
    for (const [index, [, pattern]] of PATTERNS.entries()) if (pattern.test(value)) fits[index]++;
  }
  if (count === 0) return undefined;
  const best = PATTERNS.findIndex((_, index) => fits[index] >= count * LEAST_SHARE);
  return best === -1 ? "string" : PATTERNS[best][0];
}

/**
 * Defines a field that came from a column.
 *
 * @param name Public name of the field.
 * @param column Name of the column.
 * @param values Its values.
 * @param aliases Aliases that are taken; the new one is added.
 */
export function defineColumn(
  name: string,
  column: string,
  values: Iterable<string>,
  aliases: Set<string>,
): FieldDefinition {
  const known = isFieldName(name) ? defineField(name) : undefined;
  const from = name === column ? "" : `, from the column ${JSON.stringify(column)}`;
  const type = observeType(values) ?? known?.type ?? "string";
  return {
    name,
    alias: freeAlias(known?.alias ?? fieldAlias(name), aliases),
    type,
    description: known === undefined
      ? `Column ${JSON.stringify(column)} of the packed table`
      : known.description + from,
    unit: known === undefined || type === "string" ? "" : known.unit,
    example: "",
  };
}

/** Finds an alias that no other field has, and takes it. */
export function freeAlias(wanted: string, taken: Set<string>): string {
  const stem = wanted === "" ? "field" : wanted;
  let alias = stem;
  for (let number = 2; taken.has(alias); number++) alias = `${stem}_${number}`;
  taken.add(alias);
  return alias;
}
