/** The table of a CSV export: in memory where the export is small, in a temporary folder where it is not. */
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { withCommas } from "../../io/csv/peek_separator.ts";
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
  const column = publicNames(renamed, definitions, naming).indexOf(naming.accessionField);
  const wanted = asked && new Set(["", ...asked]);
  const rows = wanted === undefined && separator === "," ? whole() : withCommas(whole(), {
    separator,
    name: options.name ?? "the export",
    ...wanted && { keep: (cells) => wanted.has(cells[column] ?? "") },
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
