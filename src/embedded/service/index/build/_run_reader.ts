/** Reads a sorted run of texts: length, row and bytes of each. */
import type { FileReader } from "../../files/file_reader.ts";

export class RunReader {
  /** Holds the text that is read. */
  buffer: Uint8Array;
  start = 0;
  length = 0;
  row = 0;
  readonly #file: FileReader;
  readonly #end: number;
  #position: number;
  #used = 0;

  constructor(file: FileReader, from: number, to: number, bytes: number) {
    this.#file = file;
    this.#position = from;
    this.#end = to;
    this.buffer = new Uint8Array(bytes);
  }

  /** Reads the next text; false at the end. */
  next(): boolean {
    let at = this.start + this.length;
    if (this.#used - at < 8) {
      if (this.#used - at + this.#end - this.#position < 8) return false;
      this.#fill(at, 8);
      at = 0;
    }
    const length = this.#number(at);
    this.row = this.#number(at + 4);
    at += 8;
    if (this.#used - at < length) {
      this.#fill(at, length);
      at = 0;
    }
    this.start = at;
    this.length = length;
    return true;
  }

  #number(at: number): number {
    const { buffer } = this;
    return (buffer[at] | buffer[at + 1] << 8 | buffer[at + 2] << 16 | buffer[at + 3] << 24) >>> 0;
  }

  /** Moves what is left to the front and reads on, so that `least` bytes are there. */
  #fill(at: number, least: number): void {
    const rest = this.#used - at;
    const into = least > this.buffer.length ? new Uint8Array(least) : this.buffer;
    into.set(this.buffer.subarray(at, this.#used));
    this.buffer = into;
    const read = Math.min(into.length - rest, this.#end - this.#position);
    this.#file.readInto(into.subarray(rest, rest + read), this.#position);
    this.#position += read;
    this.#used = rest + read;
  }
}
