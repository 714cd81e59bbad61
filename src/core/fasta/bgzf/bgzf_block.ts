/** Where a block of a BGZF file begins. */
export interface BgzfBlock {
  /** Offset in the file. */
  readonly compressed: number;
  /** Offset in the uncompressed text. */
  readonly uncompressed: number;
}
