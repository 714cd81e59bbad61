/** The column of a person's table that holds registry accessions. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { Naming } from "@seqreg/core/contract";

/** Finds the column that holds registry accessions, by the field's name or its alias. */
export function accessionColumn(columns: readonly string[], naming: Naming): number {
  const exact = columns.indexOf(naming.accessionField);
  return exact !== -1 ? exact : columns.findIndex((column) => fieldAlias(column) === naming.accessionAlias);
}
