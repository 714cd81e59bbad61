/**
 * The table of a CSV export: in memory where the export is small, in a temporary folder where it is not.
 *
 * @module
 */
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { type CsvTableOptions, tableFromCsv } from "../../tables/from/from_csv.ts";
import { publicNames } from "../../tables/types/public_names.ts";
import type { TypedTable } from "../../tables/types/table.ts";

/** Bytes of CSV from which a table has its rows in a temporary folder. */
export const SPOOL_BYTES: number = 16 * 1024 * 1024;

/** Options of {@linkcode exportTable}. */
export interface ExportTableOptions extends CsvTableOptions {
  /** Names of the columns as they came. */
  readonly header: readonly string[];
  /** Bytes from which rows go to a temporary folder; {@linkcode SPOOL_BYTES} by default. */
  readonly spoolBytes?: number;
}

/**
 * Makes a table of an export while its bytes arrive.
 *
 * Small ones, those of named records, and those that lack a column which was asked for are held in memory, as is an
 * export where no temporary folder may be made.
 */
export async function exportTable(
  chunks: AsyncGenerator<Uint8Array>,
  { header, spoolBytes = SPOOL_BYTES, ...options }: ExportTableOptions,
): Promise<TypedTable> {
  const { asked, columns, definitions = [], naming = SPECIFICATION_NAMING, renames } = options;
  const renamed = header.map((column) => renames?.get(column) ?? column);
  const names = publicNames(renamed, definitions, naming);
  const isWhole = columns === undefined || columns.every((name) => names.includes(name));
  if (!isWhole || asked !== undefined || (options.separator ?? ",") !== "," || header.length === 0) {
    return await tableFromCsv(chunks, options);
  }
  const head = await takeBytes(chunks, spoolBytes);
  if (head.isAll) return await tableFromCsv(joinBytes(head.taken), options);
  const whole = async function* () {
    yield* head.taken.splice(0);
    yield* chunks;
  };
  const { renames: _renames, separator: _separator, ...rest } = options;
  try {
    const { spooledTable } = await import("../../tables/lake/open/spooled_table.ts");
    return await spooledTable(whole(), { ...rest, header: renamed });
  } catch (error) {
    // Without leave to write, and nothing read yet.
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
