/**
 * Inflates gzip, all members of it, and refuses what is damaged.
 *
 * `DecompressionStream` fails on legal files of several members; `node:zlib` reads them, checks digests and lengths, and
 * refuses truncation and trailing garbage, while trailing zeros are legal.
 *
 * @module
 */
import { createGunzip } from "node:zlib";
import { ParseError } from "../errors.ts";

export { isGzip } from "./is_gzip.ts";

/** Gzip data is damaged, cut short, or no gzip at all. {@linkcode ParseError.byte} is near where. */
export class GzipError extends ParseError {
  /** Name of the class. */
  override readonly name = "GzipError";
}

/**
 * Inflates gzip chunk by chunk, in bounded memory.
 *
 * @param chunks Compressed bytes; each chunk is used up before the next is asked for.
 * @param name Named in errors.
 * @returns Chunks of at most 1 MiB.
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
  const inflater = createGunzip({ chunkSize: 1 << 20 });
  let fed = 0;
  let stopped = false;
  let failure: { error: unknown } | undefined;
  const feeding = (async () => {
    for await (const chunk of chunks) {
      if (stopped) return;
      fed += chunk.length;
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
    if (failure !== undefined) throw failure.error;
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
  if (cause.code === "Z_BUF_ERROR") {
    return new GzipError(
      `Cannot inflate ${name}: it ends after ${fed} bytes, in the middle of a gzip member; fetch it again`,
      { byte: fed },
      { cause },
    );
  }
  const byte = Math.min(used, fed);
  return new GzipError(`Cannot inflate ${name}: damaged or not gzip, ${cause.message}; fetch it again`, { byte }, {
    cause,
  });
}
