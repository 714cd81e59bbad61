/** Reads the table that a user brings: CSV, TSV or the first sheet of an Excel workbook. */
import { messageOf, ParseError } from "../errors.ts";
import type { ByteSource } from "../io/bytes/byte_source.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import { joinBytes } from "../io/bytes/join_bytes.ts";
import { openBytes } from "../io/bytes/open_bytes.ts";
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
  const chunks = openBytes(source, options);
  try {
    const held: Uint8Array[] = [];
    const heldBytes = () => held.reduce((sum, { length }) => sum + length, 0);
    const hold = async () => {
      const { done, value } = await chunks.next();
      if (!done) held.push(value.slice());
      return !done;
    };
    while (heldBytes() < HEAD_BYTES && await hold());
    const looks = describeBytes(joinBytes(held).subarray(0, HEAD_BYTES));
    if (looks === WORKBOOK) {
      while (await hold()) {
        if (heldBytes() <= MAX_WORKBOOK_BYTES) continue;
        throw new ParseError(`Cannot read the table ${name}: a workbook of more than 256 MiB; save the sheet as CSV`);
      }
      return { table: await readCsvTable(await readWorkbook(joinBytes(held), name), options), warnings: [] };
    }
    if (NOT_A_TABLE.includes(looks)) {
      throw new ParseError(
        `Cannot read the table ${name}: expected CSV, TSV or an Excel workbook (.xlsx), it looks like ${looks}; ` +
          "check which file it is",
        { line: 1 },
      );
    }
    const whole = async function* () {
      yield* held;
      yield* chunks;
    };
    const table = await readCsvTable(whole(), options);
    // A name that does not promise commas promises nothing.
    const isOdd = table.separator === ";" || table.separator === "\t" && /\.csv(\.gz)?$/i.test(name);
    return { table, warnings: isOdd ? [separatorWarning(name, table.separator)] : [] };
  } finally {
    await chunks.return(undefined);
  }
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
