/**
 * Tables in Excel workbooks: one sheet with a header, of a size that fits in memory.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import type { CsvTable } from "../csv/csv_table.ts";
import { columnName } from "./_cell_names.ts";
import { MIDNIGHT } from "./_serial_dates.ts";
import { chooseSheet, findSheet } from "./_choose_sheet.ts";
import { describeTitles, findHeader, HEAD_ROWS } from "./_find_header.ts";
import { openWorkbook, type SheetReading, type SheetRow } from "./workbook.ts";

/** Options of {@linkcode readWorkbookTable}. */
export interface WorkbookTableOptions extends OpenBytesOptions {
  /** The sheet: its name, or its position from 1. By default the first one that is visible and has a cell with text. */
  readonly sheet?: string | number;
  /** Cells of the table at most, empty ones included (default: 67,108,864, a full sheet of 64 columns). */
  readonly maxCells?: number;
}

/** Rows of a sheet may be nearly empty in a file, and take memory for every column here. */
const MAX_CELLS = 1 << 26;

/** A table of a workbook. */
export interface WorkbookTable {
  /** The table. */
  readonly table: CsvTable;
  /** Name of its sheet. */
  readonly sheet: string;
  /** What is missing, in words: formulas without a stored value. */
  readonly reasons: readonly string[];
  /** What else is unusual, in words: other sheets, errors of formulas, dates outside the calendar. */
  readonly warnings: readonly string[];
}

/**
 * Reads a table with a header: its first row with text, or the first below titles and comments of one or two cells,
 * which are reported. Rows and columns without text are left out.
 *
 * Cells become texts: numbers as short as they can be, `true` and `false`, dates as ISO days, date-times rounded to the
 * second. A column of date-times becomes days if all of them are at midnight. The memory needed is that of the table.
 *
 * @param source Where the workbook is.
 * @param options The sheet, signal, name for errors.
 * @throws {RangeError} If there is no such sheet.
 * @throws {ParseError} If it is not a workbook, is damaged, has no or too many cells, two columns have one name, or a
 * cell with text is in a column without a name, or beyond XFD1048576; the message includes the cell.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 */
export async function readWorkbookTable(
  source: ByteSource,
  options: WorkbookTableOptions = {},
): Promise<WorkbookTable> {
  const name = options.name ?? sourceName(source);
  using workbook = await openWorkbook(source, { ...options, name: `the table ${name}` });
  const { sheet, warnings } = options.sheet === undefined
    ? await chooseSheet(workbook, name)
    : { sheet: findSheet(workbook.sheets, options.sheet, name), warnings: [] };
  const reading = workbook.readSheet(sheet);
  const { table, warnings: titles } = await readTable(
    reading,
    `the sheet ${JSON.stringify(sheet.name)} of the table ${name}`,
    options.maxCells ?? MAX_CELLS,
  );
  const { notes } = reading;
  return {
    table,
    sheet: sheet.name,
    reasons: notes.reasons(),
    warnings: [...warnings, ...titles, ...notes.warnings()],
  };
}

/** Where the columns of a sheet are in the table. */
interface Header {
  readonly columns: readonly string[];
  /** Index in the table of each column of the sheet, from 0; absent for columns without a name. */
  readonly positions: readonly (number | undefined)[];
  /** Number of its row. */
  readonly row: number;
}

/** A table and what is reported of rows above its header. */
interface SheetTable {
  readonly table: CsvTable;
  readonly warnings: readonly string[];
}

async function readTable(
  { rows: batches, timed }: SheetReading,
  name: string,
  maxCells: number,
): Promise<SheetTable> {
  const { first, rest } = await readFirst(batches);
  if (first.length === 0) throw new ParseError(`Cannot read ${name}: it is empty, expected a header`);
  const index = findHeader(first);
  const header = readHeader(first[index], name);
  const rows: string[][] = [];
  /** Rows with a date-time at midnight, by the column of the sheet, as long as it has no other time. */
  const midnights = new Map<number, number[]>();
  const take = (batch: readonly SheetRow[]) => {
    for (const row of batch) {
      for (const cell of row.midnights ?? []) append(midnights, row.columns[cell], rows.length);
      rows.push(placeCells(row, header, name));
    }
    for (const column of timed) midnights.delete(column);
    if (rows.length * header.columns.length > maxCells) {
      throw new ParseError(`Cannot read ${name}: it has more than ${maxCells} cells; leave out columns or rows`);
    }
  };
  take(first.slice(index + 1));
  for await (const batch of rest) take(batch);
  const { columns, positions } = header;
  for (const [column, indices] of midnights) {
    const position = positions[column];
    if (position === undefined) continue;
    for (const row of indices) rows[row][position] = rows[row][position].slice(0, -MIDNIGHT.length);
  }
  const warnings = describeTitles(first.slice(0, index), header.row, name);
  return { table: { columns, rows, separator: "," }, warnings };
}

/** Reads enough rows to find the header among them. */
async function readFirst(batches: SheetReading["rows"]) {
  const first: SheetRow[] = [];
  while (first.length < HEAD_ROWS) {
    const { done, value } = await batches.next();
    if (done) break;
    for (const row of value) first.push(row);
  }
  return { first, rest: batches };
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function readHeader({ number, columns, texts }: SheetRow, name: string): Header {
  const cells = new Map<string, string>();
  const positions: (number | undefined)[] = [];
  for (const [index, column] of columns.entries()) {
    const text = texts[index];
    if (text.trim() === "") continue;
    const cell = columnName(column) + number;
    const other = cells.get(text);
    if (other !== undefined) {
      throw new ParseError(
        `Cannot read ${name}: two columns are called ${JSON.stringify(text)}, in ${other} and ${cell}; rename one`,
      );
    }
    positions[column] = cells.size;
    cells.set(text, cell);
  }
  return { columns: [...cells.keys()], positions, row: number };
}

/** Brings the cells of a row into the columns of the table. */
function placeCells({ number, columns, texts }: SheetRow, header: Header, name: string): string[] {
  const cells = new Array<string>(header.columns.length).fill("");
  for (let index = 0; index < columns.length; index++) {
    const position = header.positions[columns[index]];
    if (position !== undefined) {
      cells[position] = texts[index];
    } else if (texts[index].trim() !== "") {
      const column = columnName(columns[index]);
      throw new ParseError(
        `Cannot read ${name}: cell ${column}${number} has a value, but its column has no name in row ${header.row}; ` +
          `name it in ${column}${header.row}, or clear the cell`,
      );
    }
  }
  return cells;
}
