/** Reads the table that a user brings: CSV, TSV or a sheet of an Excel workbook. */
import { ParseError } from "../errors.ts";
import type { ByteSource } from "../io/bytes/byte_source.ts";
import { describeBytes } from "../io/bytes/describe_bytes.ts";
import { openBytes } from "../io/bytes/open_bytes.ts";
import { peekBytes } from "../io/bytes/peek_bytes.ts";
import { type CsvTable, readCsvTable } from "../io/csv/csv_table.ts";
import { NOT_A_TABLE } from "../io/csv/not_a_table.ts";
import { separatorWarning } from "../io/csv/separator.ts";
import { readWorkbookTable } from "../io/workbook/workbook_table.ts";

/** A table and what is odd about it. */
export interface UserTable {
  readonly table: CsvTable;
  /** What is missing from it, in words. */
  readonly reasons: readonly string[];
  /** What else is unusual, in words. */
  readonly warnings: readonly string[];
}

/** Bytes that are read to recognise the file type. */
const HEAD_BYTES = 512;
const WORKBOOK = "a ZIP archive (or an Excel workbook)";

/**
 * Reads a table, plain or gzip; of a workbook the sheet with this name or number.
 *
 * @throws {RangeError} If there is no such sheet, or the table is not a workbook.
 * @throws {ParseError} If it is something else, such as an HTML page, or malformed.
 */
export async function readUserTable(
  source: ByteSource,
  options: { readonly name: string; readonly sheet?: string | number; readonly signal?: AbortSignal },
): Promise<UserTable> {
  const { name, sheet } = options;
  const { head, chunks } = await peekBytes(openBytes(source, options), (bytes) => bytes >= HEAD_BYTES);
  try {
    const looks = describeBytes(head.subarray(0, HEAD_BYTES));
    if (looks === WORKBOOK) return await readWorkbookTable(chunks, options);
    if (NOT_A_TABLE.includes(looks)) {
      throw new ParseError(
        `Cannot read the table ${name}: expected CSV, TSV or an Excel workbook (.xlsx), it looks like ${looks}; ` +
          "check which file it is",
        { line: 1 },
      );
    }
    if (sheet !== undefined) {
      throw new RangeError(`Cannot read the sheet ${JSON.stringify(sheet)} of ${name}: the table is not a workbook`);
    }
    const table = await readCsvTable(chunks, options);
    // A name that does not promise commas promises nothing.
    const isOdd = table.separator === ";" || table.separator === "\t" && /\.csv(\.gz)?$/i.test(name);
    return { table, reasons: [], warnings: isOdd ? [separatorWarning(name, table.separator)] : [] };
  } finally {
    await chunks.return(undefined);
  }
}
