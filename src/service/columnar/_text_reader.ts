/** Reads the texts of one field, block by block. */
import type { FileReader } from "./_file_reader.ts";
import type { TextBlocks } from "./_text_writer.ts";

/** A block of texts. */
export interface TextBlock {
  /** First row. */
  readonly firstRow: number;
  /** End of each text among the bytes. */
  readonly ends: Uint32Array;
  /** Bytes of all. */
  readonly bytes: Uint8Array;
}

/** Reads texts. */
export class TextReader {
  /** Number of blocks. */
  readonly blocks: number;
  readonly #file: FileReader;
  readonly #layout: TextBlocks;

  constructor(file: FileReader, layout: TextBlocks) {
    this.#file = file;
    this.#layout = layout;
    this.blocks = layout.firstRows.length - 1;
  }

  /** Reads a block. */
  block(number: number): TextBlock {
    const { firstRows, positions } = this.#layout;
    const count = firstRows[number + 1] - firstRows[number];
    const bytes = this.#file.read(positions[number], positions[number + 1] - positions[number]);
    return {
      firstRow: firstRows[number],
      ends: new Uint32Array(bytes.buffer, 0, count),
      bytes: bytes.subarray(count * 4),
    };
  }

  /** Finds the block that has a row. */
  blockOf(row: number): number {
    const { firstRows } = this.#layout;
    let low = 0;
    let high = this.blocks;
    while (high - low > 1) {
      const middle = low + high >>> 1;
      if (firstRows[middle] <= row) low = middle;
      else high = middle;
    }
    return low;
  }
}
