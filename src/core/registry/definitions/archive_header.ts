/**
 * The column names of an archive, which say which definitions it needs.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import { readHeader as readColumns } from "../../io/csv/read_header.ts";

/**
 * Reads the first row of a CSV, plain, gzip or Zstandard.
 *
 * @throws {ParseError} If the file is empty or not CSV.
 */
export async function readHeader(path: string, signal?: AbortSignal): Promise<readonly string[]> {
  const header = await readColumns(path, { signal });
  if (header.length > 0) return header;
  throw new ParseError(`Cannot read ${path}: it is empty, expected a header line`, { line: 1 });
}
