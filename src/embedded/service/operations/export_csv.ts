/** Metadata as CSV: a header of public field names, one row per record. */
import { csvRow } from "@seqreg/core/io/csv/csv_text";
import { spend } from "./_batches.ts";
import type { StoredRecord } from "../store/store.ts";

export interface ExportColumn {
  /** What the export calls it. */
  readonly name: string;
  /** Its index among a record's values. */
  readonly index: number;
}

/**
 * Writes metadata as CSV: UTF-8, LF, quoted as RFC 4180 has it.
 *
 * @param batches Records; each batch is emptied when it is written.
 * @param columns Columns in the order of the export.
 * @returns The header, then one text per batch.
 * @see Specification 4.2, `text/csv`. The dialect is not shown: chosen to be that of the archives.
 */
export async function* metadataCsv(
  batches: AsyncIterable<StoredRecord[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<string> {
  yield csvRow(columns.map(({ name }) => name)) + "\n";
  for await (const records of batches) {
    yield spend(records, ({ values }) => csvRow(columns.map(({ index }) => values[index])) + "\n");
  }
}
