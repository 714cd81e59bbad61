/**
 * The form of a text table, found in one pass over its rows or two: where its header is, what its quotes mean, which
 * columns have no name.
 */
import { ParseError } from "../../errors.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { findTableSeparator } from "../../io/csv/separator.ts";
import type { CsvRow } from "../../io/csv/split_rows.ts";
import { hasNoValue } from "../../io/csv/row_values.ts";
import { HEAD_ROWS, MAX_TITLES, noteTitles } from "../../io/csv/titles.ts";
import { Buffer } from "node:buffer";
import { noteDoubtfulHeader } from "./_doubtful_header.ts";
import { findHeader } from "./_find_header.ts";
import { hasClosedQuotes } from "./_quoted_cells.ts";
import { splitText, type TextFormat } from "./_text_rows.ts";

/** A text table, as far as its rows can be read by it. */
export interface TextForm extends TextFormat {
  /** Index of the header among the rows. */
  readonly header: number;
  /** Line of the header, from 1. */
  readonly line: number;
  /** Cells of the header, as they are. */
  readonly names: readonly string[];
  /** Names of the columns that are kept, unique and not empty. */
  readonly columns: readonly string[];
  /** Index of the cell of each of them in a row. */
  readonly cells: readonly number[];
  /** Cells of a row. */
  readonly width: number;
  readonly hasDecimalCommas: boolean;
  /** What is unusual. */
  readonly entries: readonly LedgerEntry[];
}

/** What is known of a text before its rows are read. */
export interface KnownText {
  /** Named in errors. */
  readonly name: string;
  /** The first bytes, as UTF-8 with line feeds. */
  readonly head: Uint8Array;
  /** How it is saved. */
  readonly saved: Pick<TextFormat, "encoding" | "endsWithReturns">;
  /** Reads all bytes, as they are saved. */
  readonly read: () => Promise<AsyncIterable<Uint8Array>>;
}

const ESCAPED_QUOTE = new TextEncoder().encode('\\"');
const [LF, QUOTE] = [10, 34];
/** Bytes of the rows by which a table is known that need not be looked at as a whole. */
const SURVEYED_BYTES = 1 << 16;
/** A decimal with a comma, perhaps with points between thousands: `12,5` and `1.299,99`. */
const DECIMAL_COMMA = /^[+-]?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+$/;

/**
 * Finds the form of a text table.
 *
 * @throws {ParseError} If the table is empty, two columns have one name, or a quoted cell never ends.
 */
export async function findTextForm(text: KnownText): Promise<TextForm> {
  const separator = findTableSeparator(text.head);
  const survey = async (quotes: TextFormat["quotes"]) => {
    const format = { ...text.saved, separator, quotes };
    const seen = { hasQuote: false };
    const rows = splitText(watchQuotes(await text.read(), seen), format, `the table ${text.name}`);
    // Elsewhere a comma in a number may separate thousands.
    return { format, shape: await surveyRows(rows, { seen, mayHaveDecimals: separator === ";" }) };
  };
  const isOrdinary = separator === "\t" || separator === "|";
  const read = async () => {
    if (isOrdinary) {
      const cells = await surveyHead(text, { ...text.saved, separator, quotes: "cells" }) ?? await survey("cells");
      if (!cells.shape.hasOpenQuote) return cells;
      // Cells between quotes may hold separators and line ends, as pandas, R and Excel write them.
      const isSure = isEven(cells.shape, text.head) && cells.shape.header === 0;
      if (isSure && !hasEscapes(text.head)) return cells;
      if (isSure) {
        // Where quotes are doubled, a backslash before one is a character.
        const quoted = await survey("quoted").catch(ignoreParseError);
        if (quoted?.shape.count === cells.shape.count) return cells;
      }
      const others = isSure ? ["escaped"] as const : ["quoted", "escaped"] as const;
      for (const quotes of others) {
        const other = await survey(quotes).catch(ignoreParseError);
        if (other === undefined || other.shape.header > cells.shape.header) continue;
        if (isEven(other.shape, text.head)) return other;
      }
      return cells;
    }
    try {
      return await survey("quoted");
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const escaped = await survey("escaped").catch(ignoreParseError);
      if (escaped === undefined) throw error;
      return escaped;
    }
  };
  const { format, shape } = await read();
  const named = nameColumns(shape, text);
  const { decimal } = shape;
  if (decimal === undefined) return { ...format, ...named, hasDecimalCommas: false };
  const says =
    `${text.name} writes decimals with commas, such as ${JSON.stringify(decimal)}: they are text, and so are ` +
    "numbers with a point, which may separate thousands";
  return {
    ...format,
    ...named,
    hasDecimalCommas: true,
    entries: [...named.entries, noteEntry("values-invalid", says)],
  };
}

