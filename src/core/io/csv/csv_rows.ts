/**
 * Rows of a CSV that is too large to hold: archives and exports.
 *
 * Only new bytes are ever scanned, so that one cell of 300 MB costs as much as many small ones.
 */
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";
import type { CsvRow } from "./split_rows.ts";

export type { CsvRow };

/**
 * Reads CSV rows in batches, header included, as RFC 4180 has them.
 *
 * Rows end with LF or CRLF; empty lines are skipped; a byte order mark is dropped. Rows of different widths are yielded
 * unchanged: the caller that knows the header checks them.
 *
 * @param chunks UTF-8 bytes; each chunk is used up before the next is asked for.
 * @returns Batches of whole rows, one for each chunk that ends at least one.
 * @throws {ParseError} If a quoted cell never ends, text follows a closing quote, or the bytes are not UTF-8.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvSplitterOptions = {},
): AsyncGenerator<CsvRow[]> {
  const splitter = new CsvSplitter(options);
  for await (const chunk of chunks) {
    const rows = splitter.push(chunk);
    if (rows.count > 0) yield rows.texts();
  }
  const rows = splitter.finish();
  if (rows.count > 0) yield rows.texts();
}
