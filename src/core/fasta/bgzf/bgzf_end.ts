/** The end of BGZF: an empty block, whose absence shows that a file may be truncated between two blocks. */
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { COMPRESSION_BYTES, compressionOf, isUndecided } from "../../io/compression/compression.ts";
import { FastaError } from "../text/fasta_error.ts";

/** Bytes by which the beginning of a block is recognised. */
const BEGIN_BYTES = COMPRESSION_BYTES;

/** The empty block that bgzip writes at the end. */
const END = [31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0, 27, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** The warning about a file without that block: it may be complete, as writers may omit it. */
export const CUT_BGZF = "the file has no end block of BGZF: it may have been cut short; fetch it again";

/** Bytes of the header of a block, which holds its size. */
export const HEADER_BYTES = 18;

/**
 * Reads the size of the block that begins at an offset.
 *
 * @returns The size; 0 when the header is not all there; `undefined` when it is gzip of another kind, or none.
 */
export function blockBytes(bytes: Uint8Array, at: number): number | undefined {
  if (bytes.length - at < HEADER_BYTES) return 0;
  return beginsBlock(bytes.subarray(at, at + BEGIN_BYTES)) ? bytes[at + 16] + bytes[at + 17] * 256 + 1 : undefined;
}

function beginsBlock(head: Uint8Array): boolean {
  return compressionOf(head)?.name === "BGZF";
}

/** Sees the bytes of a file go by, and knows in the end whether it is BGZF that may have been cut. */
export class BgzfEnd {
  #begin = new Uint8Array(0);
  #tail: number[] = [];
  #isOther = false;

  /** Takes the next bytes of the file. */
  add(chunk: Uint8Array): void {
    if (this.#isOther) return;
    if (this.#begin.length < BEGIN_BYTES) {
      this.#begin = copyBytes([this.#begin, chunk.subarray(0, BEGIN_BYTES - this.#begin.length)]);
      this.#isOther = !beginsBlock(this.#begin) && !isUndecided(this.#begin);
      if (this.#isOther) return;
    }
    this.#tail = [...this.#tail, ...chunk.subarray(-END.length)].slice(-END.length);
  }

  /** Whether the bytes so far begin a block. */
  get isBgzf(): boolean {
    return !this.#isOther && beginsBlock(this.#begin);
  }

  /** Whether the bytes so far are BGZF without its end. */
  get isMissing(): boolean {
    return this.isBgzf && !END.every((byte, index) => this.#tail[index] === byte);
  }
}

/** The error of compressed bytes that can only be read from their beginning. */
export function notIndexable(name: string, compression: string): FastaError {
  return new FastaError(
    `Cannot index ${name}: it is ${compression}, which can only be read from its beginning; decompress it, and compress ` +
      "it with bgzip if it must be small",
    { byte: 0 },
  );
}
