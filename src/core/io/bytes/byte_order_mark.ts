/** The byte order mark that some programs write before UTF-8 text. */
import { joinBytes } from "./join_bytes.ts";

export const BYTE_ORDER_MARK: Uint8Array<ArrayBuffer> = Uint8Array.of(0xef, 0xbb, 0xbf);

/**
 * Drops a byte order mark at the start of a text, however its chunks are cut.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { MarkFilter } from "./byte_order_mark.ts";
 *
 * const filter = new MarkFilter();
 *
 * assertEquals(filter.push(Uint8Array.of(0xef, 0xbb)), new Uint8Array(0));
 * assertEquals(filter.push(Uint8Array.of(0xbf, 0x61)), Uint8Array.of(0x61));
 * ```
 */
export class MarkFilter {
  /** Bytes of the mark that came; all of it, or the first other byte, ends the looking. */
  #come = 0;
  #isDone = false;

  /** Whether a mark was dropped. */
  get found(): boolean {
    return this.#come === BYTE_ORDER_MARK.length;
  }

  /** Takes the next bytes and returns those of the text; they share the chunk's memory. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#isDone) return chunk;
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] !== BYTE_ORDER_MARK[this.#come]) {
        // Only the beginning of a mark: its bytes are of the text.
        const held = this.finish();
        return held.length === 0 ? chunk.subarray(at) : joinBytes<ArrayBufferLike>([held, chunk.subarray(at)]);
      }
      if (++this.#come === BYTE_ORDER_MARK.length) {
        this.#isDone = true;
        return chunk.subarray(at + 1);
      }
    }
    return new Uint8Array(0);
  }

  /** Ends the looking; returns bytes that were held since they could have begun a mark. */
  finish(): Uint8Array {
    if (this.#isDone) return new Uint8Array(0);
    this.#isDone = true;
    const held = BYTE_ORDER_MARK.slice(0, this.#come);
    this.#come = 0;
    return held;
  }
}
