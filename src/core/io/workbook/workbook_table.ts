/** Tables in Excel workbooks: one sheet with a header, of a size that fits in memory. */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import type { TextTable } from "../csv/text_table.ts";
import { columnName } from "./_cell_names.ts";
import { fillMerged } from "./_merged_cells.ts";
import { CellsByColumn } from "./_column_cells.ts";
import { noteMixedDates, readPercents } from "./_column_notes.ts";
import { MIDNIGHT } from "./_serial_dates.ts";
import { type HeaderedTable, TableObjectRows } from "./_table_object.ts";
import { chooseSheet, findSheet } from "./_choose_sheet.ts";
import { noteRepeatedHeaders, repeatsHeader } from "../csv/repeated_header.ts";
import { isCommentRow } from "../csv/comments.ts";
import { countFilled, HEAD_ROWS, isTitle, MAX_TITLES, noteTitles } from "../csv/titles.ts";
import { openWorkbook, type SheetReading, type SheetRow } from "./workbook.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

export interface WorkbookTableOptions extends OpenBytesOptions {
  /** The sheet: its name, or its position from 1. By default the first one that is visible and has a cell with text. */
  readonly sheet?: string | number;
  /** Cells of the table at most, empty ones included (default: 67,108,864, a full sheet of 64 columns). */
  readonly maxCells?: number;
}

/** Rows of a sheet may be nearly empty in a file, and take memory for every column here. */
const MAX_CELLS = 1 << 26;

export interface WorkbookTable {
  readonly table: TextTable;
  readonly sheet: string;
  /** What is missing, such as formulas without a stored value, or unusual, such as other sheets with data. */
  readonly entries: readonly LedgerEntry[];
}

/**
 * Reads a table with a header: its first row with text, or the first below titles and comments of one or two cells,
 * which are reported. If the sheet has exactly one table object of Excel, that says where header and data are; other
 * cells are reported. Rows and columns without text are left out, and so is a first column without a name that only
 * counts the rows.
 * Rows that repeat the header are left out and reported.
 *
 * Cells become texts: numbers as short as they can be, `true` and `false`, dates as ISO days, months or years, as their
 * format shows, date-times rounded to the second. A column of date-times becomes days if all of them are at midnight.
 * Leading zeros and prefixes of a number format (`00000`, `"EPI_"0`) are kept; 48.12% is 48.12, and merged cells give
 * their value to each row that shares them, both with a note. The memory needed is that of the table.
 *
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
  const { sheet, entries } = options.sheet === undefined
    ? await chooseSheet(workbook, name)
    : { sheet: findSheet(workbook.sheets, options.sheet, name), entries: [] };
  const reading = workbook.readSheet(sheet);
  const object = await workbook.readTableObject(sheet);
  const { table, entries: titles } = await readTable(
    reading,
    object,
    `the sheet ${JSON.stringify(sheet.name)} of the table ${name}`,
    options.maxCells ?? MAX_CELLS,
  );
  return { table, sheet: sheet.name, entries: [...entries, ...titles, ...reading.notes.entries()] };
}

/** Where the columns of a sheet are in the table. */
interface Header {
  readonly columns: readonly string[];
  /** Index in the table of each column of the sheet, from 0; absent for columns without a name. */
  readonly positions: readonly (number | undefined)[];
  readonly row: number;
}

/** A table and what is reported of rows above its header. */
interface SheetTable {
  readonly table: TextTable;
  readonly entries: readonly LedgerEntry[];
}

