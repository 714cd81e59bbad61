/** What the check of a CSV yields: batches of well-formed rows as bytes, and where their unusual cells are. */
import { csvCell } from "../../../io/csv/csv_text.ts";

/** Rows that are well formed; their memory is valid until the next batch is asked for. */
export interface CheckedRows {
  /** Bytes of the rows, UTF-8, each row with its line feed. */
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Number of the first row, counted from 1 among those that are kept. */
  readonly firstRow: number;
  /** Line of the file behind the last row, counted from 1. */
  readonly nextLine: number;
  /** Cells that are not in the canonical form of their column's type: {@linkcode CELL_NUMBERS} numbers for each. */
  readonly cells: Int32Array;
}

/**
 * Numbers of a cell in {@linkcode CheckedRows.cells}: column, row in the batch from 0, its start and end in `bytes`.
 */
export const CELL_NUMBERS = 4;

const QUOTE = 34;
/** Bytes of a text that is put together character by character: a decoder takes longer for its call. */
const SHORT_BYTES = 24;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads a cell without its quotes. */
export function readCell(bytes: Uint8Array, start: number, end: number): string {
  const isQuoted = bytes[start] === QUOTE;
  if (!isQuoted && end - start <= SHORT_BYTES) {
    let text = "";
    let at = start;
    for (; at < end && bytes[at] < 128; at++) text += String.fromCharCode(bytes[at]);
    if (at === end) return text;
  }
  const text = decoder.decode(bytes.subarray(start, end));
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/**
 * Writes a cell, quoted where it has to be: as the only one of its row an empty one is, since its line would be empty.
 */
export function writeCell(text: string, isOnly: boolean): Uint8Array {
  return encoder.encode(isOnly && text === "" ? '""' : csvCell(text));
}

/** Writes one row in the plainest form, with the cells of columns that have a kind listed. */
export function writeRow(
  texts: readonly string[],
  kinds: readonly number[],
): Pick<CheckedRows, "bytes" | "cells"> {
  const written = texts.map((text) => writeCell(text, texts.length === 1));
  const bytes = new Uint8Array(written.reduce((sum, { length }) => sum + length + 1, 0));
  const cells: number[] = [];
  let at = 0;
  for (const [column, cell] of written.entries()) {
    bytes.set(cell, at);
    if (kinds[column] && texts[column] !== "") cells.push(column, 0, at, at + cell.length);
    at += cell.length;
    bytes[at++] = column === written.length - 1 ? 10 : 44;
  }
  return { bytes, cells: Int32Array.from(cells) };
}
