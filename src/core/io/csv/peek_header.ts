/** The names of a table's columns, read ahead of its rows, and what is certainly no table of a registry. */
import { ParseError } from "../../errors.ts";
import { nextFor } from "../bytes/describe_bytes.ts";
import { peekBytes } from "../bytes/peek_bytes.ts";
import { TextFormError } from "../bytes/text_form_error.ts";
import { LONE_RETURNS } from "./check_header.ts";
import { CsvSplitter } from "./csv_splitter.ts";
import { NOT_A_TABLE } from "./not_a_table.ts";
import { type PeekedSeparator, peekSeparator } from "./peek_separator.ts";
import type { CsvRows } from "./split_rows.ts";

/** Longest header that is read ahead, in bytes; a longer one is left to the reader of the rows. */
const MAX_HEADER_BYTES = 1 << 20;

const LINE_FEED = 10;

/** The header of a table, and its bytes from the beginning. */
export interface PeekedHeader extends PeekedSeparator {
  /** Names of the columns; empty without a row, or if the first one is malformed or too long. */
  readonly header: readonly string[];
  /** Why the first row is malformed. */
  readonly fault: ParseError | undefined;
}

/**
 * Reads as much of a table as its separator and its first row take.
 *
 * @param source UTF-8 bytes; a chunk may be overwritten when the next is asked for.
 * @param options Name for errors; longest header.
 */
export async function peekHeader(
  source: AsyncIterable<Uint8Array>,
  { name, maxBytes = MAX_HEADER_BYTES }: { readonly name: string; readonly maxBytes?: number },
): Promise<PeekedHeader> {
  const { chunks: all, separator, looks } = await peekSeparator(source);
  const splitter = new CsvSplitter({ name, separator });
  let header: readonly string[] | undefined;
  let fault: ParseError | undefined;
  const read = (rows: () => CsvRows): boolean => {
    try {
      header = rows().texts()[0]?.cells;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      fault = error;
    }
    return header !== undefined || fault !== undefined;
  };
  // Line by line: a chunk holds thousands of rows, of which only the first one is wanted.
  const readLines = (bytes: Uint8Array): boolean => {
    for (let from = 0; from < bytes.length;) {
      const to = bytes.indexOf(LINE_FEED, from) + 1 || bytes.length;
      if (read(() => splitter.push(bytes.subarray(from, to)))) return true;
      from = to;
    }
    return false;
  };
  const { head, chunks } = await peekBytes(all, (bytes, last) => readLines(last) || bytes >= maxBytes);
  if (header === undefined && fault === undefined && head.length < maxBytes) read(() => splitter.finish());
  return { separator, looks, header: header ?? [], fault, chunks };
}

/**
 * Refuses what no reader of archives takes: what is certainly something else than a table of text, such as an HTML
 * page, and rows that end with carriage returns alone, which would look like one row.
 */
export function requireTable({ looks, header }: Pick<PeekedHeader, "looks" | "header">, name: string): void {
  if (NOT_A_TABLE.includes(looks)) {
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; ${nextFor(looks)}`, {
      line: 1,
    });
  }
  if (header.some((column) => column.includes("\r"))) {
    throw new TextFormError(`Cannot read ${name}: ${LONE_RETURNS}`, { line: 1 });
  }
}
