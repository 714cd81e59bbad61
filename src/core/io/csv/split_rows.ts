/** Rows of a CSV as they come out of the splitter: cells as bytes, or as texts. */

/** Cells of rows, all of the same width, as bytes. */
export interface CsvCells {
  /** UTF-8 of the cells, unquoted, with one byte after each: 0x1f, or 0x1e after the last of a row. */
  readonly bytes: Uint8Array;
  /** End of each cell; the next begins one byte later, the first at 0. */
  readonly ends: Uint32Array;
  /** Cells of a row. */
  readonly width: number;
  readonly count: number;
  /** Whether no cell holds 0x1b, 0x1e or 0x1f, so that the bytes between cells stand nowhere else. */
  readonly plain: boolean;
}

export interface CsvRow {
  /** Cells, unquoted. */
  readonly cells: readonly string[];
  /** Line on which the row begins, counted from 1. */
  readonly line: number;
}

/** Whole rows that ended in one chunk; good until the next chunk is pushed. */
export interface CsvRows {
  readonly count: number;
  /** The cells, if all rows have `width` of them. */
  ofWidth(width: number): CsvCells | undefined;
  texts(): CsvRow[];
}