async function readTable(
  { rows: batches, timed, merged }: SheetReading,
  object: HeaderedTable | undefined,
  name: string,
  maxCells: number,
): Promise<SheetTable> {
  const within = object && new TableObjectRows(object);
  const { first, rest } = await readFirst(within?.within(batches) ?? batches);
  if (first.length === 0) throw new ParseError(`Cannot read ${name}: it is empty, expected a header`);
  const index = within === undefined ? findHeader(first) : 0;
  const header = readHeader(first[index], name);
  const rows: string[][] = [];
  /** Numbers of the rows in the sheet. */
  const rowNumbers: number[] = [];
  const repeated: number[] = [];
  const numbers = new RowNumberColumn(header, name);
  /** Rows with a date-time at midnight, by the column of the sheet, as long as it has no other time. */
  const midnights = new Map<number, number[]>();
  const percents = new CellsByColumn();
  const dates = new CellsByColumn();
  const take = (batch: readonly SheetRow[]) => {
    for (const row of batch) {
      const cells = placeCells(row, header, numbers);
      if (repeatsHeader(cells, header.columns)) {
        repeated.push(row.number);
        continue;
      }
      for (const cell of row.midnights ?? []) append(midnights, row.columns[cell], rows.length);
      percents.add(row, row.percents ?? [], rows.length);
      dates.add(row, row.dates ?? [], rows.length);
      rowNumbers.push(row.number);
      rows.push(cells);
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
  const titles = first.slice(0, index).map(({ texts }) => texts);
  const entries = [
    ...within?.entries(name) ?? [],
    ...noteTitles(titles, `${name} has its header in row ${header.row}`),
    ...noteRepeatedHeaders(name, repeated, "row"),
    ...numbers.finish(rows.length),
    ...readPercents(percents, rows, { ...header, name }),
    ...noteMixedDates(dates, rows, { ...header, name }),
    ...fillMerged(rows, merged, { ...header, name, numbers: rowNumbers }),
  ];
  return { table: { columns, rows }, entries };
}

/** Finds the header: the first row that is no title and no comment. */
function findHeader(rows: readonly SheetRow[]): number {
  const head = rows.slice(0, HEAD_ROWS).map(({ texts }) => texts);
  const counts = head.map(countFilled);
  let index = 0;
  while (isTitle(counts[index], counts.slice(index + 1)) || isCommentRow(head, index)) index++;
  return index <= MAX_TITLES ? index : 0;
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

function placeCells({ number, columns, texts }: SheetRow, header: Header, numbers: RowNumberColumn): string[] {
  const cells = new Array<string>(header.columns.length).fill("");
  for (let index = 0; index < columns.length; index++) {
    const position = header.positions[columns[index]];
    if (position !== undefined) {
      cells[position] = texts[index];
    } else if (texts[index].trim() !== "") {
      numbers.add(texts[index], { column: columns[index], row: number });
    }
  }
  return cells;
}

interface CellPosition {
  /** Its column, from 0. */
  readonly column: number;
  readonly row: number;
}

/** The row numbers that pandas writes before the first column with a name; other cells without a name are refused. */
class RowNumberColumn {
  readonly #header: Header;
  readonly #name: string;
  readonly #column: number;
  #count = 0;
  #start = 0;
  #first: CellPosition | undefined;

  constructor(header: Header, name: string) {
    this.#header = header;
    this.#name = name;
    this.#column = header.positions.findIndex((position) => position !== undefined) - 1;
  }

  /** Takes a cell that is not in a column with a name. @throws {ParseError} If it is not the number of its row. */
  add(text: string, cell: CellPosition): void {
    if (this.#first === undefined) this.#start = text === "1" ? 1 : 0;
    if (cell.column !== this.#column || text !== String(this.#start + this.#count)) throw this.#error(cell);
    this.#first ??= cell;
    this.#count++;
  }

  /** Reports the numbers that were left out. @throws {ParseError} If rows have none. */
  finish(rows: number): LedgerEntry[] {
    if (this.#first === undefined) return [];
    if (this.#count !== rows) throw this.#error(this.#first);
    const text = `the first column of ${this.#name} has no name and only counts the rows: left out`;
    return [noteEntry("row-names", text)];
  }

  #error(cell: CellPosition): ParseError {
    const column = columnName(cell.column);
    const { row } = this.#header;
    return new ParseError(
      `Cannot read ${this.#name}: cell ${column}${cell.row} has a value, but its column has no name in row ${row}; ` +
        `name it in ${column}${row}, or clear the cell`,
    );
  }
}
