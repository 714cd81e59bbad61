/** The rows of a text table whose quotes may mean what RFC 4180 says, nothing, or what R writes. */
import { ParseError } from "../../errors.ts";
import { CsvSplitter } from "./csv_splitter.ts";
import type { TableSeparator } from "./separator.ts";
import type { CsvRow } from "./split_rows.ts";
import { findHeader } from "./_table_header.ts";
import { SharedTexts } from "./shared_texts.ts";
import { HEAD_ROWS, MAX_TITLES } from "./titles.ts";

/** Rows of a table, the header among them. */
export interface TableRows {
  /** All rows from the first on. */
  readonly rows: readonly CsvRow[];
  /** Index of the header. */
  readonly header: number;
  /** Whether all rows below the header are as wide as the header, or all one cell wider. */
  readonly isEven: boolean;
}

/** Bytes that are split at a time: what is decoded as one text has a greatest length. */
const PIECE_BYTES = 1 << 20;
const [BACKSLASH, QUOTE, LF, CR] = [92, 34, 10, 13];

/**
 * Splits a table into rows.
 *
 * With commas or semicolons, quotes are those of RFC 4180, or those of R if there are quotes after a backslash. With
 * tabs or vertical bars they are that only if the rows stay the same rows, as in tables of pandas, R and Excel;
 * otherwise a quote is an ordinary character, as in tables of sequence archives.
 *
 * @param bytes UTF-8.
 * @param options Separator, and name of the table for errors.
 * @throws {ParseError} As `readCsvRows`.
 */
export function splitTable(
  bytes: Uint8Array,
  { separator, name }: { readonly separator: TableSeparator; readonly name: string },
): TableRows {
  const options = { separator, name };
  const isPlainPossible = separator === "\t" || separator === "|";
  if (!bytes.includes(QUOTE)) return readRows(bytes, { ...options, quotes: !isPlainPossible });
  const read = (quotes: boolean) => readRows(bytes, { ...options, quotes });
  const quoted = tryRead(() => read(true)) ??
    tryRead(() => readRows(doubleEscapes(bytes, separator), { ...options, quotes: true }));
  if (!isPlainPossible) return quoted ?? read(true);
  if (quoted === undefined || !quoted.isEven) return read(false);
  // Both readings of a large table would not fit in memory: of the other one only the shape is kept.
  const plain = measureRows(bytes, { ...options, quotes: false });
  return !plain.isEven || plain.count === quoted.rows.length ? quoted : read(false);
}

function tryRead(read: () => TableRows): TableRows | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** How the text of a table is split. */
interface SplitOptions {
  readonly separator: TableSeparator;
  readonly quotes: boolean;
  readonly name: string;
}

function readRows(bytes: Uint8Array, options: SplitOptions): TableRows {
  const shared = new SharedTexts();
  const rows = Array.from(
    splitRows(bytes, options),
    ({ cells, line }): CsvRow => ({ cells: cells.map((cell, column) => shared.share(cell, column)), line }),
  );
  const header = findHeader(rows);
  const widths = new RowWidths();
  for (const row of rows) widths.add(row);
  return { rows, header, isEven: widths.areEven(header) };
}

/** Finds what {@linkcode readRows} does but the rows. */
function measureRows(bytes: Uint8Array, options: SplitOptions): Pick<TableRows, "isEven"> & { readonly count: number } {
  const head: CsvRow[] = [];
  const widths = new RowWidths();
  for (const row of splitRows(bytes, options)) {
    if (head.length < HEAD_ROWS) head.push(row);
    widths.add(row);
  }
  return { count: widths.count, isEven: widths.areEven(findHeader(head)) };
}

function* splitRows(bytes: Uint8Array, options: SplitOptions): Generator<CsvRow> {
  const splitter = new CsvSplitter(options);
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield* splitter.push(bytes.subarray(start, start + PIECE_BYTES)).texts();
  }
  yield* splitter.finish().texts();
}

/** Numbers of cells of rows as they come. */
class RowWidths {
  count = 0;
  readonly #first: number[] = [];
  readonly #counts = new Map<number, number>();

  add({ cells: { length } }: CsvRow): void {
    this.count++;
    if (this.#first.length <= MAX_TITLES) this.#first.push(length);
    this.#counts.set(length, (this.#counts.get(length) ?? 0) + 1);
  }

  /** Whether all rows below the header are as wide as it, or all one cell wider. */
  areEven(header: number): boolean {
    const width = this.#first[header] ?? 0;
    const below = this.count - header - 1;
    return [width, width + 1].some((width) => {
      const above = this.#first.slice(0, header + 1).filter((length) => length === width).length;
      return (this.#counts.get(width) ?? 0) - above === Math.max(below, 0);
    });
  }
}

/** Writes a quote after a backslash as two quotes: R escapes quotes so, and nothing else. */
function doubleEscapes(bytes: Uint8Array, separator: TableSeparator): Uint8Array {
  const ends = [separator.charCodeAt(0), LF, CR, undefined];
  return bytes.map((byte, index) =>
    // Before a separator or line end the quote closes its cell, and the backslash belongs to the value.
    byte === BACKSLASH && bytes[index + 1] === QUOTE && !ends.includes(bytes[index + 2]) ? QUOTE : byte
  );
}
