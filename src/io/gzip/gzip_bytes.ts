/**
 * Bytes to gzip.
 *
 * @module
 */

/** Options of {@linkcode gzipBytes}. */
export interface GzipOptions {
  /** From 1, quick, to 9, small; 6 by default. */
  readonly level?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Compresses bytes as one member of gzip, piece by piece.
 *
 * @param chunks What to compress, such as what a writer of FASTA gives; a chunk need not live longer than until the next.
 * @param options Level, signal.
 * @returns Chunks of gzip. A consumer that stops early stops the chunks too.
 * @throws {RangeError} If `level` is no whole number from 1 to 9.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gunzipSync } from "node:zlib";
 * import { gzipBytes } from "./gzip_bytes.ts";
 *
 * const parts = await Array.fromAsync(gzipBytes([new TextEncoder().encode(">a\nACGT\n")]));
 * const gzip = new Uint8Array(await new Blob(parts).arrayBuffer());
 *
 * assertEquals(new TextDecoder().decode(gunzipSync(gzip)), ">a\nACGT\n");
 * ```
 */
export function gzipBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GzipOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { level = 6, signal } = options;
  if (!Number.isInteger(level) || level < 1 || level > 9) {
    throw new RangeError(`Cannot compress with level ${level}: expected a whole number from 1 to 9`);
  }
  return compress(chunks, level, signal);
}

async function* compress(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  level: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { createGzip } = await import("node:zlib");
  const gzip = createGzip({ level });
  const made: Uint8Array<ArrayBuffer>[] = [];
  const ended = Promise.withResolvers<void>();
  gzip.on("data", (part: Uint8Array) => made.push(new Uint8Array(part)));
  gzip.on("end", () => ended.resolve());
  gzip.on("error", (error: Error) => ended.reject(error));
  // A failure is for whoever awaits it; until then nobody does.
  ended.promise.catch(() => {});
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) =>
        gzip.write(chunk, (error: unknown) => error ? reject(error) : resolve())
      );
      yield* made.splice(0);
    }
    gzip.end();
    await ended.promise;
    yield* made;
  } finally {
    gzip.destroy();
  }
}
