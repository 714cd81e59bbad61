/**
 * Tables that people bring: CSV or TSV, plain or gzip, of a size that fits in memory.
 *
 * @module
 */
import { CsvParseStream } from "@std/csv";
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { readText } from "../bytes/text_lines.ts";

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
  const { head, whole } = await peekLine(readText(source, options));
  const separator = sniffSeparator(head);
  const rows: string[][] = [];
  try {
    if (separator === "\t") await readTabRows(whole, rows);
    else for await (const row of whole.pipeThrough(new CsvParseStream())) rows.push(row);
  } catch (cause) {
    if (cause instanceof ParseError || cause instanceof DOMException) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ParseError(`Cannot read the table ${name}: ${why}`, {}, { cause });
  }
  const [columns, ...data] = rows;
  if (columns === undefined) throw new ParseError(`Cannot read the table ${name}: it is empty, expected a header line`);
  checkHeader(columns, name);
  for (const [index, row] of data.entries()) {
    if (row.length !== columns.length) {
      throw new ParseError(
        `Cannot read the table ${name}: row ${index + 1} has ${row.length} cells, the header has ${columns.length}`,
      );
    }
  }
  return { columns, rows: data, separator };
}

/** The one of which the header has more outside quotes; a name may hold the other. */
function sniffSeparator(head: string): "," | "\t" {
  const header = head.split("\n", 1)[0].replace(/"[^"]*"/g, "");
  const tabs = header.split("\t").length;
  return tabs > 1 && tabs >= header.split(",").length ? "\t" : ",";
}

/** Reads until a line has ended; the stream that comes back begins with what was read. */
async function peekLine(texts: ReadableStream<string>): Promise<{ head: string; whole: ReadableStream<string> }> {
  const rest = texts[Symbol.asyncIterator]();
  const read: string[] = [];
  while (!read.at(-1)?.includes("\n")) {
    const { done, value } = await rest.next();
    if (done) break;
    read.push(value);
  }
  const head = read.join("");
  const whole = ReadableStream.from((async function* () {
    try {
      if (head !== "") yield head;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })());
  return { head, whole };
}

async function readTabRows(texts: ReadableStream<string>, rows: string[][]): Promise<void> {
  let rest = "";
  const take = (line: string) => {
    const text = line.replace(/\r$/, "");
    if (text !== "") rows.push(text.split("\t"));
  };
  for await (const text of texts) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    lines.forEach(take);
  }
  take(rest);
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
