/** The text of a file, from any place on. */
import type { BgzfBlock } from "./build_fasta_index.ts";
import { FastaError } from "./fasta_error.ts";

/** Reads a text from places on. */
export interface RangeText {
  /** Goes to an offset in the text; in BGZF it lies in the block, or behind it. */
  seek(position: number, block: BgzfBlock | undefined): void;
  /** Reads into a buffer; gives how many bytes, 0 at the end. */
  read(buffer: Uint8Array): number;
  close(): void;
}

/** A file that is its text. */
export class PlainText implements RangeText {
  readonly #file: Deno.FsFile;
  readonly #source: { readonly path: string; readonly size: number };
  #position = 0;

  constructor(file: Deno.FsFile, source: { readonly path: string; readonly size: number }) {
    this.#file = file;
    this.#source = source;
  }

  seek(position: number): void {
    this.#position = position;
    this.#file.seekSync(position, Deno.SeekMode.Start);
  }

  read(buffer: Uint8Array): number {
    const count = this.#file.readSync(buffer) ?? 0;
    this.#position += count;
    const { path, size } = this.#source;
    if (count > 0 || this.#position >= size) return count;
    throw new FastaError(
      `Cannot read ${path}: it had ${size} bytes and now ends after ${this.#position}; ` +
        "wait until it is written, then try again",
      { byte: this.#position },
    );
  }

  close(): void {
    this.#file.close();
  }
}
