/** A schema as Table Schemas of Frictionless Data. */
import type { FieldType } from "@seqreg/core/contract";
import { MISSING_WORDS } from "@seqreg/core/contract/values";
import { numberedNames } from "./_numbered_names.ts";
import type { Schema, SchemaField, SchemaTable } from "../fields.ts";

const TYPES: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "integer",
  float: "number",
  boolean: "boolean",
  // Dates of limited precision, such as 2013-05, are no dates of the specification.
  date: "string",
  list: "string",
};

/**
 * Makes a Table Schema of one table, or a Tabular Data Package of several.
 *
 * @param schema The schema.
 * @returns An object to be written as JSON.
 * @see https://specs.frictionlessdata.io/table-schema/
 */
export function schemaToFrictionless({ tables }: Schema): Readonly<Record<string, unknown>> {
  if (tables.length === 1) return tableSchema(tables[0]);
  const names = numberedNames(tables.map(({ table }) => table.toLowerCase().replace(/[^a-z0-9._/-]+/g, "-")), "-");
  return {
    profile: "tabular-data-package",
    resources: tables.map((table, index) => ({
      profile: "tabular-data-resource",
      name: names[index],
      path: `${table.table}.csv`,
      schema: tableSchema(table),
    })),
  };
}

function tableSchema({ fields, idField }: SchemaTable): Readonly<Record<string, unknown>> {
  return {
    fields: fields.map(describeField),
    missingValues: ["", ...MISSING_WORDS],
    ...idField !== undefined && { primaryKey: idField },
  };
}

function describeField({ name, type, unit, description, values }: SchemaField) {
  const note = [description, unit === "" ? "" : `Unit: ${unit}.`].filter((text) => text !== "").join(" ");
  return {
    name,
    type: TYPES[type],
    ...note !== "" && { description: note },
    ...values?.example !== undefined && { example: values.example },
  };
}
