/** Definitions of fields that mean nothing in particular. */
import { fieldAlias } from "../../../src/core/contract/fields/field_alias.ts";
import type { FieldDefinition, FieldType } from "../../../src/core/contract/metadata.ts";

export function define(name: string, type: FieldType = "string", unit = ""): FieldDefinition {
  return { name, alias: fieldAlias(name), type, description: "", unit, example: "" };
}
