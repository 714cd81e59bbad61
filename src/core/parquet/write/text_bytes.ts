/** Values in Parquet's PLAIN encoding. */
import type { ParquetChunk } from "./columns.ts";

/** Texts laid out as Parquet has them, each after its length in four bytes. */
export class TextBytes {
  #bytes = new Uint8Array(1024);
  #used = 0;

  /** The texts so far. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Adds one. */
  add(text: string): void {
    // No character takes more than three bytes for each of its two-byte units.
    this.#makeRoom(4 + 3 * text.length);
    const start = this.#used + 4;
    let at = start;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 128 || index === SHORT_LETTERS) {
        at = start + encoder.encodeInto(text, this.#bytes.subarray(start)).written;
        break;
      }
      this.#bytes[at++] = code;
    }
    this.#close(at);
  }

  /** Adds one that is bytes already. */
  addBytes(text: Uint8Array): void {
    this.#makeRoom(4 + text.length);
    this.#bytes.set(text, this.#used + 4);
    this.#close(this.#used + 4 + text.length);
  }

  #close(end: number): void {
    const length = end - this.#used - 4;
    for (let byte = 0; byte < 4; byte++) this.#bytes[this.#used + byte] = length >>> (8 * byte);
    this.#used = end;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const longer = new Uint8Array(2 * (this.#used + bytes));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}

/** Characters of a text that is put down one by one: an encoder takes longer for its call than for so few. */
const SHORT_LETTERS = 24;
const encoder = new TextEncoder();

/** A chunk of whole numbers that are not negative, with their range. */
export function numberChunk(values: readonly number[]): ParquetChunk {
  const bytes = int64Bytes(values);
  if (values.length === 0) return { pages: [{ values: 0, bytes }] };
  let [least, greatest] = [values[0], values[0]];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const range = { least: int64Bytes([least]), greatest: int64Bytes([greatest]) };
  return { pages: [{ values: values.length, bytes }], range };
}

function int64Bytes(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < values.length; index++) {
    view.setUint32(8 * index, values[index] % TWO_TO_32, true);
    view.setUint32(8 * index + 4, Math.floor(values[index] / TWO_TO_32), true);
  }
  return bytes;
}

const TWO_TO_32 = 2 ** 32;
