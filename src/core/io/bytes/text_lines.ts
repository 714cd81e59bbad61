/** Lines of a text that comes as bytes. */
import { ParseError } from "../../errors.ts";
import { type ByteSource } from "./byte_source.ts";
import { closing } from "./closing.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "./open_bytes.ts";

/**
 * Reads lines of UTF-8 text, plain, gzip or Zstandard, without their line ends (LF or CRLF).
 *
 * For lists and small tables: a line is kept whole in memory.
 *
 * @throws {ParseError} If the bytes are not UTF-8.
 * @throws {GzipError} If gzip data is damaged.
 */
export function readLines(source: ByteSource, options: OpenBytesOptions = {}): AsyncGenerator<string> {
  const chunks = openBytes(source, options);
  return closing(async function* () {
    // All that comes with it takes longer to load than a list to read, and most who import this read none.
    const { TextLineStream } = await import("@std/streams");
    yield* decode(chunks, options.name ?? sourceName(source)).pipeThrough(new TextLineStream());
  }, () => chunks.return(undefined));
}

/**
 * Reads UTF-8 text, plain, gzip or Zstandard, as a stream of texts; a byte order mark is dropped.
 *
 * @throws {ParseError} If the bytes are not UTF-8.
 * @throws {GzipError} If gzip data is damaged.
 */
export function readText(source: ByteSource, options: OpenBytesOptions = {}): ReadableStream<string> {
  return decode(openBytes(source, options), options.name ?? sourceName(source));
}

function decode(chunks: AsyncGenerator<Uint8Array>, name: string): ReadableStream<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      let text: string;
      try {
        text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      } catch (cause) {
        await chunks.return(undefined);
        throw new ParseError(`Cannot read ${name}: it is not valid UTF-8; save it as UTF-8`, {}, { cause });
      }
      if (text !== "") controller.enqueue(text);
      if (done) controller.close();
      else if (text === "") await this.pull!(controller);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
