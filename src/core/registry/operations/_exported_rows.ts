/** The rows of an export that pages did not have. */
import type { Naming } from "../../contract/naming.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { peekSeparator } from "../../io/csv/peek_separator.ts";
import { isAccessionColumn, renamesOf } from "../exports/export_fields.ts";
import { ExportRun } from "../exports/export_run.ts";
import type { ExportedRows, SearchAllOptions } from "./search_all_options.ts";
import type { RegistryClient } from "../../client/mod.ts";
import type { SearchCriteria } from "../plan/search_criteria.ts";

/**
 * Reads the rows of an export of metadata, whose columns get the names of the pages' fields where they are aliases.
 *
 * @param take Whether a row is wanted, by its accession; called once for each row.
 * @returns Some wanted rows at a time, perhaps none; `undefined` where the export has no accessions, as the last.
 */
export async function* readExportedRows(
  run: ExportRun,
  { naming, fields }: { readonly naming: Naming; readonly fields: ReadonlySet<string> },
  take: (accession: string) => boolean,
): AsyncGenerator<ExportedRows | undefined> {
  let header: readonly string[] | undefined;
  let column = -1;
  const { chunks, separator } = await peekSeparator(run.bytes());
  for await (const batch of readCsvRows(chunks, { name: "the export", separator })) {
    const rows: (readonly string[])[] = [];
    for (const { cells } of batch) {
      if (header === undefined) {
        const renames = renamesOf(cells, [...fields], { naming });
        header = cells.map((cell) => renames.get(cell) ?? cell);
        column = cells.findIndex((cell) => isAccessionColumn(cell, naming));
        if (column === -1) return yield undefined;
      } else if (cells.length === header.length && take(cells[column])) rows.push(cells);
    }
    if (header !== undefined) yield { columns: header, rows };
  }
}

/** Starts the export; nothing is requested yet. */
export function exportMatches(
  client: RegistryClient,
  { query, filter }: SearchCriteria,
  { place, watch, signal }: SearchAllOptions,
): ExportRun {
  return new ExportRun(client, {
    scope: { query, ...filter !== undefined && filter.length > 0 && { filter } },
    information: "metadata",
    fileType: "csv",
  }, { separators: "any", watch, place, signal });
}
