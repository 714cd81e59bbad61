/**
 * Cells of a CSV that is too large to hold, as bytes: no text is made of a cell that nobody looks at.
 *
 * @module
 */
import { isUtf8 } from "node:buffer";
import { type CsvSegment, parseSegment, readSegments } from "./_csv_segments.ts";
import type { CsvRow } from "./csv_rows.ts";

/** Cells of rows, all of the same width, as bytes. */
export interface CsvCells {
  /** UTF-8 of the cells, unquoted, with one byte after each: 0x1f, or 0x1e after the last of a row. */
  readonly bytes: Uint8Array;
  /** End of each cell; the next begins one byte later, the first at 0. */
  readonly ends: Uint32Array;
  /** Cells of a row. */
  readonly width: number;
  /** Number of rows. */
  readonly count: number;
  /** Whether no cell holds 0x1b, 0x1e or 0x1f, so that the bytes between cells stand nowhere else. */
  readonly plain: boolean;
}

/** Rows of a CSV. */
export interface CsvBatch {
  /** Number of rows. */
  readonly count: number;
  /** The cells, when every row is as wide as the first of the file; good until the next batch is asked for. */
  readonly cells: CsvCells | undefined;
  /** Makes texts of the rows, as `readCsvRows()` gives them; until the next batch is asked for. */
  rows(): readonly CsvRow[];
}

/** Options of {@linkcode readCsvCells}. */
export interface CsvCellsOptions {
  /** Named in errors. */
  readonly name?: string;
}

/** Bytes that are kept for the next batch: more than a usual one has. */
const KEPT_BYTES = 8 << 20;

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const ESCAPE = 0x1b;
const RECORD = 0x1e;
const UNIT = 0x1f;

/**
 * Reads CSV rows in batches, header included, with the rules and the errors of `readCsvRows()` and commas between cells.
 *
 * The first batch, and one with a row of another width than the header's, come as texts alone: whoever knows the header
 * judges them.
 *
 * @param chunks UTF-8 bytes; each chunk is used up before the next is asked for.
 * @param options Name.
 * @returns Batches of whole rows, one for each chunk that ends at least one.
 * @throws {ParseError} If a quoted cell never ends, text follows a closing quote, or the bytes are not UTF-8.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readBytes } from "../bytes/byte_source.ts";
 * import { readCsvCells } from "./csv_cells.ts";
 *
 * const bytes = new TextEncoder().encode('name,note\n"a, b",c\n');
 * const rows = [];
 * for await (const batch of readCsvCells(readBytes(bytes, { chunkBytes: 10 }))) {
 *   rows.push(...batch.rows().map(({ cells }) => cells));
 * }
 *
 * assertEquals(rows, [["name", "note"], ["a, b", "c"]]);
 * ```
 */
export async function* readCsvCells(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvCellsOptions = {},
): AsyncGenerator<CsvBatch> {
  const { name = "the CSV" } = options;
  let line = 1;
  let parser: CellParser | undefined;
  for await (const segment of readSegments(chunks)) {
    const begun = line;
    const parse = () => {
      const rows: CsvRow[] = [];
      line = parseSegment(segment, { separator: ",", name, line: begun }, rows);
      return rows;
    };
    const cells = parser?.parse(segment);
    if (cells !== undefined) {
      line += cells.lines;
      const { lines: _, ...rest } = cells;
      yield { count: rest.count, cells: rest, rows: parse };
      continue;
    }
    const rows = parse();
    if (parser === undefined && rows.length > 0) parser = new CellParser(rows[0].cells.length);
    yield { count: rows.length, cells: undefined, rows: () => rows };
  }
}

/** Parses segments into cells. */
class CellParser {
  readonly #width: number;
  #bytes = new Uint8Array(0);
  #ends = new Uint32Array(1 << 12);

  constructor(width: number) {
    this.#width = width;
  }

  /** Gives the cells, or `undefined` where a row is of another width or the parsing as text would fail. */
  parse(segment: CsvSegment): CsvCells & { readonly lines: number } | undefined {
    const { bytes: from, unended } = segment;
    if (unended || !isUtf8(from)) return undefined;
    const length = from.length;
    // Each cell is followed by one byte here as there, but for the last of the file.
    // One row of many megabytes is no reason to keep so much.
    const isTooLarge = this.#bytes.length > KEPT_BYTES && length < KEPT_BYTES;
    if (this.#bytes.length < length + 1 || isTooLarge) this.#bytes = new Uint8Array(length + 1);
    const width = this.#width;
    const into = this.#bytes;
    let ends = this.#ends;
    let count = 0;
    let lines = 0;
    let cells = 0;
    let plain = true;
    let out = 0;
    let at = 0;
    while (at < length) {
      const begin = from[at];
      if (begin === LF) {
        at++;
        lines++;
        continue;
      }
      if (begin === CR && (at + 1 === length || from[at + 1] === LF)) {
        at += 2;
        lines++;
        continue;
      }
      if (ends.length < cells + width) {
        const more = new Uint32Array(ends.length * 2 + width);
        more.set(ends);
        this.#ends = ends = more;
      }
      for (let column = 1;; column++) {
        // Whether the cell is the last of its row.
        let last = true;
        if (from[at] === QUOTE) {
          at++;
          for (;;) {
            if (at >= length) return undefined;
            const byte = from[at++];
            if (byte === QUOTE) {
              if (from[at] !== QUOTE) break;
              at++;
            } else if (byte < 0x20) {
              if (byte === LF) lines++;
              else if (byte === UNIT || byte === RECORD || byte === ESCAPE) plain = false;
            }
            into[out++] = byte;
          }
          if (at < length && from[at] === COMMA) {
            at++;
            last = false;
          } else {
            if (at < length && from[at] === CR) at++;
            if (at < length) {
              if (from[at++] !== LF) return undefined;
              lines++;
            }
          }
        } else {
          const start = out;
          let byte = 0;
          while (at < length) {
            byte = from[at++];
            if (byte === COMMA) {
              last = false;
              break;
            }
            if (byte < 0x20) {
              if (byte === LF) {
                lines++;
                break;
              }
              if (byte === UNIT || byte === RECORD || byte === ESCAPE) plain = false;
            }
            into[out++] = byte;
          }
          if (last && out > start && into[out - 1] === CR) out--;
        }
        if (column > width) return undefined;
        ends[cells++] = out;
        into[out++] = last ? RECORD : UNIT;
        if (!last) continue;
        if (column !== width) return undefined;
        break;
      }
      count++;
    }
    return { bytes: into.subarray(0, out), ends: ends.subarray(0, cells), width, count, plain, lines };
  }
}
