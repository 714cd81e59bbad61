/** Cells of a CSV that does not fit in memory, as bytes: texts are made only of cells that are used. */
import type { CsvRow } from "./csv_rows.ts";
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";
import type { CsvCells, CsvRows } from "./split_rows.ts";

export type { CsvCells };

export interface CsvBatch {
  readonly count: number;
  /** The cells, when every row is as wide as the first of the file; good until the next batch is asked for. */
  readonly cells: CsvCells | undefined;
  /** Makes texts of the rows, as `readCsvRows()` gives them; until the next batch is asked for. */
  rows(): readonly CsvRow[];
}

/**
 * Reads CSV rows in batches, header included, with the rules and the errors of `readCsvRows()` and commas between
 * cells.
 *
 * The first batch, and one with a row of another width than the header's, have texts only: the caller that knows the
 * header checks them.
 *
 * @param chunks UTF-8 bytes; each chunk is used up before the next is asked for.
 * @returns Batches of whole rows, one for each chunk that ends at least one.
 * @throws {ParseError} If a quoted cell never ends, text follows a closing quote, or the bytes are not UTF-8.
 */
export async function* readCsvCells(
  chunks: AsyncIterable<Uint8Array>,
  options: Pick<CsvSplitterOptions, "name"> = {},
): AsyncGenerator<CsvBatch> {
  const splitter = new CsvSplitter(options);
  let width: number | undefined;
  const batchOf = (rows: CsvRows): CsvBatch => {
    const { count } = rows;
    if (width !== undefined) return { count, cells: rows.ofWidth(width), rows: () => rows.texts() };
    const first = rows.texts();
    width = first[0].cells.length;
    return { count, cells: undefined, rows: () => first };
  };
  for await (const chunk of chunks) {
    const rows = splitter.push(chunk);
    if (rows.count > 0) yield batchOf(rows);
  }
  const rows = splitter.finish();
  if (rows.count > 0) yield batchOf(rows);
}
