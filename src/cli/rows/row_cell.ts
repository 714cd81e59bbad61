/** What rows are made of, and what turns them into bytes. */

/** Bytes that are held back until they are written. */
export const HELD_BYTES = 1 << 17;
/** Bytes of the longest number, and the tab or line feed behind it. */
export const MOST_NUMBER_BYTES = 32;

/** What stands in one column. */
export type RowCell =
  /** The beginning of a text: `data[starts[row]]`, so many bytes. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly starts: Int32Array; readonly lengths: Int32Array }
  /** Whole numbers of at least 0. */
  | { readonly kind: "integer"; readonly values: Float64Array }
  /** `parts` of what is left of `wholes` without `others`, with six decimals; nothing where nothing is left. */
  | {
    readonly kind: "share";
    readonly parts: Float64Array;
    readonly wholes: Float64Array;
    readonly others: Float64Array;
  };

/** Turns rows into bytes. */
export interface RowWriter {
  /**
   * Gives rows, each cell of which is a column's, in pieces; each is valid until the next is asked for. `undefined`
   * where texts hold anything but printable ASCII, or a backslash: TSV may not hold them as they are.
   */
  write(rows: number, cells: readonly RowCell[]): Iterable<Uint8Array> | undefined;
}
