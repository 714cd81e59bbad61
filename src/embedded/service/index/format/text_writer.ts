/** Writes the texts of one field in blocks: lengths added up, then the bytes. */
import { FileWriter } from "../../files/file_writer.ts";

/** A block of texts: its first row and its offset in the file. Its end is where the next begins. */
export interface TextBlocks {
  /** First row of each block, and the number of rows at last. */
  readonly firstRows: readonly number[];
  /** Offset of each block, and the size of the file at last. */
  readonly positions: readonly number[];
}

export class TextWriter {
  readonly #file: FileWriter;
  readonly #blockBytes: number;
  readonly #blockRows: number;
  readonly #firstRows: number[] = [];
  readonly #positions: number[] = [];
  #bytes: Uint8Array;
  #used = 0;
  readonly #ends: Uint32Array;
  #count = 0;
  #rows = 0;

  /** Makes the file; `sums` as for {@linkcode FileWriter}. */
  constructor(path: string, blockBytes: number, blockRows: number, sums: boolean) {
    this.#file = new FileWriter(path, { sums });
    this.#blockBytes = blockBytes;
    this.#blockRows = blockRows;
    this.#bytes = new Uint8Array(blockBytes);
    this.#ends = new Uint32Array(blockRows);
  }

  /** Adds the text of the next row. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.#count === this.#blockRows || (this.#count > 0 && this.#used + length > this.#blockBytes)) this.#write();
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(length);
    const block = this.#bytes;
    let used = this.#used;
    // Most texts are short: a loop is faster than a view of each.
    if (length < 64) { for (let at = from; at < to; at++) block[used++] = bytes[at]; }
    else {
      block.set(bytes.subarray(from, to), used);
      used += length;
    }
    this.#used = used;
    this.#ends[this.#count++] = used;
    this.#rows++;
  }

  finish(): TextBlocks {
    if (this.#count > 0) this.#write();
    this.#file.close();
    return {
      firstRows: [...this.#firstRows, this.#rows],
      positions: [...this.#positions, this.#file.position],
    };
  }

  #write(): void {
    this.#firstRows.push(this.#rows - this.#count);
    this.#positions.push(this.#file.append(this.#ends.subarray(0, this.#count)));
    this.#file.append(this.#bytes.subarray(0, this.#used));
    const rest = this.#file.position % 4;
    if (rest > 0) this.#file.append(new Uint8Array(4 - rest));
    this.#used = 0;
    this.#count = 0;
  }
}
