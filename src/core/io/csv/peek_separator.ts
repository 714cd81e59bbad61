/** Finds the separator of a table that streams. */
import { transformed } from "../bytes/closing.ts";
import { peekBytes } from "../bytes/peek_bytes.ts";
import { describeBytes } from "../bytes/describe_bytes.ts";
import { csvRow } from "./csv_text.ts";
import { readCsvRows } from "./csv_rows.ts";
import { NOT_A_TABLE } from "./not_a_table.ts";
import { findSeparator, type Separator, SEPARATOR_BYTES } from "./separator.ts";

/** The separator of a table, and its bytes from the beginning. */
export interface PeekedSeparator {
  /** What separates the cells; a comma for what is not a table. */
  readonly separator: Separator;
  /** What the bytes look like, in the words of `describeBytes`. */
  readonly looks: string;
  /** All bytes; a consumer that stops early closes the source. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Reads as much of a table as tells its separator.
 *
 * @param source UTF-8 bytes; a chunk may be overwritten when the next is asked for.
 */
export async function peekSeparator(source: AsyncIterable<Uint8Array>): Promise<PeekedSeparator> {
  const { head, chunks } = await peekBytes(source, (bytes) => bytes >= SEPARATOR_BYTES);
  const looks = describeBytes(head.subarray(0, 512));
  return { separator: NOT_A_TABLE.includes(looks) ? "," : findSeparator(head), looks, chunks };
}

/** How a table is written anew. */
export interface CommaOptions {
  /** What separates its cells. */
  readonly separator: Separator;
  /** Named in errors. */
  readonly name: string;
  /** Whether a row below the header is written; all by default. */
  readonly keep?: (cells: readonly string[]) => boolean;
}

/**
 * Writes a table of any separator anew with commas, row by row on the same lines.
 *
 * @throws {ParseError} As `readCsvRows`.
 */
export function withCommas(chunks: AsyncIterable<Uint8Array>, options: CommaOptions): AsyncGenerator<Uint8Array> {
  return transformed(chunks, (bytes) => commaRows(bytes, options));
}

async function* commaRows(
  chunks: AsyncIterable<Uint8Array>,
  { separator, name, keep = () => true }: CommaOptions,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let line = 1;
  let isHeader = true;
  for await (const rows of readCsvRows(chunks, { separator, name })) {
    const texts: string[] = [];
    for (const row of rows) {
      const isWritten = isHeader || keep(row.cells);
      isHeader = false;
      if (!isWritten) continue;
      // Empty lines are not rows, but count as lines.
      const text = csvRow(row.cells);
      texts.push("\n".repeat(Math.max(0, row.line - line)), text, "\n");
      line = row.line + 1 + (text.match(/\n/g)?.length ?? 0);
    }
    if (texts.length > 0) yield encoder.encode(texts.join(""));
  }
}
