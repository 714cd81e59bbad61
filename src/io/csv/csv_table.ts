/**
 * Tables that people bring: CSV or TSV, plain or gzip, of a size that fits in memory.
 *
 * @module
 */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { joinBytes } from "../bytes/join_bytes.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { readCsvRows } from "./csv_rows.ts";
import { CsvSplitter, type CsvSplitterOptions } from "./csv_splitter.ts";

/** A table of texts. */
export interface CsvTable {
  /** Names of the columns, unique and not empty. */
  readonly columns: readonly string[];
  /** Rows, each as wide as `columns`. */
  readonly rows: readonly (readonly string[])[];
  /** Character between cells. */
  readonly separator: "," | "\t";
}

/**
 * Reads a table with a header. Tabs separate cells when the header has as many as commas, or more, outside quotes; else
 * commas do. In a table with tabs a quote is an ordinary letter, as in the tables of sequence archives.
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
  const { head, whole } = await peekLine(openBytes(source, options));
  const separator = sniffSeparator(head);
  const splitting = { separator, quotes: separator === ",", name: `the table ${name}` };
  let columns: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(whole, splitting)) {
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

/** The one of which the header has more outside quotes; a name may hold the other. */
function sniffSeparator(head: Uint8Array): "," | "\t" {
  const line = head.subarray(0, head.includes(LF) ? head.indexOf(LF) + 1 : head.length);
  const commas = widthOf(line, { separator: "," });
  const tabs = widthOf(line, { separator: "\t" }) ??
    (commas === undefined ? widthOf(line, { separator: "\t", quotes: false }) : undefined) ?? 0;
  return tabs > 1 && tabs >= (commas ?? 0) ? "\t" : ",";
}

const LF = 10;

/** Cells of a line; `undefined` if it breaks the format. */
function widthOf(line: Uint8Array, options: CsvSplitterOptions): number | undefined {
  const splitter = new CsvSplitter(options);
  try {
    const rows = splitter.push(line).texts();
    return [...rows, ...splitter.finish().texts()][0]?.cells.length ?? 0;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** Reads until a line has ended; the chunks that come back begin with what was read. */
async function peekLine(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const rest = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  while (!read.at(-1)?.includes(LF)) {
    const { done, value } = await rest.next();
    if (done) break;
    read.push(value.slice());
  }
  const head = joinBytes(read);
  const whole = (async function* () {
    try {
      yield head;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
  return { head, whole };
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
