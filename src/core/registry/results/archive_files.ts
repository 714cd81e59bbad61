/** A verified archive to other formats, as a stream: archives are larger than memory. */
import { diskError } from "../../io/files/disk_error.ts";
import { ParseError } from "../../errors.ts";
import { writePlainFasta } from "../../fasta/write/write_fasta.ts";
import { createAtomicFile } from "../../io/files/atomic_file.ts";
import { writeNamed } from "../../io/files/named_format.ts";
import { isAccession } from "../../contract/accession.ts";
import { countOf } from "../../contract/count_of.ts";
import { quoteValue } from "../../contract/ledger.ts";
import { openArchive } from "../../io/archive/open_archive.ts";
import { checkHeader } from "../../io/csv/check_header.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { tsvRow } from "../../io/csv/csv_text.ts";
import { openBytes } from "../../io/bytes/open_bytes.ts";
import type { Lake } from "../../tables/lake/open/open_lake.ts";

interface Signalled {
  readonly signal?: AbortSignal;
}

/** Decompresses an archive: the CSV as the registry has it. */
export async function writeArchiveCsv(archive: string, path: string, { signal }: Signalled): Promise<void> {
  const shared = { signal };
  await writeNamed(path, "csv", openBytes(archive, shared), shared);
}

/** Writes the texts of an archive as TSV. @throws {ParseError} If it is not a CSV. */
export async function writeArchiveTsv(archive: string, path: string, { signal }: Signalled): Promise<void> {
  const encoder = new TextEncoder();
  const shared = { signal };
  const lines = async function* () {
    const { chunks } = await openArchive(archive, shared);
    for await (const rows of readCsvRows(chunks, { name: archive })) {
      if (rows.length > 0) yield encoder.encode(rows.map(({ cells }) => `${tsvRow(cells)}\n`).join(""));
    }
  };
  await writeNamed(path, "tsv", lines(), shared);
}

/** Writes a sequence archive as plain FASTA. @throws {ParseError} If a row is not an accession and a sequence. */
export async function writeArchiveFasta(
  archive: string,
  path: string,
  { wrap, signal }: Signalled & { readonly wrap?: number },
): Promise<void> {
  const shared = { signal };
  const records = async function* () {
    let isHeader = true;
    // The registry may write the bases before the accession.
    let column: number | undefined;
    const { chunks } = await openArchive(archive, shared);
    for await (const rows of readCsvRows(chunks, { name: archive })) {
      for (const { cells, line } of rows) {
        if (isHeader) checkHeader(cells, archive, line);
        if (cells.length !== 2) throw noSequence(archive, cells, line);
        if (!isHeader) {
          column ??= isAccession(cells[1]) ? 1 : 0;
          if (!isAccession(cells[column])) throw noSequence(archive, cells, line);
          yield { header: cells[column], sequence: cells[1 - column] };
        }
        isHeader = false;
      }
    }
  };
  await writeNamed(path, "fasta", writePlainFasta(records(), { wrap }), shared);
}

function noSequence(archive: string, cells: readonly string[], line: number): ParseError {
  const expected = "expected an accession and a sequence";
  const found = cells.length === 2
    ? `begins with ${JSON.stringify(quoteValue(cells[0]))}, ${expected}`
    : `has ${countOf(cells.length, "cell")}, ${expected}; its lake leaves such rows out and names them`;
  return new ParseError(`Cannot write ${archive} as FASTA: a row ${found}`, { line });
}

/** Writes the main table of a lake as one Parquet file, typed. */
export async function writeLakeParquet(lake: Lake, path: string, { signal }: Signalled): Promise<void> {
  signal?.throwIfAborted();
  await using file = await createAtomicFile(path, { signal });
  try {
    await lake.scan().sinkParquet(file.temporaryPath, { compression: "zstd" }).collect();
  } catch (cause) {
    throw diskError(cause, { action: `write ${path}` });
  }
  signal?.throwIfAborted();
  await file.commit();
}
