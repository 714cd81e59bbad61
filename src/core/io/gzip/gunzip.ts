/**
 * Inflates gzip, all members of it, and refuses what is damaged.
 *
 * Files of several members are legal, and trailing zeros; digests and lengths are checked, and truncation and trailing
 * garbage are refused.
 *
 * Own code instead of `node:zlib`: `deno task bench own_code`, row "gzip to bytes". `DecompressionStream` fails on
 * files of several members. Inflating in a worker ahead of the reader is no faster: what the worker hands over has left
 * the nearest cache.
 */
import { makeInflater } from "./gzip_inflater.ts";

export { CutGzipError, GzipError } from "./_gzip_error.ts";

/**
 * Inflates gzip chunk by chunk, in bounded memory.
 *
 * @param chunks Compressed bytes; each chunk is used up before the next is asked for.
 * @returns Chunks of at most 1 MiB, each valid until the next is asked for.
 * @throws {GzipError} If the data is truncated, damaged, followed by garbage, or no gzip. Chunks before the fault have
 * been given out by then: a caller that needs all or nothing keeps them aside until the end.
 */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, name = "gzip data"): AsyncGenerator<Uint8Array> {
  const inflater = makeInflater(name);
  for await (const chunk of chunks) yield* inflater.add(chunk);
  inflater.finish();
}