/**
 * The shape of a table with tabs or bars by its first rows, where its header names every column and no quote of the
 * table is in doubt; `undefined` where all rows have to be looked at.
 */
async function surveyHead(
  { name, head, read }: KnownText,
  format: TextFormat,
): Promise<{ readonly format: TextFormat; readonly shape: TextShape } | undefined> {
  if (format.encoding !== undefined || format.endsWithReturns) return undefined;
  const begin = head.subarray(0, head.lastIndexOf(LF, SURVEYED_BYTES) + 1);
  const rows: CsvRow[] = [];
  for await (const some of splitText(ReadableStream.from([begin]), format, `the table ${name}`)) rows.push(...some);
  const first = rows.slice(0, HEAD_ROWS + MAX_TITLES);
  // A small table is looked at as a whole.
  if (rows.length <= HEAD_ROWS + MAX_TITLES || !isPlainHeader(first)) return undefined;
  if (!await hasClosedQuotes(await read(), format.separator)) return undefined;
  const none = {
    titles: [],
    below: first.slice(1, 1 + HEAD_ROWS),
    wider: 0,
    countsRows: false,
    used: new Set<number>(),
    hasOpenQuote: false,
  };
  return { format, shape: { header: 0, names: first[0], count: 1, asWide: 1, ...none, decimal: undefined } };
}

/** Notes whether bytes hold a quote. */
async function* watchQuotes(
  chunks: AsyncIterable<Uint8Array>,
  seen: { hasQuote: boolean },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    seen.hasQuote ||= chunk.includes(QUOTE);
    yield chunk;
  }
}

function ignoreParseError(error: unknown): undefined {
  if (!(error instanceof ParseError)) throw error;
}

/** Whether the head of a text is that of a plain CSV: its rows can be passed on as they are. */
export function isPlainText(head: Uint8Array): boolean {
  if (findTableSeparator(head) !== ",") return false;
  return !hasEscapes(head);
}

function hasEscapes(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, head.length).indexOf(ESCAPED_QUOTE) !== -1;
}

/** Whether a header needs a look at all rows: it is not the first row, or a column has no name. */
export function isPlainHeader(rows: readonly CsvRow[]): boolean {
  if (rows.length === 0 || findHeader(rows) !== 0) return false;
  const [{ cells }, ...below] = rows;
  return cells.every((cell) => cell.trim() !== "") && new Set(cells).size === cells.length &&
    !(below.length > 0 && below.every((row) => row.cells.length === cells.length + 1));
}

/** Which rows a table has. */
interface TextShape {
  readonly header: number;
  readonly names: CsvRow;
  readonly titles: readonly CsvRow[];
  /** The first rows below the header. */
  readonly below: readonly CsvRow[];
  /** Rows below the header that hold a value. */
  readonly count: number;
  /** Rows of these that are as wide as the header, and one cell wider. */
  readonly asWide: number;
  readonly wider: number;
  /** Whether the first cells count the rows, from 0 or from 1. */
  readonly countsRows: boolean;
  /** Indices of cells without a name that hold text in a row. */
  readonly used: ReadonlySet<number>;
  /** Whether a cell begins with a quote and does not end with one. */
  readonly hasOpenQuote: boolean;
  /** The first decimal with a comma. */
  readonly decimal: string | undefined;
}

/** Whether all rows are as wide as the header, or one wider, below a header that R has quoted. */
function isEven({ count, asWide, wider, names }: TextShape, head: Uint8Array): boolean {
  return asWide === count || wider === count && isQuotedLine(head, names.line);
}

