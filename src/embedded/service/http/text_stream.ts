/** Streams of answers: texts made batch by batch, only as fast as they are read. */

export interface StreamTextsOptions {
  /** Called when the reader goes away, before the maker is ended: ends work that is under way. */
  readonly onCancel?: () => Promise<void>;
  /** Receives a fault of the producer, which also errors the stream. */
  readonly onFault?: (fault: unknown) => void;
}

/**
 * Makes a byte stream of texts. Nothing is made before it is read; cancelling the stream ends the texts' maker.
 *
 * @param options What to call when the reader goes away, and when the maker fails.
 * @returns UTF-8 bytes, one chunk for each piece that is not empty.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { streamTexts } from "./text_stream.ts";
 *
 * const stream = streamTexts((async function* () {
 *   yield "a,b\n";
 *   yield "1,2\n";
 * })());
 *
 * assertEquals(await new Response(stream).text(), "a,b\n1,2\n");
 * ```
 */
export function streamTexts(
  texts: AsyncGenerator<string>,
  { onCancel, onFault }: StreamTextsOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await texts.next();
          if (done) return controller.close();
          if (value === "") continue;
          return controller.enqueue(encoder.encode(value));
        }
      } catch (fault) {
        onFault?.(fault);
        throw fault;
      }
    },
    async cancel() {
      await onCancel?.();
      // What the maker was doing may end with an abort: the reader is gone and hears nothing of it.
      await texts.return(undefined).catch(() => {});
    },
  }, { highWaterMark: 0 });
}
