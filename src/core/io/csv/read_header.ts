/** The names of a table's columns. */
import { type ByteSource } from "../bytes/byte_source.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { peekHeader } from "./peek_header.ts";

/**
 * Reads the first row of a table, plain, gzip or Zstandard, with any separator.
 *
 * @returns The names; none when it is empty.
 * @throws {ParseError} If it is not a table of text.
 */
export async function readHeader(source: ByteSource, options: OpenBytesOptions = {}): Promise<readonly string[]> {
  const name = options.name ?? sourceName(source);
  const { header, fault, chunks } = await peekHeader(openBytes(source, options), { name, maxBytes: Infinity });
  await chunks.return(undefined);
  if (fault !== undefined) throw fault;
  return header;
}
