/**
 * Archives as the registry has them: for the import of the embedded registry, citations, the comparison of two
 * versions, an archive written as TSV or FASTA.
 *
 * It is strict: the header is the first row, and nothing is left out. Lakes and packs take archives by the reader of
 * people's tables (`tables/open/open_table.ts`), which is lenient: it passes over titles, comments and headers that are
 * repeated, and reports them. `readHeader()` reads the names alone, by the rules of this one. A test puts each form of
 * a file before all of them: what one reads and another cannot is refused there, or its cells come as they are.
 */
import { basename } from "node:path";
import { openSource } from "../bytes/open_source.ts";
import { peekHeader, requireTable } from "../csv/peek_header.ts";
import { withCommas } from "../csv/peek_separator.ts";
import { noteSeparator } from "../csv/separator.ts";
import { startSha256 } from "../digest/sha256.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";

/** An archive that is being read; disposed of, it is closed. */
export interface OpenArchive extends AsyncDisposable {
  /** Names of the columns as the archive has them. */
  readonly header: readonly string[];
  /** Decompressed CSV with commas. */
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** What is unusual about it. */
  readonly entries: readonly LedgerEntry[];
  /** SHA-256 of the bytes that were read: of the archive, when all chunks have been. */
  digest(): string;
}

export interface OpenArchiveOptions {
  /** Receives the number of bytes read so far, as they are stored. */
  readonly onBytes?: (done: number) => void;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Opens an archive, plain or compressed, with any separator.
 *
 * @param path The archive; named in errors by its file name.
 * @param options Progress, signal.
 * @throws {ParseError} If it is certainly no table of text, such as an HTML page, its lines end with carriage returns
 * alone, or the first bytes are damaged.
 */
export async function openArchive(path: string, { onBytes, signal }: OpenArchiveOptions = {}): Promise<OpenArchive> {
  const name = basename(path);
  let done = 0;
  const source = await openSource(path, {
    name,
    hash: startSha256(),
    onChunk: (chunk) => onBytes?.(done += chunk.length),
    signal,
  });
  const peeked = await peekHeader(source.chunks(), { name });
  const { separator, header, chunks } = peeked;
  try {
    requireTable(peeked, name);
  } catch (error) {
    await chunks.return(undefined);
    throw error;
  }
  const isUnusual = separator !== ",";
  const csv = isUnusual ? withCommas(chunks, { separator, name }) : chunks;
  return {
    header,
    chunks: csv,
    entries: isUnusual ? [noteSeparator(name, separator)] : [],
    digest: () => source.digest()!,
    [Symbol.asyncDispose]: async () => void await csv.return(undefined),
  };
}
