/** The text of a BGZF file from any offset on: inflated from the block that holds the offset. */
import { type GzipInflater, makeInflater } from "../../io/gzip/gzip_inflater.ts";
import type { BgzfBlock } from "./bgzf_block.ts";

/**
 * Bytes of a BGZF file that are read at a time: small, because bytes decompressed past a range are wasted.
 */
const READ_BYTES = 1 << 16;

export class BgzfText {
  readonly #file: Deno.FsFile;
  readonly #inflater: GzipInflater;
  #pieces: Iterator<Uint8Array> = [][Symbol.iterator]();
  #piece: Uint8Array = new Uint8Array(0);
  /** Bytes of text to skip, up to the requested offset. */
  #skip = 0;

  constructor(file: Deno.FsFile, name: string) {
    this.#file = file;
    this.#inflater = makeInflater(name);
  }

  /** Goes to an offset in the text, which lies in the block or behind it. */
  seek(position: number, block: BgzfBlock): void {
    this.#inflater.restart(block.compressed);
    this.#file.seekSync(block.compressed, Deno.SeekMode.Start);
    this.#pieces = this.#inflate();
    this.#piece = new Uint8Array(0);
    this.#skip = position - block.uncompressed;
  }

  /** Reads into a buffer; gives how many bytes, 0 at the end. */
  read(buffer: Uint8Array): number {
    while (this.#piece.length === 0) {
      const { done, value } = this.#pieces.next();
      if (done) return 0;
      const skipped = Math.min(this.#skip, value.length);
      this.#skip -= skipped;
      this.#piece = value.subarray(skipped);
    }
    const part = this.#piece.subarray(0, buffer.length);
    buffer.set(part);
    this.#piece = this.#piece.subarray(part.length);
    return part.length;
  }

  close(): void {
    this.#file.close();
  }

  *#inflate(): Generator<Uint8Array> {
    for (;;) {
      const count = this.#file.readSync(this.#inflater.room().subarray(0, READ_BYTES));
      if (count === null) break;
      yield* this.#inflater.inflate(count);
    }
    this.#inflater.finish();
  }
}
