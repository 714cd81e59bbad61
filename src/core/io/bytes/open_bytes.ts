/** Opens bytes, plain or compressed, as recognised by their first bytes rather than by name. */
import { type ByteSource, type ReadBytesOptions, releaseSource } from "./byte_source.ts";
import { closing } from "./closing.ts";
import { type OpenedSource, openSource } from "./open_source.ts";

export { sourceName } from "./source_name.ts";

export interface OpenBytesOptions extends ReadBytesOptions {
  /** Named in errors; the path by default. */
  readonly name?: string;
}

/**
 * Reads bytes in chunks and decompresses them when they are gzip, BGZF or Zstandard.
 *
 * @returns Chunks, each valid until the next is asked for.
 * @throws {GzipError} If gzip data is damaged; {ZstdError} if Zstandard data is.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 */
export function openBytes(source: ByteSource, options: OpenBytesOptions = {}): AsyncGenerator<Uint8Array> {
  let opened: OpenedSource | undefined;
  return closing(async function* () {
    opened = await openSource(source, options);
    yield* opened.chunks();
  }, () => opened === undefined ? releaseSource(source) : opened.close());
}
