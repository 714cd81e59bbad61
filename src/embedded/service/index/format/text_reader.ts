/** Reads the texts of one field, block by block. */
import type { FileReader } from "../../files/file_reader.ts";
import type { TextBlocks } from "./text_writer.ts";

export interface TextBlock {
  readonly firstRow: number;
  /** End of each text among the bytes. */
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
}

export class TextReader {
  readonly #file: FileReader;
  readonly #layout: TextBlocks;

  constructor(file: FileReader, layout: TextBlocks) {
    this.#file = file;
    this.#layout = layout;
  }

  /** Returns all blocks; each is good until the next. */
  *all(): Generator<TextBlock> {
    const { positions } = this.#layout;
    let buffer = new Uint8Array(0);
    for (let number = 0; number < positions.length - 1; number++) {
      const length = positions[number + 1] - positions[number];
      if (length > buffer.length) buffer = new Uint8Array(length);
      yield this.#block(number, this.#file.readInto(buffer.subarray(0, length), positions[number]));
    }
  }

  #block(number: number, bytes: Uint8Array): TextBlock {
    const { firstRows } = this.#layout;
    const count = firstRows[number + 1] - firstRows[number];
    return {
      firstRow: firstRows[number],
      ends: new Uint32Array(bytes.buffer, 0, count),
      bytes: bytes.subarray(count * 4),
    };
  }
}
