/**
 * Sources that are read more than once.
 *
 * @module
 */
import { type ByteSource, readBytes } from "./byte_source.ts";

/**
 * Returns a source that can be read again: files and bytes as they are, a stream or a pipe by a temporary file, which
 * is removed when the result is disposed of.
 */
export async function rereadable(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<AsyncDisposable & { readonly source: ByteSource }> {
  if (source instanceof Uint8Array || await isPlainFile(source)) {
    return { source, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const path = await Deno.makeTempFile({ prefix: "seqreg-" });
  const remove = () => Deno.remove(path);
  try {
    using file = await Deno.open(path, { write: true });
    for await (const chunk of readBytes(source, { signal })) {
      for (let start = 0; start < chunk.length;) start += await file.write(chunk.subarray(start));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { source: path, [Symbol.asyncDispose]: remove };
}

/** Distinguishes files from streams and pipes. What is absent counts as a file: reading it reports that. */
async function isPlainFile(source: ByteSource): Promise<boolean> {
  if (typeof source !== "string" && !(source instanceof URL)) return false;
  const info = await Deno.stat(source).catch(() => undefined);
  return info === undefined || info.isFile || info.isDirectory;
}
