/** Whole rows of a CSV, chunk by chunk, and their parsing as text. */
import { ParseError } from "../../errors.ts";
import type { CsvRow } from "./csv_rows.ts";
import { joinBytes } from "../bytes/join_bytes.ts";

const LF = 10;
const QUOTE = 34;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes of whole rows. */
export interface CsvSegment {
  /** The bytes, good until the next segment is asked for. */
  readonly bytes: Uint8Array;
  /** Whether it is the first, which may begin with a byte order mark. */
  readonly first: boolean;
  /** Whether the file ends in it within quotes. */
  readonly unended: boolean;
}

/** How a segment is parsed. */
export interface SegmentOptions {
  /** One character between cells. */
  readonly separator: string;
  /** Named in errors. */
  readonly name: string;
  /** Line on which the segment begins, counted from 1. */
  readonly line: number;
}

/** Cuts chunks at the ends of rows; each chunk is used up before the next is asked for. */
export async function* readSegments(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvSegment> {
  let pending: Uint8Array[] = [];
  let quoted = false;
  let first = true;
  for await (const chunk of chunks) {
    const end = lastRowEnd(chunk, quoted);
    quoted = end.quoted;
    if (end.offset === 0) {
      pending.push(chunk.slice());
      continue;
    }
    pending.push(chunk.subarray(0, end.offset));
    const bytes = joinBytes(pending);
    pending = end.offset < chunk.length ? [chunk.slice(end.offset)] : [];
    yield { bytes, first, unended: false };
    first = false;
  }
  if (pending.length > 0) yield { bytes: joinBytes(pending), first, unended: quoted };
}

/**
 * Appends the rows of a segment; gives the line after it.
 *
 * @throws {ParseError} If a quoted cell never ends, text follows a closing quote, or the bytes are not UTF-8.
 */
export function parseSegment(segment: CsvSegment, { separator, name, line }: SegmentOptions, rows: CsvRow[]): number {
  let text = decode(segment.bytes, name, line);
  if (segment.first) text = text.replace(/^\uFEFF/, "");
  if (segment.unended) throw new ParseError(`Cannot read ${name}: a quoted cell never ends`, { line });
  return parseRows(text, separator, line, name, rows);
}

/** Finds the end of the last whole row in a chunk: just after the last line feed outside quotes; 0 for none. */
function lastRowEnd(chunk: Uint8Array, quoted: boolean): { offset: number; quoted: boolean } {
  const first = chunk.indexOf(QUOTE);
  if (first === -1) return { offset: quoted ? 0 : chunk.lastIndexOf(LF) + 1, quoted };
  let offset = quoted ? 0 : chunk.subarray(0, first).lastIndexOf(LF) + 1;
  const length = chunk.length;
  for (let at = first; at < length; at++) {
    const byte = chunk[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (byte === LF && !quoted) offset = at + 1;
  }
  return { offset, quoted };
}

function decode(bytes: Uint8Array, name: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ParseError(`Cannot read ${name}: it is not UTF-8 text, from this line or one soon after it`, { line }, {
      cause,
    });
  }
}

/** Appends the rows of a text that ends at a row's end; returns the line after it. */
function parseRows(text: string, separator: string, line: number, name: string, rows: CsvRow[]): number {
  let at = 0;
  // Looked for again only when it is passed: a text without quotes would be scanned to its end for every row.
  let quote = nextOf(text, '"', 0);
  while (at < text.length) {
    const feed = nextOf(text, "\n", at);
    if (quote < at) quote = nextOf(text, '"', at);
    const end = feed > at && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
    const cells = text.slice(at, end).split(separator);
    if (quote >= feed || unquote(cells, separator)) {
      if (end > at) rows.push({ cells, line });
      at = feed + 1;
      line++;
      continue;
    }
    const row = parseQuotedRow(text, at, separator, line, name);
    rows.push({ cells: row.cells, line });
    at = row.end;
    line += row.lines;
  }
  return line;
}

/** Finds a letter; the end of the text when there is none. */
function nextOf(text: string, letter: string, from: number): number {
  const at = text.indexOf(letter, from);
  return at === -1 ? text.length : at;
}

/**
 * Takes the quotes off the cells of one line, and joins what a separator inside quotes parted: most rows with quotes have
 * no more than that. Gives false, and the cells are of no use, where a quoted cell holds a quote or does not end.
 */
function unquote(cells: string[], separator: string): boolean {
  let count = 0;
  for (let at = 0; at < cells.length; at++) {
    let cell = cells[at];
    if (cell.charCodeAt(0) === QUOTE) {
      let close = cell.indexOf('"', 1);
      if (close === -1) {
        const first = at;
        do {
          if (++at === cells.length) return false;
          close = cells[at].indexOf('"');
        } while (close === -1);
        if (close !== cells[at].length - 1) return false;
        cell = cells.slice(first, at + 1).join(separator);
      } else if (close !== cell.length - 1) return false;
      cell = cell.slice(1, -1);
    }
    cells[count++] = cell;
  }
  cells.length = count;
  return true;
}

function parseQuotedRow(
  text: string,
  at: number,
  separator: string,
  line: number,
  name: string,
): { cells: string[]; end: number; lines: number } {
  const cells: string[] = [];
  let lines = 0;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) {
      let feed = text.indexOf("\n", at);
      if (feed === -1) feed = text.length;
      const next = text.indexOf(separator, at);
      if (next !== -1 && next < feed) {
        cells.push(text.slice(at, next));
        at = next + 1;
        continue;
      }
      const end = feed > at && text.charCodeAt(feed - 1) === 13 ? feed - 1 : feed;
      cells.push(text.slice(at, end));
      return { cells, end: feed + 1, lines: lines + 1 };
    }
    let cell = "";
    let start = at + 1;
    for (;;) {
      const close = text.indexOf('"', start);
      if (close === -1) throw new ParseError(`Cannot read ${name}: a quoted cell never ends`, { line });
      cell += text.slice(start, close);
      if (text.charCodeAt(close + 1) !== QUOTE) {
        at = close + 1;
        break;
      }
      cell += '"';
      start = close + 2;
    }
    for (let feed = cell.indexOf("\n"); feed !== -1; feed = cell.indexOf("\n", feed + 1)) lines++;
    cells.push(cell);
    if (text[at] === separator) {
      at++;
      continue;
    }
    if (text.charCodeAt(at) === 13) at++;
    if (at >= text.length) return { cells, end: at, lines: lines + 1 };
    if (text.charCodeAt(at) === LF) return { cells, end: at + 1, lines: lines + 1 };
    throw new ParseError(`Cannot read ${name}: text follows a closing quote`, { line });
  }
}
