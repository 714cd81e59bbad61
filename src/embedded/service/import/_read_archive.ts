/** Rows of an archive that is proved while it is read: decompressed fully, digested, and as wide as its header. */
import { diskError, systemCode } from "@seqreg/core/io/files";
import type { LedgerEntry } from "@seqreg/core/contract";
import { ParseError, RegistryError } from "@seqreg/core/errors";
import { type OpenArchive, openArchive } from "@seqreg/core/io/archive/open_archive";
import { checkHeader, type CsvBatch, type CsvRow, readCsvCells } from "@seqreg/core/io/csv";
import { equalDigests, sha256 } from "@seqreg/core/io/digest";
import type { SetArchive } from "./archive_set.ts";
import { Turns } from "../schedule/turns.ts";
import { startSharedWork } from "../schedule/work.ts";

export interface ReadArchiveOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Receives the number of compressed bytes as they are read. */
  readonly onBytes?: (bytes: number) => void;
  /** Receives what is unusual about the archive, before its first batch. */
  readonly onEntries?: (entries: readonly LedgerEntry[]) => void;
  /** Milliseconds of work before others get their turn; 0 for after every batch. */
  readonly turnMs?: number;
}

/** A batch of an archive's rows, each as wide as the header. */
export interface ArchiveBatch {
  readonly header: readonly string[];
  /** The cells as bytes, where they came so; good until the next batch is asked for. */
  readonly cells: CsvBatch["cells"];
  /** Makes texts of the rows; until the next batch is asked for. */
  rows(): readonly CsvRow[];
}

/**
 * Reads all rows of an archive. The archive is verified only when the last batch was taken without an error: consumers
 * must not publish their results before. The first batch is yielded even for an archive without rows. Few bytes may
 * decompress to very many, so it yields to the event loop between batches.
 *
 * @throws {RegistryError} With code `checksum` if the bytes are not those that the checksum file states; `damaged` if
 * they are, but cannot be inflated, are no CSV, or a row is wider or narrower than the header.
 */
export async function* readArchive(
  archive: SetArchive,
  options: ReadArchiveOptions = {},
): AsyncGenerator<ArchiveBatch> {
  const turns = new Turns(options.signal, { turnMs: options.turnMs, work: startSharedWork(true) });
  let header: readonly string[] | undefined;
  let opened: OpenArchive;
  try {
    let before = 0;
    opened = await openArchive(archive.path, {
      signal: options.signal,
      onBytes: (done) => {
        options.onBytes?.(done - before);
        before = done;
      },
    });
    if (opened.entries.length > 0) options.onEntries?.(opened.entries);
    for await (const batch of readCsvCells(opened.chunks, { name: archive.name })) {
      if (turns.over) await turns.next();
      const { cells, rows } = batch;
      if (cells !== undefined && header !== undefined) {
        yield { header, cells, rows };
        continue;
      }
      let data = rows();
      if (header === undefined) {
        if (data.length === 0) continue;
        header = data[0].cells;
        checkHeader(header, archive.name, data[0].line);
        data = data.slice(1);
      }
      for (const row of data) {
        if (row.cells.length !== header.length) throw raggedRow(row, header.length, archive.name);
      }
      yield { header, cells: undefined, rows: () => data };
    }
    if (header === undefined) throw new ParseError(`Cannot read ${archive.name}: it is empty, expected a header line`);
  } catch (cause) {
    if (systemCode(cause) !== undefined) {
      throw diskError(cause, { action: `read ${archive.path}`, next: "check the disk" });
    }
    if (!(cause instanceof ParseError)) throw cause;
    // Bytes that are not those that were published explain any other fault.
    checkDigest(archive, await sha256(archive.path, options));
    throw new RegistryError("damaged", `${cause.message}. The file is as its checksum file states it: it was made so`, {
      cause,
    });
  }
  checkDigest(archive, opened.digest());
}

function raggedRow(row: CsvRow, width: number, name: string): ParseError {
  return new ParseError(`Cannot read ${name}: a row has ${row.cells.length} cells, the header has ${width}`, {
    line: row.line,
    id: row.cells[0],
  });
}

/** @throws {RegistryError} With code `checksum` if a digest is not that which the archive's checksum file states. */
export function checkDigest(archive: SetArchive, actual: string): void {
  if (equalDigests(actual, archive.statedSha256)) return;
  throw new RegistryError(
    "checksum",
    `Cannot import ${archive.name}: its SHA-256 is ${actual}, but ${archive.checksum.name} states ` +
      `${archive.statedSha256}; it is damaged, or the two are of different releases: fetch both again`,
  );
}
