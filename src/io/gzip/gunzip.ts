/**
 * Inflates gzip, all members of it, and refuses what is damaged.
 *
 * There are two engines: ours in WebAssembly, which is quicker where it matters, and `node:zlib`, which is the
 * reference and what runs where the other cannot. Both read legal files of several members, on which
 * `DecompressionStream` fails, check digests and lengths, and refuse truncation and trailing garbage, while trailing
 * zeros are legal.
 *
 * Both run where they are called. A worker that inflates one member ahead of its reader was measured and is not worth
 * its start: of reading a genome's table inflating is seven eighths, and what a worker hands over has left the nearest
 * cache.
 *
 * @module
 */
import { createGunzip } from "node:zlib";
import { cutGzip, damagedGzip, type GzipError } from "./_gzip_error.ts";
import { makeInflater } from "./gzip_inflater.ts";

export { GzipError } from "./_gzip_error.ts";
export { isGzip } from "./is_gzip.ts";

/**
 * Inflates gzip chunk by chunk, in bounded memory.
 *
 * @param chunks Compressed bytes; each chunk is used up before the next is asked for.
 * @param name Named in errors.
 * @returns Chunks of at most 1 MiB, each valid until the next is asked for.
 * @throws {GzipError} If the data is truncated, damaged, followed by garbage, or no gzip. Chunks before the fault have
 * been given out by then: a caller that needs all or nothing keeps them aside until the end.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { gunzip } from "./gunzip.ts";
 *
 * const source = (async function* () {
 *   yield new Uint8Array(gzipSync("acgt"));
 * })();
 * let text = "";
 * for await (const chunk of gunzip(source)) text += new TextDecoder().decode(chunk);
 *
 * assertEquals(text, "acgt");
 * ```
 */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, name = "gzip data"): AsyncGenerator<Uint8Array> {
  const inflater = makeInflater(name);
  if (inflater === undefined) return yield* gunzipWithZlib(chunks, name);
  for await (const chunk of chunks) yield* inflater.add(chunk);
  inflater.finish();
}

/** {@linkcode gunzip} by `node:zlib`: the reference of the other engine. */
export async function* gunzipWithZlib(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const inflater = createGunzip({ chunkSize: 1 << 20 });
  let fed = 0;
  let textEnd = 0;
  let ended = false;
  let stopped = false;
  let failure: { error: unknown } | undefined;
  const feeding = (async () => {
    for await (const chunk of chunks) {
      if (stopped) return;
      const last = chunk.findLastIndex((byte) => byte !== 0);
      if (last !== -1) textEnd = fed + last + 1;
      fed += chunk.length;
      if (ended) continue;
      await new Promise<void>((resolve, reject) => {
        const closed = () => resolve();
        inflater.once("close", closed);
        inflater.write(chunk, (error) => {
          inflater.off("close", closed);
          error ? reject(error) : resolve();
        });
      });
    }
    inflater.end();
  })().catch((error) => {
    failure ??= { error };
    inflater.destroy();
  });
  try {
    for await (const chunk of inflater) yield chunk;
    // It ends at the first zero behind a member, and looks at nothing after it.
    ended = true;
    await feeding;
    if (failure !== undefined) throw failure.error;
    if (textEnd > inflater.bytesWritten) {
      throw damagedGzip(name, inflater.bytesWritten, "the data after a gzip member is not gzip");
    }
  } catch (cause) {
    // The inflater's own fault wins over the write that it broke; a fault of the source comes as it is.
    const error = isZlibError(cause) ? cause : failure?.error ?? cause;
    throw isZlibError(error) ? gzipError(error, name, fed, inflater.bytesWritten) : error;
  } finally {
    stopped = true;
    inflater.destroy();
    await feeding;
  }
}

interface ZlibError extends Error {
  readonly code: string;
}

function isZlibError(error: unknown): error is ZlibError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}

function gzipError(cause: ZlibError, name: string, fed: number, used: number): GzipError {
  if (cause.code === "Z_BUF_ERROR") return cutGzip(name, fed, cause);
  return damagedGzip(name, Math.min(used, fed), cause.message, cause);
}
