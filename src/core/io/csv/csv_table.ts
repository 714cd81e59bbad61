/**
 * Tables that people bring: CSV, TSV and the like, plain or compressed, of a size that fits in memory.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { copyBytes } from "../bytes/join_bytes.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { splitTable } from "./_table_rows.ts";
import { readTableText, swapBack } from "./table_text.ts";
import { findTableSeparator, type TableSeparator } from "./separator.ts";
import { noteTitles } from "./titles.ts";

/** A table of texts. */
export interface CsvTable {
  /** Names of the columns, unique and not empty. */
  readonly columns: readonly string[];
  /** Rows, each as wide as `columns`. */
  readonly rows: readonly (readonly string[])[];
  /** Character between cells. */
  readonly separator: TableSeparator;
}

/** A table that was read. */
export interface ReadCsvTable extends CsvTable {
  /** What is not part of the table: titles above its header, a column of row numbers. */
  readonly entries: readonly LedgerEntry[];
}

/** Options of {@linkcode readCsvTable}. */
export interface CsvTableOptions extends OpenBytesOptions {
  /** Encoding of the text, by a name of the Encoding standard (default: UTF-8). */
  readonly encoding?: string;
}

/**
 * Reads a table with a header: the first row, or the first with as many cells as the rows below titles and comments,
 * which are reported.
 *
 * Cells are separated by commas, semicolons, tabs or vertical bars; rows end with LF, CRLF or CR. In a table with tabs
 * quotes are read as pandas, R and Excel write them, unless rows show that a quote is an ordinary character. R's names
 * of rows become a column `row_name`; a first column without a name that only counts the rows is left out, and so are
 * columns without name and values.
 *
 * @param source Where the table is; plain or compressed.
 * @param options Encoding, signal, name for errors.
 * @throws {RangeError} If there is no such encoding.
 * @throws {ParseError} If the table is empty, a column has no name or the name of another, a row is wider or narrower
 * than the header, a quoted cell never ends, or the bytes are not of the encoding. Nothing is returned then.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readCsvTable } from "./csv_table.ts";
 *
 * const table = await readCsvTable(new TextEncoder().encode("# samples\nstrain\tdate\nA\t2013-12-XX\n"));
 *
 * assertEquals(table.columns, ["strain", "date"]);
 * assertEquals(table.rows, [["A", "2013-12-XX"]]);
 * assertEquals(table.entries.length, 1);
 * ```
 */
export async function readCsvTable(source: ByteSource, options: CsvTableOptions = {}): Promise<ReadCsvTable> {
  const name = options.name ?? sourceName(source);
  const { bytes, isSwapped } = readTableText(await readAll(source, options), { name, encoding: options.encoding });
  const separator = findTableSeparator(bytes);
  const { rows: all, header } = splitTable(bytes, { separator, name: `the table ${name}` });
  if (all.length === 0) throw new ParseError(`Cannot read the table ${name}: it is empty, expected a header line`);
  const { cells: names, line } = all[header];
  const below = all.slice(header + 1);
  const rows = isSwapped ? below.map(({ cells }) => cells.map(swapBack)) : below.map(({ cells }) => cells);
  const titles = noteTitles(
    all.slice(0, header).map(({ cells }) => cells),
    `${name} has its header on line ${line}`,
  );
  const table = nameFirstColumn({ columns: names, rows }, isQuotedLine(bytes, line), name);
  for (const [index, row] of table.rows.entries()) {
    if (row.length === table.columns.length) continue;
    const what = `row ${index + 1} has ${row.length} cells, the header has ${table.columns.length}`;
    throw new ParseError(`Cannot read the table ${name}: ${what}`, { line: below[index].line });
  }
  const { columns, rows: kept } = dropEmptyColumns(table);
  checkHeader(columns, name, line);
  return { columns, rows: kept, separator, entries: [...titles, ...table.entries] };
}

async function readAll(source: ByteSource, options: CsvTableOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openBytes(source, options)) chunks.push(chunk.slice());
  return copyBytes(chunks);
}

interface Cells {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The names of rows that R and pandas write first: their column has no name. */
function nameFirstColumn(
  { columns, rows }: Cells,
  isQuoted: boolean,
  name: string,
): Cells & Pick<ReadCsvTable, "entries"> {
  const isAbsent = isQuoted && rows.length > 0 && rows.every(({ length }) => length === columns.length + 1);
  const isNameless = !isAbsent && columns.length > 1 && columns[0].trim() === "" && rows.length > 0;
  if (!isAbsent && !isNameless) return { columns, rows, entries: [] };
  const named = isAbsent ? columns : columns.slice(1);
  if ([0, 1].some((first) => rows.every(([cell], index) => cell === String(index + first)))) {
    const text = `the first column of ${name} has no name and only counts the rows: left out`;
    return { columns: named, rows: rows.map((row) => row.slice(1)), entries: [noteEntry("row-names", text)] };
  }
  if (!isAbsent || columns.includes(ROW_NAME)) return { columns, rows, entries: [] };
  const text = `the first column of ${name} has no name: it is read as ${JSON.stringify(ROW_NAME)}`;
  return { columns: [ROW_NAME, ...columns], rows, entries: [noteEntry("row-names", text)] };
}

const ROW_NAME = "row_name";

/** Spreadsheets write columns that were emptied. */
function dropEmptyColumns({ columns, rows }: Cells): Cells {
  const empty = columns.flatMap((column, index) =>
    column.trim() === "" && rows.every((row) => row[index].trim() === "") ? [index] : []
  );
  if (empty.length === 0) return { columns, rows };
  const keep = (cells: readonly string[]) => cells.filter((_, index) => !empty.includes(index));
  return { columns: keep(columns), rows: rows.map(keep) };
}

/** Whether a line begins with a quote. */
function isQuotedLine(bytes: Uint8Array, line: number): boolean {
  let start = 0;
  for (let feeds = 1; feeds < line; feeds++) start = bytes.indexOf(10, start) + 1;
  return bytes[start] === 34;
}

function checkHeader(columns: readonly string[], name: string, line: number): void {
  const seen = new Set<string>();
  for (const [index, column] of columns.entries()) {
    if (column.trim() === "") {
      throw new ParseError(`Cannot read the table ${name}: column ${index + 1} has no name`, { line });
    }
    if (seen.has(column)) {
      throw new ParseError(`Cannot read the table ${name}: two columns are called ${JSON.stringify(column)}`, {
        line,
      });
    }
    seen.add(column);
  }
}
