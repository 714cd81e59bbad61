/** Rows of a text table as it was saved: in its encoding, with its separator, line ends and quotes. */
import { ParseError } from "../../errors.ts";
import { transformed } from "../../io/bytes/closing.ts";
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { CsvSplitter } from "../../io/csv/csv_splitter.ts";
import type { TableSeparator } from "../../io/csv/separator.ts";
import type { CsvRow } from "../../io/csv/split_rows.ts";
import { requireEncoding, swapBack, swapLineEnds } from "./_table_text.ts";

/**
 * What quotes mean: `quoted` as RFC 4180 has them; `escaped` the same, with quotes in a cell after a backslash, as R
 * writes them; `cells` that a cell which begins and ends with one is quoted, and any other quote is a character.
 */
export type Quotes = "quoted" | "escaped" | "cells";

export interface TextFormat {
  readonly separator: TableSeparator;
  readonly quotes: Quotes;
  /** Encoding, by a name of the Encoding standard; UTF-8 without one. */
  readonly encoding?: string;
  /** Whether rows end with a carriage return alone. */
  readonly endsWithReturns: boolean;
}

/** Bytes that are split at a time: what is decoded as one text has a greatest length. */
const PIECE_BYTES = 1 << 20;
const [BACKSLASH, QUOTE, LF, CR] = [92, 34, 10, 13];
/** A cell between quotes, in which a quote is written twice. */
const QUOTED_CELL = /^"(?:[^"]|"")*"$/;

/**
 * Splits text into rows, batch by batch; empty lines are no rows.
 *
 * @throws {ParseError} As `readCsvRows`, or if the bytes are not of the encoding.
 */
export function splitText(
  chunks: AsyncIterable<Uint8Array>,
  format: TextFormat,
  name: string,
): AsyncGenerator<CsvRow[]> {
  return transformed(chunks, (bytes) => rowsOf(bytes, format, name));
}

async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  format: TextFormat,
  name: string,
): AsyncGenerator<CsvRow[]> {
  const { separator, quotes, encoding, endsWithReturns } = format;
  const splitter = new CsvSplitter({ name, separator, quotes: quotes !== "cells" });
  const cellOf = cellReader(format);
  // Without a quote so far every cell means what it says.
  let isChanged = endsWithReturns;
  const finished = ({ texts, count }: ReturnType<CsvSplitter["finish"]>): CsvRow[] =>
    count === 0
      ? []
      : cellOf === undefined || !isChanged
      ? texts()
      : texts().map(({ cells, line }) => ({ cells: cells.map(cellOf), line }));
  let text = encoding === undefined ? chunks : decode(chunks, encoding, name);
  if (quotes === "escaped") text = doubleEscapes(text, separator);
  for await (const chunk of text) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      isChanged ||= piece.includes(QUOTE);
      const rows = finished(splitter.push(endsWithReturns ? swapLineEnds(piece) : piece));
      if (rows.length > 0) yield rows;
    }
  }
  const rows = finished(splitter.finish());
  if (rows.length > 0) yield rows;
}

/** What a cell means; `undefined` if it means what the splitter has made of it. */
function cellReader({ quotes, endsWithReturns }: TextFormat): ((cell: string) => string) | undefined {
  if (quotes !== "cells") return endsWithReturns ? swapBack : undefined;
  return (cell) => {
    const text = cell.startsWith('"') && QUOTED_CELL.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    return endsWithReturns ? swapBack(text) : text;
  };
}

/** Decodes text to UTF-8. @throws {ParseError} If the bytes are not of the encoding. */
async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
  name: string,
): AsyncGenerator<Uint8Array> {
  const label = requireEncoding(encoding);
  const encoder = new TextEncoder();
  let decoder: TextDecoder | undefined;
  const step = (bytes?: Uint8Array): Uint8Array => {
    try {
      // The standard's utf-16 is little endian, whatever the byte order mark is.
      const isBigEndian = label === "utf-16le" && bytes?.[0] === 0xfe && bytes[1] === 0xff;
      decoder ??= new TextDecoder(isBigEndian ? "utf-16be" : label, { fatal: true });
      return encoder.encode(decoder.decode(bytes, { stream: bytes !== undefined }));
    } catch (cause) {
      throw new ParseError(`Cannot read ${name}: it is not valid ${encoding}; use another encoding`, {}, {
        cause,
      });
    }
  };
  for await (const chunk of chunks) yield step(chunk);
  yield step();
}

/** Writes a quote after a backslash as two quotes: R escapes quotes so, and nothing else. */
async function* doubleEscapes(
  chunks: AsyncIterable<Uint8Array>,
  separator: TableSeparator,
): AsyncGenerator<Uint8Array> {
  const ends = [separator.charCodeAt(0), LF, CR, undefined];
  // Before a separator or line end the quote closes its cell, and the backslash belongs to the value.
  const isEscape = (bytes: Uint8Array, at: number) =>
    bytes[at] === BACKSLASH && bytes[at + 1] === QUOTE && !ends.includes(bytes[at + 2]);
  let held = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = copyBytes([held, chunk]);
    const end = Math.max(0, bytes.length - 2);
    yield bytes.subarray(0, end).map((byte, at) => isEscape(bytes, at) ? QUOTE : byte);
    held = bytes.slice(end);
  }
  yield held.map((byte, at) => isEscape(held, at) ? QUOTE : byte);
}
