/**
 * Opens bytes, plain or gzip, as recognised by their first two bytes rather than by name.
 *
 * @module
 */
import { type ByteSource, readBytes, type ReadBytesOptions } from "./byte_source.ts";
import { gunzip, isGzip } from "../gzip/gunzip.ts";
import { sourceName } from "./source_name.ts";

export { sourceName } from "./source_name.ts";

/** Options of {@linkcode openBytes}. */
export interface OpenBytesOptions extends ReadBytesOptions {
  /** Named in errors; the path by default. */
  readonly name?: string;
}

/**
 * Reads bytes in chunks and inflates them when they are gzip.
 *
 * @param source Where the bytes are.
 * @param options Signal, chunk size, name for errors.
 * @returns Chunks, each valid until the next is asked for.
 * @throws {GzipError} If gzip data is damaged.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { openBytes } from "./open_bytes.ts";
 *
 * let text = "";
 * for await (const chunk of openBytes(new Uint8Array(gzipSync("acgt")))) text += new TextDecoder().decode(chunk);
 *
 * assertEquals(text, "acgt");
 * ```
 */
export async function* openBytes(source: ByteSource, options: OpenBytesOptions = {}): AsyncGenerator<Uint8Array> {
  const name = options.name ?? sourceName(source);
  const chunks = readBytes(source, options);
  try {
    const head = await readHead(chunks);
    const whole = prepend(head, chunks);
    if (isGzip(head)) yield* gunzip(whole, name);
    else yield* whole;
  } finally {
    await chunks.return(undefined);
  }
}

/** Reads until two bytes are there; a copy, since chunks do not live long. */
async function readHead(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = new Uint8Array(0);
  while (head.length < 2) {
    const { done, value } = await chunks.next();
    if (done) break;
    const longer = new Uint8Array(head.length + value.length);
    longer.set(head);
    longer.set(value, head.length);
    head = longer;
  }
  return head;
}

async function* prepend(head: Uint8Array, chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* chunks;
}