/** @param text Whether it holds a quote so far, and whether a comma in a number can only be that of a decimal. */
async function surveyRows(
  batches: AsyncIterable<readonly CsvRow[]>,
  { seen, mayHaveDecimals }: { readonly seen: { readonly hasQuote: boolean }; readonly mayHaveDecimals: boolean },
): Promise<TextShape> {
  const head: CsvRow[] = [];
  /** Indices of cells without a name in the header, which hold no text so far. */
  const unused = new Set<number>();
  let found: { readonly header: number; readonly width: number } | undefined;
  let [count, asWide, wider, fromZero, fromOne, hasOpenQuote] = [0, 0, 0, 0, 0, false];
  const used = new Set<number>();
  let decimal: string | undefined;
  const see = ({ cells }: CsvRow, width: number) => {
    if (hasNoValue(cells)) return;
    if (cells.length === width) asWide++;
    else if (cells.length === width + 1) wider++;
    if (cells[0] === String(count)) fromZero++;
    count++;
    if (cells[0] === String(count)) fromOne++;
    if (mayHaveDecimals) decimal ??= cells.find((cell) => DECIMAL_COMMA.test(cell));
    for (const index of unused) {
      if ((cells[index] ?? "").trim() === "") continue;
      unused.delete(index);
      used.add(index);
    }
  };
  const begin = () => {
    const header = findHeader(head);
    const names = head[header]?.cells ?? [];
    found = { header, width: names.length };
    // Above rows that are one cell wider than the header, names stand one cell before their column.
    unused.add(0).add(names.length);
    for (const [index, name] of names.entries()) if (name.trim() === "") unused.add(index).add(index + 1);
    for (const row of head.slice(header + 1)) see(row, found.width);
  };
  for await (const rows of batches) {
    for (const row of rows) {
      hasOpenQuote ||= seen.hasQuote && row.cells.some((cell) => cell.charCodeAt(0) === QUOTE);
      if (found !== undefined) see(row, found.width);
      else if (head.push(row) === HEAD_ROWS + MAX_TITLES) begin();
    }
  }
  if (found === undefined) begin();
  const { header } = found!;
  return {
    header,
    names: head[header] ?? { cells: [], line: 1 },
    titles: head.slice(0, header),
    below: head.slice(header + 1, header + 1 + HEAD_ROWS),
    count,
    asWide,
    wider,
    countsRows: count > 0 && (fromZero === count || fromOne === count),
    used,
    hasOpenQuote,
    decimal,
  };
}

type NamedColumns = Pick<TextForm, "header" | "line" | "names" | "columns" | "cells" | "width" | "entries">;

/** Names the columns: row names and others without a name get one; those without name and values are left out. */
function nameColumns(shape: TextShape, { name, head }: KnownText): NamedColumns {
  const { header, names: { cells, line }, titles, below, count, wider, countsRows, used } = shape;
  if (cells.length === 0) {
    throw new ParseError(`Cannot read the table ${name}: it is empty, expected a header line`, { line: 1 });
  }
  // R writes no name above the names of its rows, or an empty one; pandas an empty one.
  const isAbsent = wider === count && used.has(cells.length) && isQuotedLine(head, line);
  const names = isAbsent ? ["", ...cells] : cells;
  const taken = new Set(names);
  const unnamed: string[] = [];
  const entries = noteTitles(titles.map((row) => row.cells), `${name} has its header on line ${line}`);
  const kept: { readonly index: number; readonly column: string }[] = [];
  for (const [index, column] of names.entries()) {
    if (column.trim() !== "") kept.push({ index, column });
    else if (index === 0 && names.length > 1 && countsRows) {
      const text = `the first column of ${name} has no name and only counts the rows: left out`;
      entries.push(noteEntry("row-names", text));
    } else if (used.has(index)) {
      const given = freeName(index === 0 ? "row_name" : `column_${index + 1}`, taken);
      unnamed.push(given);
      kept.push({ index, column: given });
    }
  }
  for (const given of unnamed) {
    const which = given.startsWith("row_name") ? "the first column" : "a column";
    const text = `${which} of ${name} has no name: it is read as ${JSON.stringify(given)}`;
    entries.push(noteEntry("row-names", text, { field: given }));
  }
  const isGiven = isAbsent || unnamed.length > 0;
  if (!isGiven) entries.push(...noteDoubtfulHeader(`${name}, line ${line}`, cells, below.map((row) => row.cells)));
  const columns = kept.map(({ column }) => column);
  const second = kept.find(({ column }, at) => columns.indexOf(column) !== at);
  if (second !== undefined) {
    const first = kept[columns.indexOf(second.column)];
    throw new ParseError(
      `Cannot read the table ${name}: two columns are called ${JSON.stringify(second.column)}, column ` +
        `${first.index + 1} and column ${second.index + 1}; rename one`,
      { line },
    );
  }
  return { header, line, names: cells, columns, cells: kept.map(({ index }) => index), width: names.length, entries };
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}

function isQuotedLine(bytes: Uint8Array, line: number): boolean {
  let start = 0;
  for (let feeds = 1; feeds < line; feeds++) start = bytes.indexOf(10, start) + 1;
  return bytes[start] === QUOTE;
}
