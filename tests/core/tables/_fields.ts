/** Accessions and definitions of fields that tables are read by. */
import type { FieldDefinition } from "../../../src/core/contract/metadata.ts";

export const A = "vj000000000001";

export const B = "vj000000000002";

export const COUNTRY: FieldDefinition = {
  name: "Country",
  alias: "country",
  type: "string",
  description: 'Where, as "said"',
  unit: "",
  example: "Kenya",
};

export const LENGTH: FieldDefinition = {
  name: "Sequence Length",
  alias: "sequence_length",
  type: "integer",
  description: "",
  unit: "bp",
  example: "10794",
};
