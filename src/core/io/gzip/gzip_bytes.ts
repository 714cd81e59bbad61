/** Bytes to gzip. */
import { checkOptions } from "../../options/check_options.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** Options of {@linkcode gzipBytes}. */
export interface GzipOptions {
  /** From 1, quick, to 9, small; 6 by default. */
  readonly level?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

const GZIP_OPTIONS = {
  level: rule.wholeNumber({ from: 1, to: 9 }),
  signal: rule.signal,
} satisfies OptionRules<GzipOptions>;

/**
 * Compresses bytes as one member of gzip, piece by piece.
 *
 * @param chunks What to compress, such as what a writer of FASTA gives; a chunk need not live longer than until the
 * next.
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
  checkOptions("gzipBytes()", options, GZIP_OPTIONS);
  const { level = 6, signal } = options;
  return compress(chunks, level, signal);
}

async function* compress(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  level: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { GzipStream } = await import("./gzip_stream.ts");
  using gzip = new GzipStream(level);
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    yield* await gzip.write(chunk);
  }
  yield* await gzip.end();
}
