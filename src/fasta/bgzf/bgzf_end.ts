/**
 * The end of BGZF: an empty block, whose absence shows that a file may be truncated between two blocks.
 */

/** Beginning of a block, but for the time, the flags of its maker and its size. */
const BEGIN = [0x1f, 0x8b, 0x08, 0x04];
const EXTRA = [0x06, 0x00, 0x42, 0x43, 0x02, 0x00];
const EXTRA_AT = 10;
const BEGIN_BYTES = EXTRA_AT + EXTRA.length;

/** The empty block that bgzip writes at the end. */
const END = [...BEGIN, 0, 0, 0, 0, 0, 0xff, ...EXTRA, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** The warning about a file without that block: it may be complete, as writers may omit it. */
export const CUT_BGZF = "the file has no end block of BGZF: it may have been cut short; fetch it again";

/** Returns whether a block begins at a place; the bytes must reach behind the names of its header. */
export function beginsBlock(bytes: ArrayLike<number>, at: number): boolean {
  return BEGIN.every((byte, place) => bytes[at + place] === byte) &&
    EXTRA.every((byte, place) => bytes[at + EXTRA_AT + place] === byte);
}

/** Bytes of the header of a block, which holds its size. */
export const HEADER_BYTES = 18;

/**
 * Reads the size of the block that begins at a place.
 *
 * @returns The size; 0 when the header is not all there; `undefined` when it is gzip of another kind, or none.
 */
export function blockBytes(bytes: Uint8Array, at: number): number | undefined {
  if (bytes.length - at < HEADER_BYTES) return 0;
  return beginsBlock(bytes, at) ? bytes[at + 16] + bytes[at + 17] * 256 + 1 : undefined;
}

/** Sees the bytes of a file go by, and knows in the end whether it is BGZF that may have been cut. */
export class BgzfEnd {
  readonly #begin: number[] = [];
  #tail: number[] = [];
  #isOther = false;

  /** Takes the next bytes of the file. */
  add(chunk: Uint8Array): void {
    if (this.#isOther) return;
    if (this.#begin.length < BEGIN_BYTES) {
      this.#begin.push(...chunk.subarray(0, BEGIN_BYTES - this.#begin.length));
      this.#isOther = this.#begin.length === BEGIN_BYTES ? !beginsBlock(this.#begin, 0) : this.#begin[0] !== BEGIN[0];
      if (this.#isOther) return;
    }
    this.#tail = [...this.#tail, ...chunk.subarray(-END.length)].slice(-END.length);
  }

  /** Whether the bytes so far begin a block. */
  get isBgzf(): boolean {
    return this.#begin.length === BEGIN_BYTES && !this.#isOther;
  }

  /** Whether the bytes so far are BGZF without its end. */
  get isMissing(): boolean {
    return this.isBgzf && !END.every((byte, place) => this.#tail[place] === byte);
  }
}
