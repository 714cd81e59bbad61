/** `POST /v2/metadata/download`: definitions of public metadata fields. */
import { isRecord } from "../options/is_record.ts";
import type { OptionRule } from "../options/option_rule.ts";
import { like, listOf } from "../options/rules.ts";

/** Body of a definitions export. Source: Specification 4.5. */
export interface DefinitionsRequest {
  /** Exact public field names. A name that matches no field is left out of the answer without an error. */
  readonly fields: readonly string[];
}

/** Types that a definition of the embedded registry declares. Declared types are claims: values may not fit. */
export type FieldType = "string" | "integer" | "float" | "boolean" | "date" | "list";

/**
 * One definition as the embedded registry writes it, and as in `definitions.json` next to the archives.
 *
 * The specification does not show the columns of a registry's definitions (2.5): this shape is our choice, and the
 * client does not expect it of other registries.
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
  /** An example value from the data. */
  readonly example: string;
}

const FIELD_TYPES: readonly unknown[] = ["string", "integer", "float", "boolean", "date", "list"] satisfies FieldType[];

/** The rule of an option `definitions`. Additional keys of a definition are ignored. */
export const FIELD_DEFINITIONS: OptionRule<readonly FieldDefinition[]> = listOf(
  like<FieldDefinition>(
    `an object with a name and a type (${FIELD_TYPES.join(", ")})`,
    (value) => isRecord(value) && typeof value.name === "string" && FIELD_TYPES.includes(value.type),
  ),
  "definitions",
);
