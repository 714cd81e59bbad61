/** gzip by `node:zlib`: the reference of the inflater. */
import { createGunzip } from "node:zlib";
import { cutGzip, damagedGzip, type GzipError } from "../../../../src/core/io/gzip/_gzip_error.ts";

/** Inflates gzip chunk by chunk, and refuses what is damaged. */
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
