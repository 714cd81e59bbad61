/**
 * A CSV that is too large for memory as a table: its rows are Parquet in a temporary folder, its frame is read from
 * there.
 */
import type { LazyDataFrame } from "nodejs-polars";
import { type Ledger, type Problem, withEntries } from "../../../contract/ledger.ts";
import { SPECIFICATION_NAMING } from "../../../contract/naming.ts";
import { adviseName } from "../../../options/nearest.ts";
import { createScratchFolder, type ScratchFolder } from "../../../io/files/scratch_folder.ts";
import type { BuiltTable } from "../build/lake_layout.ts";
import { buildSpool } from "../build/build_spool.ts";
import { typeColumn } from "../../types/columns.ts";
import { loadPolars, type Polars } from "../../types/polars.ts";
import { dropColumns } from "../../types/drop_columns.ts";
import { releaseFrames } from "../../types/release_frames.ts";
import type { TableColumn, TableOptions, TypedTable } from "../../types/table.ts";
import { noteAbsent } from "../../types/table_entries.ts";
import { orderFields } from "../../types/typed_table.ts";
import { readLakeTable, type ScannedTable, scanTexts } from "./_lake_table.ts";
import { exactColumn } from "../../../engine/frames/frame_members.ts";

export interface SpooledTableOptions extends TableOptions {
  /** Public names of the CSV's columns, in order. */
  readonly header: readonly string[];
  /** Bytes of CSV in one part; fewer than by default need less memory. */
  readonly partBytes?: number;
  /** Rows that were left out before, since they could not be read. */
  readonly unparsed?: number;
  /** Faults that were found before, those of such rows among them. */
  readonly problems?: readonly Problem[];
}

/** Folders of tables that nothing reads any more are removed. */
const abandoned = new FinalizationRegistry<ScratchFolder>((folder) => folder[Symbol.dispose]());

/**
 * Makes a table of a CSV of any size, separated by commas, while its bytes arrive: memory stays bounded.
 *
 * @param options As for `tableFromCsv`, but for `asked`; a column that the CSV lacks is empty.
 * @returns The table; its files exist as long as it does.
 * @throws {ParseError} If it is not a CSV.
 * @throws {RegistryError} With code `disk` if the temporary directory has no space.
 */
export async function spooledTable(
  chunks: AsyncIterable<Uint8Array>,
  options: SpooledTableOptions,
): Promise<TypedTable> {
  const { header, naming = SPECIFICATION_NAMING, definitions = [], dates = "text", partBytes, signal, maxProblems } =
    options;
  const folder = await createScratchFolder("export");
  try {
    const built = await buildSpool(chunks, {
      folder: folder.path,
      name: options.name ?? "the export",
      header,
      definitions,
      naming,
      dates,
      partBytes,
      signal,
    });
    const empty = emptyColumns(built, options);
    const spool: ScannedTable = { ...withFindings(built, options), emptyColumns: empty };
    const made = [...spool.manifest.columns, ...empty];
    const fields = orderFields([...new Set(made.map(({ field }) => field))], naming.accessionField, options.columns);
    const columns = fields.flatMap((field) => made.filter((column) => column.field === field));
    const pl = await loadPolars();
    const read = await readLakeTable(pl, spool, {
      columns,
      maxProblems,
      signal,
    });
    const table: TypedTable = {
      ...read,
      ledger: withoutColumns(read.ledger, empty),
      texts: (field, most, from) => table.textRows([field], most, from).map(([text]) => text),
      textRows(wanted, most, from = 0) {
        const found = wanted.map((field) => {
          const column = columns.find(({ name }) => name === field);
          if (column !== undefined) return column;
          const hint = adviseName(field, fields);
          throw new RangeError(`Cannot read the field ${JSON.stringify(field)}: the table has no such field; ${hint}`);
        });
        const count = Math.max(0, Math.min(most ?? read.rows, read.rows - from));
        if (found.length === 0) return Array.from({ length: count }, () => []);
        const slice = from === 0 && count === read.rows ? undefined : { from, count };
        return readTexts(pl, scanTexts(pl, spool, found, slice), wanted);
      },
      toCSV: async (path, writing) => void await afterRelease(() => read.toCSV(path, writing)),
      toTSV: async (path, writing) => void await afterRelease(() => read.toTSV(path, writing)),
      toParquet: async (path, writing) => void await afterRelease(() => read.toParquet(path, writing)),
    };
    // What reads the files refers to the spool, also after its table was dropped.
    abandoned.register(spool, folder);
    return table;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** Adds what was found before the rows were read as CSV. */
function withFindings(built: BuiltTable, { unparsed = 0, problems = [] }: SpooledTableOptions): BuiltTable {
  const { manifest } = built;
  return {
    ...built,
    manifest: {
      ...manifest,
      unparsed: manifest.unparsed + unparsed,
      problems: [...problems, ...manifest.problems],
    },
  };
}

/** Columns that were asked for and did not come. */
function emptyColumns({ manifest }: BuiltTable, options: SpooledTableOptions): readonly TableColumn[] {
  const { columns = [], definitions = [], dates = "text" } = options;
  const came = new Set(manifest.columns.map(({ field }) => field));
  return columns.filter((field) => !came.has(field)).flatMap((field) => {
    const definition = definitions.find(({ name }) => name === field);
    const typed = typeColumn(field, [], definition, { ids: undefined, dates, onProblem() {}, onMissing() {} });
    return typed.map(({ column }) => column);
  });
}

function withoutColumns(ledger: Ledger, empty: readonly TableColumn[]): Ledger {
  if (empty.length === 0) return ledger;
  const fields = [...new Set(empty.map(({ field }) => field))];
  return withEntries(ledger, [noteAbsent(fields), ...ledger.entries]);
}

/** Reads the texts of columns, and frees them: pages that are read one after the other leave nothing for later. */
function readTexts(pl: Polars, scan: LazyDataFrame, names: readonly string[]): readonly (readonly (string | null)[])[] {
  const columns = names.map((name, index) => exactColumn(pl, name).alias(`text ${index}`));
  const frame = scan.select(...columns, pl.lit(true).alias("small")).collectSync();
  const rows: readonly (readonly unknown[])[] = frame.rows();
  dropColumns(frame, "small");
  return rows.map((row) => names.map((_, index) => typeof row[index] === "string" ? row[index] : null));
}

/** Writes a file once what building the table left in memory is released. */
async function afterRelease<Written>(write: () => Promise<Written>): Promise<Written> {
  await releaseFrames();
  return await write();
}
