/**
 * What is noted of a Parquet file as it is written, so that damage is found before a native reader meets it.
 *
 * A page's data carries zstd's own checksum, which every reader compares. Page headers and the footer carry none, and a
 * flipped bit there can end a native reader's process: so their CRC-32 is kept with their positions, and their owner
 * compares them first.
 */
import { crc32 } from "node:zlib";
import { putVarint } from "../thrift.ts";
import { type Sha256, startSha256 } from "../../io/digest/sha256.ts";

/** Checksums of a Parquet file. */
export interface FileChecks {
  /** SHA-256 of its bytes: 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** CRC-32 of its page headers, in order, and of the bytes after the last page: 8 hexadecimal digits. */
  readonly crc32: string;
  /** Bytes of each page header and of its page, in turn, as variable-length numbers in base 64. */
  readonly pages: string;
}

/** Takes the checksums of a file as it is written. */
export class FileCheckWriter {
  readonly #hash: Sha256 = startSha256();
  readonly #numbers: number[] = [];
  #crc = 0;

  /** Adds the magic number that the file begins with. */
  addMagic(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Adds a page. */
  addPage(header: Uint8Array, body: readonly Uint8Array[]): void {
    this.#hash.update(header);
    this.#crc = crc32(header, this.#crc);
    let length = 0;
    for (const bytes of body) {
      this.#hash.update(bytes);
      length += bytes.length;
    }
    putVarint(this.#numbers, header.length);
    putVarint(this.#numbers, length);
  }

  /** Adds the footer and what follows it, and ends. */
  finish(footer: Uint8Array): FileChecks {
    this.#hash.update(footer);
    this.#crc = crc32(footer, this.#crc);
    return {
      sha256: this.#hash.digest(),
      crc32: crcText(this.#crc),
      pages: Uint8Array.from(this.#numbers).toBase64(),
    };
  }
}

/** Reads the numbers of {@linkcode FileChecks.pages}. */
export function readPages(text: string): number[] {
  const numbers: number[] = [];
  let [number, scale] = [0, 1];
  for (const byte of Uint8Array.fromBase64(text)) {
    number += (byte & 127) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    numbers.push(number);
    [number, scale] = [0, 1];
  }
  return numbers;
}

/** Writes a CRC-32 as 8 hexadecimal digits. */
export function crcText(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
