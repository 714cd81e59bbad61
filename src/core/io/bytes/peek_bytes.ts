/** The beginning of bytes that stream. */
import { closing } from "./closing.ts";
import { joinBytes } from "./join_bytes.ts";

/** The first bytes, and all bytes from the beginning. */
export interface PeekedBytes {
  /** The chunks that were read, as one. */
  readonly head: Uint8Array;
  /** All bytes, in their chunks; a consumer that stops early, or before it has begun, ends the source. */
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Reads chunks until there are enough of them.
 *
 * @param source A chunk may be overwritten when the next is asked for.
 * @param isEnough Told all bytes so far and the chunk that came last.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readBytes } from "./byte_source.ts";
 * import { peekBytes } from "./peek_bytes.ts";
 *
 * const { head, chunks } = await peekBytes(readBytes(Uint8Array.of(1, 2)), (bytes) => bytes >= 1);
 *
 * assertEquals([head, await Array.fromAsync(chunks)], [Uint8Array.of(1, 2), [Uint8Array.of(1, 2)]]);
 * ```
 */
export async function peekBytes(
  source: AsyncIterable<Uint8Array>,
  isEnough: (bytes: number, last: Uint8Array) => boolean,
): Promise<PeekedBytes> {
  const rest = source[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  try {
    for (let [bytes, last] = [0, new Uint8Array(0)]; !isEnough(bytes, last);) {
      const { done, value } = await rest.next();
      if (done) break;
      held.push(last = value.slice());
      bytes += value.length;
    }
  } catch (error) {
    await rest.return?.();
    throw error;
  }
  const head = joinBytes(held);
  const chunks = closing(async function* () {
    yield* held.splice(0);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }, () => rest.return?.());
  return { head, chunks };
}
