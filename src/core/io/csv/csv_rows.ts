/**
 * Rows of a CSV that is too large to hold: archives and exports.
 *
 * Only new bytes are ever scanned, so that one cell of 300 MB costs as much as many small ones.
 */
import { ParseError } from "../../errors.ts";
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";
import type { CsvRow, CsvRows } from "./split_rows.ts";

export type { CsvRow };

/**
 * Reads CSV rows in batches, header included, as RFC 4180 has them.
 *
 * Rows end with LF or CRLF; empty lines are skipped; a byte order mark is dropped. Rows of different widths are yielded
 * unchanged: the caller that knows the header checks them. In a table with tabs a quote is often a character: a cell
 * between two of them that would hold whole rows is refused.
 *
 * @param chunks UTF-8 bytes; each chunk is used up before the next is asked for.
 * @returns Batches of whole rows, one for each chunk that ends at least one.
 * @throws {ParseError} If a quoted cell never ends or would hold rows, text follows a closing quote, or the bytes are
 * not UTF-8.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvSplitterOptions = {},
): AsyncGenerator<CsvRow[]> {
  const splitter = new CsvSplitter(options);
  const inDoubt = options.separator === "\t" && options.quotes !== false;
  let width: number | undefined;
  const textsOf = (rows: CsvRows): CsvRow[] => {
    const texts = rows.texts();
    if (inDoubt) refuseSwallowed(texts, width ??= texts[0].cells.length, options.name);
    return texts;
  };
  for await (const chunk of chunks) {
    const rows = splitter.push(chunk);
    if (rows.count > 0) yield textsOf(rows);
  }
  const rows = splitter.finish();
  if (rows.count > 0) yield textsOf(rows);
}

/** Refuses rows each line of which is a whole row if quotes are characters. */
function refuseSwallowed(rows: readonly CsvRow[], width: number, name = "the CSV"): void {
  for (const { cells, line } of rows) {
    if (width === 1 || !cells.some((cell) => cell.includes("\n"))) continue;
    if (!cells.join("\t").split("\n").every((text) => text.split("\t").length === width)) continue;
    throw new ParseError(
      `Cannot read ${name}: a cell between quotes holds whole rows, or the quotes are characters; write quotes in ` +
        "cells twice, within quotes",
      { line },
    );
  }
}
