/** Columns of rows, and the interface that turns them into bytes. */

/** Bytes that are buffered before a write. */
export const HELD_BYTES = 1 << 17;
/** Bytes of the longest number, and the tab or line feed after it. */
export const MOST_NUMBER_BYTES = 32;

/** The content of one column. */
export type RowCell =
  /** The start of a text: the first `length` bytes from `data[starts[row]]`. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly starts: Int32Array; readonly lengths: Int32Array }
  /** Integers of at least 0. */
  | { readonly kind: "integer"; readonly values: Float64Array }
  /** `parts` divided by `wholes` minus `others`, with six decimals; empty if the divisor is 0. */
  | {
    readonly kind: "share";
    readonly parts: Float64Array;
    readonly wholes: Float64Array;
    readonly others: Float64Array;
  };

export interface RowWriter {
  /**
   * Yields rows in chunks; each is valid until the next is requested. `undefined` if texts contain anything but
   * printable ASCII, or a backslash: TSV must escape them.
   */
  write(rows: number, cells: readonly RowCell[]): Iterable<Uint8Array> | undefined;
}
