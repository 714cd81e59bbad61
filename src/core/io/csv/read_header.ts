/** The names of a table's columns. */
import { type ByteSource } from "../bytes/byte_source.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import { peekHeader, requireTable } from "./peek_header.ts";

/**
 * Reads the first row of an archive, as `openArchive()` does, and no more.
 *
 * @returns The names; none when it is empty.
 * @throws {ParseError} If it is not a table of text.
 */
export async function readHeader(source: ByteSource, options: OpenBytesOptions = {}): Promise<readonly string[]> {
  const name = options.name ?? sourceName(source);
  const peeked = await peekHeader(openBytes(source, options), { name, maxBytes: Infinity });
  await peeked.chunks.return(undefined);
  requireTable(peeked, name);
  if (peeked.fault !== undefined) throw peeked.fault;
  return peeked.header;
}
