/**
 * Tables that people bring: CSV or TSV, plain or gzip, of a size that fits in memory.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { readCsvRows } from "./csv_rows.ts";
import { peekSeparator } from "./peek_separator.ts";
import type { Separator } from "./separator.ts";

/** A table of texts. */
export interface CsvTable {
  /** Names of the columns, unique and not empty. */
  readonly columns: readonly string[];
  /** Rows, each as wide as `columns`. */
  readonly rows: readonly (readonly string[])[];
  /** Character between cells. */
  readonly separator: Separator;
}

/**
 * Reads a table with a header. What separates its cells is found by `findSeparator`. In a table with tabs a quote is an
 * ordinary character, as in the tables of sequence archives.
 *
 * @param source Where the table is; plain or gzip.
 * @param options Signal, name for errors.
 * @throws {ParseError} If the table is empty, a column has no name or the name of another, a row is wider or narrower
 * than the header, a quoted cell never ends, or the bytes are not UTF-8. Nothing is returned then.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readCsvTable } from "./csv_table.ts";
 *
 * const table = await readCsvTable(new TextEncoder().encode("strain\tdate\nA\t2013-12-XX\n"));
 *
 * assertEquals(table.columns, ["strain", "date"]);
 * assertEquals(table.rows, [["A", "2013-12-XX"]]);
 * ```
 */
export async function readCsvTable(source: ByteSource, options: OpenBytesOptions = {}): Promise<CsvTable> {
  const name = options.name ?? sourceName(source);
  const { separator, chunks } = await peekSeparator(openBytes(source, options));
  const splitting = { separator, quotes: separator !== "\t", name: `the table ${name}` };
  let columns: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(chunks, splitting)) {
    for (const { cells, line } of batch) {
      if (columns === undefined) {
        checkHeader(cells, name);
        columns = cells;
        continue;
      }
      rows.push(cells);
      if (cells.length !== columns.length) {
        const what = `row ${rows.length} has ${cells.length} cells, the header has ${columns.length}`;
        throw new ParseError(`Cannot read the table ${name}: ${what}`, { line });
      }
    }
  }
  if (columns === undefined) throw new ParseError(`Cannot read the table ${name}: it is empty, expected a header line`);
  return { columns, rows, separator };
}

function checkHeader(columns: readonly string[], name: string): void {
  const seen = new Set<string>();
  for (const [index, column] of columns.entries()) {
    if (column.trim() === "") {
      throw new ParseError(`Cannot read the table ${name}: column ${index + 1} has no name`, { line: 1 });
    }
    if (seen.has(column)) {
      throw new ParseError(`Cannot read the table ${name}: two columns are called ${JSON.stringify(column)}`, {
        line: 1,
      });
    }
    seen.add(column);
  }
}
