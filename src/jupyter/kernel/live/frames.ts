/** Values between two processes over a stream: each as JSON, behind its length in four bytes. */

/** Bytes of one value at most: more is no value, but a stream that is out of step. */
const MOST_BYTES = 64 << 20;

export function frameOf(value: unknown): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const frame = new Uint8Array(4 + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, 4);
  return frame;
}

/**
 * Reads values until the stream ends.
 *
 * @throws {TypeError} If a frame is longer than any value may be.
 */
export async function* readFrames(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let held = new Uint8Array(1 << 16);
  let length = 0;
  for await (const chunk of stream) {
    if (length + chunk.length > held.length) {
      const larger = new Uint8Array(Math.max(2 * held.length, length + chunk.length));
      larger.set(held.subarray(0, length));
      held = larger;
    }
    held.set(chunk, length);
    length += chunk.length;
    let start = 0;
    while (length - start >= 4) {
      const bytes = new DataView(held.buffer).getUint32(start);
      if (bytes > MOST_BYTES) {
        throw new TypeError(`Cannot read a value: ${bytes} bytes, expected at most ${MOST_BYTES}`);
      }
      if (length - start - 4 < bytes) break;
      const body = held.subarray(start + 4, start + 4 + bytes);
      start += 4 + bytes;
      yield JSON.parse(new TextDecoder().decode(body));
    }
    held.copyWithin(0, start, length);
    length -= start;
  }
}
