/** Memory that grows by doubling and is reused: fresh memory is slow. */

/** Bytes that are copied one by one. */
const SHORT_BYTES = 256;

export class GrowingBytes {
  /** Where they are; replaced when they outgrow it. */
  bytes: Uint8Array;
  length = 0;
  readonly #initial: number;

  constructor(initialBytes: number) {
    this.#initial = initialBytes;
    this.bytes = new Uint8Array(initialBytes);
  }

  /** Makes room for more bytes after those that are there. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  append(more: Uint8Array): void {
    this.reserve(more.length);
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  /** Appends the bytes from `start` up to `end`: of few a view takes longer to make than to copy them. */
  appendFrom(source: Uint8Array, start: number, end: number): void {
    if (end - start > SHORT_BYTES) return this.append(source.subarray(start, end));
    this.reserve(end - start);
    const { bytes } = this;
    let out = this.length;
    for (let at = start; at < end; at++) bytes[out++] = source[at];
    this.length = out;
  }

  /** The bytes, valid until the next change. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Clears the buffer and releases it if a very long record enlarged it. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > 8 * this.#initial) this.bytes = new Uint8Array(this.#initial);
  }
}
