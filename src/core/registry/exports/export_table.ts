/** The table of a CSV export: in memory where the export is small, in a temporary folder where it is not. */
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { csvRow } from "../../io/csv/csv_text.ts";
import type { Separator } from "../../io/csv/separator.ts";
import { type CsvTableOptions, tableFromCsv } from "../../tables/from/from_csv.ts";
import { publicNames } from "../../tables/types/public_names.ts";
import type { TypedTable } from "../../tables/types/table.ts";

/** Bytes of CSV from which a table has its rows in a temporary folder. */
export const SPOOL_BYTES: number = 16 * 1024 * 1024;

export interface ExportTableOptions extends CsvTableOptions {
  /** Names of the columns as they came. */
  readonly header: readonly string[];
  /** Bytes from which rows go to a temporary folder; {@linkcode SPOOL_BYTES} by default. */
  readonly spoolBytes?: number;
}

/**
 * Makes a table of an export while its bytes arrive.
 *
 * Small ones are held in memory, as is an export where no temporary folder may be made. Of a large one the rows that
 * were not asked for are left out as they arrive; what is missing is for the caller's ledger to say.
 */
export async function exportTable(
  chunks: AsyncGenerator<Uint8Array>,
  { header, spoolBytes = SPOOL_BYTES, ...options }: ExportTableOptions,
): Promise<TypedTable> {
  const { asked, definitions = [], naming = SPECIFICATION_NAMING, renames } = options;
  if (header.length === 0) return await tableFromCsv(chunks, options);
  const head = await takeBytes(chunks, spoolBytes);
  if (head.isAll) return await tableFromCsv(joinBytes(head.taken), options);
  const whole = async function* () {
    yield* head.taken.splice(0);
    yield* chunks;
  };
  const renamed = header.map((column) => renames?.get(column) ?? column);
  const separator = options.separator ?? ",";
  const rows = asked === undefined && separator === "," ? whole() : pickRows(whole(), {
    separator,
    column: publicNames(renamed, definitions, naming).indexOf(naming.accessionField),
    ...asked && { asked: new Set(asked) },
    name: options.name ?? "the export",
  });
  const { renames: _renames, separator: _separator, asked: _asked, ...rest } = options;
  try {
    const { spooledTable } = await import("../../tables/lake/open/spooled_table.ts");
    return await spooledTable(rows, { ...rest, header: renamed });
  } catch (error) {
    // Without permission to write, and nothing read yet.
    if (!(error instanceof Deno.errors.NotCapable) || head.taken.length === 0) throw error;
    return await tableFromCsv(whole(), options);
  } finally {
    await chunks.return(undefined);
  }
}

/** Which rows are picked, and how they come. */
interface PickOptions {
  readonly separator: Separator;
  /** Index of the column of accessions; -1 without one. */
  readonly column: number;
  /** Accessions of the rows that are kept, with those that have none; all rows when absent. */
  readonly asked?: ReadonlySet<string>;
  readonly name: string;
}

/** Writes the rows that were asked for, separated by commas, with the header. */
async function* pickRows(
  chunks: AsyncIterable<Uint8Array>,
  { separator, column, asked, name }: PickOptions,
): AsyncGenerator<Uint8Array> {
  let isHeader = true;
  for await (const rows of readCsvRows(chunks, { separator, name })) {
    const lines: string[] = [];
    for (const { cells } of rows) {
      const accession = cells[column] ?? "";
      if (isHeader || asked === undefined || accession === "" || asked.has(accession)) lines.push(csvRow(cells));
      isHeader = false;
    }
    if (lines.length > 0) yield new TextEncoder().encode(`${lines.join("\n")}\n`);
  }
}

/** Takes chunks until there are so many bytes, or all. */
async function takeBytes(
  chunks: AsyncGenerator<Uint8Array>,
  bytes: number,
): Promise<{ readonly taken: Uint8Array[]; readonly isAll: boolean }> {
  const taken: Uint8Array[] = [];
  for (let held = 0; held < bytes;) {
    const { done, value } = await chunks.next();
    if (done) return { taken, isAll: true };
    taken.push(value);
    held += value.length;
  }
  return { taken, isAll: false };
}
