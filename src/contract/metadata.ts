/**
 * `POST /v2/metadata/download`: definitions of public metadata fields.
 *
 * @module
 */
import { isRecord } from "./options/is_record.ts";
import type { OptionRule } from "./options/option_rule.ts";
import { like, listOf } from "./options/rules.ts";

/** Body of a definitions export. Source: Specification 4.5. */
export interface DefinitionsRequest {
  /** Exact public field names. A name that matches no field is left out of the answer without an error. */
  readonly fields: readonly string[];
}

/** Types that a definition of the embedded registry declares. Declared types are claims: values may not fit. */
export type FieldType = "string" | "integer" | "float" | "boolean" | "date" | "list";

/**
 * One definition as the embedded registry writes it, and as `definitions.json` beside the archives holds it.
 *
 * Columns of a registry's definitions are not shown in the specification (2.5): this shape is our choice, and the
 * client does not expect it of others.
 */
export interface FieldDefinition {
  /** Public name of the field, such as `Sequence Length`. */
  readonly name: string;
  /** Alias in queries, such as `sequence_length`. */
  readonly alias: string;
  /** Declared type. */
  readonly type: FieldType;
  /** What the field means. */
  readonly description: string;
  /** Unit of a number, such as `bp` or `%`; empty when it has none. */
  readonly unit: string;
  /** One value as it stands in the data. */
  readonly example: string;
}

const FIELD_TYPES: readonly unknown[] = ["string", "integer", "float", "boolean", "date", "list"] satisfies FieldType[];

/** The rule of an option `definitions`. Keys that a definition has beside its own are left alone. */
export const FIELD_DEFINITIONS: OptionRule<readonly FieldDefinition[]> = listOf(
  like<FieldDefinition>(
    `an object with a name and a type (${FIELD_TYPES.join(", ")})`,
    (value) => isRecord(value) && typeof value.name === "string" && FIELD_TYPES.includes(value.type),
  ),
  "definitions",
);
