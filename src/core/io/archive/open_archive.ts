/**
 * The one reader of archives: for lakes, for the import of the embedded registry, and for what else reads them, so that
 * the same file is judged the same everywhere.
 */
import { basename } from "node:path";
import { openSource } from "../bytes/open_source.ts";
import { peekHeader } from "../csv/peek_header.ts";
import { withCommas } from "../csv/peek_separator.ts";
import { noteSeparator } from "../csv/separator.ts";
import { startSha256 } from "../digest/sha256.ts";
import { ParseError } from "../../errors.ts";
import { nextFor } from "../bytes/describe_bytes.ts";
import { NOT_A_TABLE } from "../csv/not_a_table.ts";
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
 * @throws {ParseError} If it is certainly no table of text, such as an HTML page, or the first bytes are damaged.
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
  const { separator, header, looks, chunks } = await peekHeader(source.chunks(), { name });
  if (NOT_A_TABLE.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; ${nextFor(looks)}`, {
      line: 1,
    });
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
