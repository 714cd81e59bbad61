/** Changes as CSV, one row a field. */
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import type { Diff } from "../diff_result.ts";
import type { ChangedValue, RecordChange } from "../record_change.ts";

/** Columns of the rows. */
export const CHANGE_COLUMNS: readonly string[] = ["table", "kind", "key", "field", "old", "new", "how"];

/**
 * Writes a comparison as CSV: `table`, `kind` (`added`, `removed`, `changed`), `key`, `field`, `old`, `new`, `how`; a
 * row for each changed field, and one without a field for an added or removed record.
 *
 * @param diff The comparison.
 * @returns Rows with their line ends, the header first.
 */
export async function* diffToCsv(diff: Diff): AsyncGenerator<string> {
  yield `${csvRow(CHANGE_COLUMNS)}\n`;
  for await (const change of diff.records()) {
    for (const row of changeRows(change)) yield `${csvRow(row.map(cellOf))}\n`;
  }
}

/** The rows of one record, in the order of {@linkcode CHANGE_COLUMNS}. */
export function changeRows({ table, kind, key, fields }: RecordChange): (ChangedValue)[][] {
  if (kind !== "changed") return [[table, kind, key, null, null, null, null]];
  return Object.entries(fields).map(([field, { old, new: now, how }]) => [table, kind, key, field, old, now, how]);
}

function cellOf(value: ChangedValue): string {
  return value === null ? "" : String(value);
}
