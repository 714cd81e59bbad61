/**
 * Checksums of the blocks of a file: a CRC-32 for every 8 KiB, in a separate file.
 *
 * CRC-32 is what the platform computes fastest (25 GB/s of `node:zlib` here, where reading takes 5 to 10), and it finds
 * every flipped bit and every burst of up to 32. A block is as small as a read is cheap, so that one record costs
 * little.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { DamagedFileError } from "./damaged_file.ts";

/** Bytes of a block; the last may be shorter. */
export const BLOCK_BYTES = 8192;
/** What the name of a file of checksums ends with. */
export const SUMS_ENDING = ".sums";

/** Sums the blocks of a file as it is written. */
export class BlockSummer {
  #sums = new Uint32Array(256);
  #count = 0;
  /** CRC-32 and bytes of the block under way. */
  #crc = 0;
  #used = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + BLOCK_BYTES - this.#used);
      this.#crc = crc32(bytes.subarray(at, end), this.#crc);
      this.#used += end - at;
      at = end;
      if (this.#used === BLOCK_BYTES) this.#endBlock();
    }
  }

  /** Writes the checksums to the separate file. */
  write(path: string): void {
    if (this.#used > 0) this.#endBlock();
    const { buffer } = this.#sums;
    writeFileSync(path + SUMS_ENDING, new Uint8Array(buffer, 0, this.#count * 4));
  }

  #endBlock(): void {
    if (this.#count === this.#sums.length) {
      const sums = new Uint32Array(this.#count * 2);
      sums.set(this.#sums);
      this.#sums = sums;
    }
    this.#sums[this.#count++] = this.#crc;
    this.#crc = this.#used = 0;
  }
}

/** Sums a file that was not written from front to back. */
export function sumFile(path: string, read: (into: Uint8Array, position: number) => void, bytes: number): void {
  const summer = new BlockSummer();
  const chunk = new Uint8Array(Math.min(bytes, 128 * BLOCK_BYTES));
  for (let position = 0; position < bytes; position += chunk.length) {
    const part = chunk.subarray(0, Math.min(chunk.length, bytes - position));
    read(part, position);
    summer.add(part);
  }
  summer.write(path);
}

/** Checksums of a file's blocks, to be compared with what is read. */
export class BlockSums {
  readonly #path: string;
  readonly #sums: Uint32Array;

  /** Reads the checksums of a file. @throws {DamagedFileError} If they are not those of so many bytes. */
  constructor(path: string, bytes: number) {
    this.#path = path;
    const read = readFileSync(path + SUMS_ENDING);
    if (read.length !== Math.ceil(bytes / BLOCK_BYTES) * 4) {
      throw new DamagedFileError(path, `it has ${bytes} bytes and ${read.length / 4} checksums of blocks`);
    }
    const sums = new Uint8Array(read);
    this.#sums = new Uint32Array(sums.buffer);
  }

  /** Compares whole blocks, from one on. @throws {DamagedFileError} If one is not as it was written. */
  check(bytes: Uint8Array, block: number): void {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES, block++) {
      if (crc32(bytes.subarray(at, at + BLOCK_BYTES)) === this.#sums[block]) continue;
      const from = block * BLOCK_BYTES;
      throw new DamagedFileError(
        this.#path,
        `it is damaged, bytes ${from} to ${from + BLOCK_BYTES - 1} are not those that were written`,
      );
    }
  }
}
