/** Reads the table that a user brings: CSV, TSV, JSON Lines or a sheet of an Excel workbook. */
import { ParseError } from "@seqreg/core/errors";
import { type ByteSource, describeBytes, openBytes, peekBytes } from "@seqreg/core/io/bytes";
import { type CsvTable, NOT_A_TABLE, noteSeparator, readCsvTable, requireEncoding } from "@seqreg/core/io/csv";
import { looksLikeReport, readReportTable } from "./_report_table.ts";
import { readWorkbookTable } from "@seqreg/core/io/workbook/workbook_table";
import type { LedgerEntry } from "@seqreg/core/contract";

/** A table and what is odd about it. */
export interface UserTable {
  readonly table: CsvTable;
  /** What is missing from it, or unusual. */
  readonly entries: readonly LedgerEntry[];
}

/** Options of {@linkcode readUserTable}. */
export interface UserTableOptions {
  /** Named in errors. */
  readonly name: string;
  /** Name or number of the sheet of a workbook. */
  readonly sheet?: string | number;
  /** Encoding of a table of text. */
  readonly encoding?: string;
  readonly signal?: AbortSignal;
}

/** Bytes that are read to recognise the file type. */
const HEAD_BYTES = 512;
const WORKBOOK = "a ZIP archive (or an Excel workbook)";
const OLD_WORKBOOK = "an Excel workbook of the old form (.xls)";

/**
 * Reads a table, plain or compressed; of a workbook the sheet with this name or number.
 *
 * @throws {RangeError} If there is no such sheet or encoding, the table is not a workbook, or is one and has no
 * encoding.
 * @throws {ParseError} If it is something else, such as an HTML page, or malformed.
 */
export async function readUserTable(source: ByteSource, options: UserTableOptions): Promise<UserTable> {
  const { name, sheet, encoding } = options;
  if (encoding !== undefined) requireEncoding(encoding);
  const { head, chunks } = await peekBytes(openBytes(source, options), (bytes) => bytes >= HEAD_BYTES);
  try {
    const looks = describeBytes(head.subarray(0, HEAD_BYTES));
    if (looks === WORKBOOK) {
      if (encoding === undefined) return await readWorkbookTable(chunks, options);
      throw new RangeError(`Cannot read ${name} as ${encoding}: a workbook has an encoding of its own`);
    }
    if (looks === OLD_WORKBOOK && await isEncrypted(chunks)) {
      throw new ParseError(
        `Cannot read the table ${name}: it is an encrypted workbook; open it in Excel and save it without a password`,
      );
    }
    if (looks === OLD_WORKBOOK) {
      throw new ParseError(`Cannot read the table ${name}: it is ${looks}; save it as .xlsx, or the sheet as CSV`);
    }
    if (looks === "JSON" && looksLikeReport(head)) {
      return { table: await readReportTable(chunks, options), entries: [] };
    }
    if (looks !== "UTF-16 text" && NOT_A_TABLE.includes(looks)) {
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
    const isUnexpected = table.separator === ";" || table.separator === "|" ||
      table.separator === "\t" && /\.csv(\.[a-z0-9]+)?$/i.test(name);
    return { table, entries: [...isUnexpected ? [noteSeparator(name, table.separator)] : [], ...table.entries] };
  } finally {
    await chunks.return(undefined);
  }
}

/** Name of the stream that an encrypted workbook is in, within a compound file (MS-OFFCRYPTO 2.3.4.4). */
const ENCRYPTED = Array.from("EncryptedPackage", (letter) => letter + "\0").join("");

/** Whether a compound file is an encrypted workbook, and not one of the old form. */
async function isEncrypted(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder("windows-1252");
  let before = "";
  for await (const chunk of chunks) {
    const text = before + decoder.decode(chunk);
    if (text.includes(ENCRYPTED)) return true;
    before = text.slice(-ENCRYPTED.length);
  }
  return false;
}
