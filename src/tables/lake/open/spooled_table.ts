/**
 * A CSV that is too large for memory as a table: its rows are Parquet in a temporary folder, its frame is read from
 * there.
 *
 * @module
 */
import { SPECIFICATION_NAMING } from "../../../contract/naming.ts";
import { nearest } from "../../../contract/options/nearest.ts";
import { createScratchFolder, type ScratchFolder } from "../../../io/files/scratch_folder.ts";
import { buildSpool } from "../build/build_spool.ts";
import { loadPolars } from "../../types/polars.ts";
import type { TableOptions, TypedTable } from "../../types/table.ts";
import { readLakeTable, scanTexts } from "./_lake_table.ts";

/** Options of {@linkcode spooledTable}. */
export interface SpooledTableOptions extends TableOptions {
  /** Public names of the CSV's columns, in order. */
  readonly header: readonly string[];
}

/** Folders of tables that nothing refers to any more are removed. */
const abandoned = new FinalizationRegistry<ScratchFolder>((folder) => folder[Symbol.dispose]());

/**
 * Makes a table of a CSV of any size, separated by commas, while its bytes arrive: memory stays bounded.
 *
 * @param chunks The bytes, header included.
 * @param options As for `tableFromCsv`; `columns` names columns that the CSV has.
 * @returns The table; its files exist as long as it does.
 * @throws {ParseError} If it is not a CSV.
 * @throws {RegistryError} With code `disk` if the temporary directory has no space.
 */
export async function spooledTable(
  chunks: AsyncIterable<Uint8Array>,
  options: SpooledTableOptions,
): Promise<TypedTable> {
  const { header, naming = SPECIFICATION_NAMING, signal, maxProblems } = options;
  const folder = await createScratchFolder("export");
  try {
    const built = await buildSpool(chunks, {
      folder: folder.path,
      name: options.name ?? "the export",
      header,
      definitions: options.definitions ?? [],
      naming,
      dates: options.dates ?? "text",
      ...signal && { signal },
    });
    const { columns: made } = built.manifest;
    const names = [...new Set(made.map(({ field }) => field))];
    const fields = options.columns === undefined ? names : [
      ...names.filter((name) => name === naming.accessionField),
      ...options.columns.filter((name) => name !== naming.accessionField),
    ];
    const columns = fields.flatMap((field) => made.filter((column) => column.field === field));
    const pl = await loadPolars();
    const read = await readLakeTable(pl, built, {
      columns,
      ...maxProblems !== undefined && { maxProblems },
      ...signal && { signal },
    });
    const table: TypedTable = {
      ...read,
      texts(field, most) {
        const column = columns.find(({ name }) => name === field);
        if (column === undefined) {
          const hint = `did you mean ${JSON.stringify(nearest(field, fields))}?`;
          throw new RangeError(`Cannot read the field ${JSON.stringify(field)}: the table has no such field; ${hint}`);
        }
        const texts = scanTexts(pl, built, [column]);
        const values = (most === undefined ? texts : texts.limit(most)).collectSync().getColumn(field).toArray();
        return values.map((value: unknown) => typeof value === "string" ? value : null);
      },
      toCSV: async (path, writing) => void await read.toCSV(path, writing),
      toTSV: async (path, writing) => void await read.toTSV(path, writing),
      toParquet: async (path, writing) => void await read.toParquet(path, writing),
    };
    // The readers hold on to the folder, and the table to the readers.
    abandoned.register(table, folder);
    return table;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
