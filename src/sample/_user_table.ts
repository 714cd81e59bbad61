/** Reads the table that a user brings: CSV, TSV or the first sheet of an Excel workbook. */
import { messageOf, ParseError } from "../errors.ts";
import type { ByteSource } from "../io/bytes/byte_source.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import { joinBytes } from "../io/bytes/join_bytes.ts";
import { openBytes } from "../io/bytes/open_bytes.ts";
import { peekBytes } from "../io/bytes/peek_bytes.ts";
import { type CsvTable, readCsvTable } from "../io/csv/csv_table.ts";
import { csvRow } from "../io/csv/csv_text.ts";
import { NOT_A_TABLE } from "../io/csv/not_a_table.ts";
import { separatorWarning } from "../io/csv/separator.ts";

/** A table and what is odd about it. */
export interface UserTable {
  readonly table: CsvTable;
  /** In words. */
  readonly warnings: readonly string[];
}

/** Bytes that are read to recognise the file type. */
const HEAD_BYTES = 512;
const WORKBOOK = "a ZIP archive (or an Excel workbook)";
/** A workbook is read whole. */
const MAX_WORKBOOK_BYTES = 256 * 1024 * 1024;

/**
 * Reads a table, plain or gzip.
 *
 * @throws {ParseError} If it is something else, such as an HTML page, or malformed.
 */
export async function readUserTable(
  source: ByteSource,
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<UserTable> {
  const { name } = options;
  const { head, chunks } = await peekBytes(openBytes(source, options), (bytes) => bytes >= HEAD_BYTES);
  try {
    const looks = describeBytes(head.subarray(0, HEAD_BYTES));
    if (looks === WORKBOOK) {
      const sheet = await readWorkbook(await wholeWorkbook(chunks, name), name);
      return { table: await readCsvTable(sheet, options), warnings: [] };
    }
    if (NOT_A_TABLE.includes(looks)) {
      throw new ParseError(
        `Cannot read the table ${name}: expected CSV, TSV or an Excel workbook (.xlsx), it looks like ${looks}; ` +
          "check which file it is",
        { line: 1 },
      );
    }
    const table = await readCsvTable(chunks, options);
    // A name that does not promise commas promises nothing.
    const isOdd = table.separator === ";" || table.separator === "\t" && /\.csv(\.gz)?$/i.test(name);
    return { table, warnings: isOdd ? [separatorWarning(name, table.separator)] : [] };
  } finally {
    await chunks.return(undefined);
  }
}

/** Gathers the bytes of a workbook. */
async function wholeWorkbook(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk.slice());
    if ((bytes += chunk.length) <= MAX_WORKBOOK_BYTES) continue;
    throw new ParseError(`Cannot read the table ${name}: a workbook of more than 256 MiB; save the sheet as CSV`);
  }
  return joinBytes(held);
}

/** The first sheet of a workbook as CSV. */
async function readWorkbook(bytes: Uint8Array, name: string): Promise<Uint8Array> {
  const { readSheet } = await import("read-excel-file");
  const { Buffer } = await import("node:buffer");
  let rows: readonly (readonly unknown[])[];
  try {
    rows = await readSheet(Buffer.from(bytes), { trim: false, parseNumber: numberText });
  } catch (cause) {
    const why = messageOf(cause);
    throw new ParseError(
      `Cannot read the table ${name}: it is a ZIP archive, and not an Excel workbook that can be read (${why}); ` +
        "save the sheet as CSV",
      {},
      { cause },
    );
  }
  const width = Math.max(0, ...rows.map((row) => row.findLastIndex((cell) => cellText(cell) !== "") + 1));
  const lines = rows.map((row) => Array.from({ length: width }, (_, column) => cellText(row[column])))
    .filter((cells) => cells.some((cell) => cell !== "")).map((cells) => `${csvRow(cells)}\n`);
  return new TextEncoder().encode(lines.join(""));
}

/** A whole number keeps its digits; another is written as short as it can be: workbooks hold 48.119999999999997. */
function numberText(written: string): string {
  return /^-?[0-9]+$/.test(written) ? written : String(Number(written));
}

/** The text of a cell; a date as ISO day, with its time of day where it has one. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return String(cell);
  const text = cell.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19);
}
