/**
 * The column names of an archive, which say which definitions it needs.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { openBytes } from "../../io/bytes/open_bytes.ts";

/**
 * Reads the first row of a CSV, plain or gzip.
 *
 * @throws {ParseError} If the file is empty or no CSV.
 */
export async function readHeader(path: string, signal?: AbortSignal): Promise<readonly string[]> {
  const chunks = openBytes(path, { ...signal && { signal } });
  for await (const [header] of readCsvRows(chunks, { name: path })) if (header !== undefined) return header.cells;
  throw new ParseError(`Cannot read ${path}: it is empty, expected a header line`, { line: 1 });
}
