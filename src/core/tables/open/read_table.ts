/** A person's table in memory: its rows, and the type of each column. */
import type { KnownColumn } from "../../contract/fields/column_names.ts";
import { countOf } from "../../contract/count_of.ts";
import type { Problem } from "../../contract/ledger.ts";
import { describeUnread } from "../../io/csv/unread_rows.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { SharedTexts } from "../../io/csv/shared_texts.ts";
import type { TextTable } from "../../io/csv/text_table.ts";
import { cellsOfWidth, hasNoValue, raggedRow } from "../../io/csv/row_values.ts";
import { inferTypes } from "./infer_types.ts";
import { openTable, type OpenTableOptions } from "./open_table.ts";

export interface ReadTable extends TextTable {
  /** Type and unit of each column: what the file declares, else what names and values say. */
  readonly types: readonly KnownColumn[];
  /** What is unusual about it, and rows that could not be read. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Reads a table of a size that fits in memory.
 *
 * @returns Its rows; those of another width than the header are left out, and a reason in `entries` counts them.
 * @throws As `openTable()`; {ParseError} if it is malformed.
 */
export async function readTable(source: ByteSource, options: OpenTableOptions = {}): Promise<ReadTable> {
  const name = options.name ?? sourceName(source);
  const { signal } = options;
  await using table = await openTable(source, options);
  const { columns } = table;
  const shared = new SharedTexts();
  const rows: string[][] = [];
  const unread: Pick<Problem, "line" | "reason" | "kept">[] = [];
  let isHeader = true;
  const reading = await table.read();
  for await (const batch of readCsvRows(reading.chunks, { name: `the table ${name}` })) {
    signal?.throwIfAborted();
    for (const { cells, line } of batch) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      if (hasNoValue(cells)) continue;
      const values = cellsOfWidth(cells, columns.length);
      if (values !== undefined) rows.push(values.map((cell, column) => shared.share(cell, column)));
      else unread.push({ line, reason: raggedRow(cells.length, columns.length), kept: false });
    }
  }
  const read = async () => (await table.read()).chunks;
  const types = await inferTypes(read, {
    name,
    declared: table.types,
    hasDecimalCommas: table.hasDecimalCommas,
    signal,
  });
  const found = [...await reading.entries?.() ?? []];
  if (unread.length > 0) {
    const what = `${unread.length} of ${countOf(unread.length + rows.length, "row")} of ${name}`;
    found.push(noteEntry("unreadable", describeUnread(unread.length, unread, what), { count: unread.length }));
  }
  return { columns, rows, types, entries: [...table.entries, ...found] };
}
