/** A schema as types of TypeScript. */
import type { FieldType } from "@seqreg/core/contract";
import { numberedNames } from "./_numbered_names.ts";
import type { Schema, SchemaField, SchemaTable } from "../fields.ts";

const TYPES: Readonly<Record<FieldType, string>> = {
  string: "string",
  integer: "number | bigint",
  float: "number",
  boolean: "boolean",
  date: "string",
  list: "readonly string[]",
};

/**
 * Writes one interface for each table: a property for each field, with its unit and meaning as a comment. Every value
 * may be missing. The second of two tables whose names become one has a number.
 *
 * @param schema The schema.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { schemaToTypeScript } from "./typescript.ts";
 *
 * const field = { name: "Host Age", alias: "host_age", isDeclared: true, unit: "years", description: "" };
 *
 * assertStringIncludes(
 *   schemaToTypeScript({ source: "a.csv", tables: [{ table: "my hosts", fields: [{ ...field, type: "integer" }] }] }),
 *   'export interface MyHosts {\n  // In years.\n  readonly "Host Age": number | bigint | null;\n}',
 * );
 * ```
 */
export function schemaToTypeScript(schema: Schema): string {
  const names = numberedNames(schema.tables.map(nameOf));
  return schema.tables.map(({ fields }, index) =>
    `export interface ${names[index]} {\n${fields.map(writeField).join("")}}\n`
  ).join("\n");
}

function nameOf({ table }: SchemaTable): string {
  const name = table.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
    .replace(/[^A-Za-z0-9]/g, "");
  return /^[A-Za-z]/.test(name) ? name : `Table${name}`;
}

function writeField({ name, type, unit, description }: SchemaField): string {
  // A line break in a description would end the comment.
  const meaning = [description, unit === "" ? "" : `In ${unit}.`].join(" ").replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const comment = meaning === "" ? "" : `  // ${meaning}\n`;
  return `${comment}  readonly ${JSON.stringify(name)}: ${TYPES[type]} | null;\n`;
}
