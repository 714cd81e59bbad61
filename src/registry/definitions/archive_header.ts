/**
 * The column names of an archive, which say which definitions it needs.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { peekSeparator } from "../../io/csv/peek_separator.ts";
import { openBytes } from "../../io/bytes/open_bytes.ts";

/**
 * Reads the first row of a CSV, plain or gzip.
 *
 * @throws {ParseError} If the file is empty or no CSV.
 */
export async function readHeader(path: string, signal?: AbortSignal): Promise<readonly string[]> {
  const { separator, chunks } = await peekSeparator(openBytes(path, { ...signal && { signal } }));
  for await (const [header] of readCsvRows(chunks, { name: path, separator })) {
    if (header !== undefined) return header.cells;
  }
  throw new ParseError(`Cannot read ${path}: it is empty, expected a header line`, { line: 1 });
}
