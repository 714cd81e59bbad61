/**
 * Reads the records of a FASTA export, while its bytes go by: with the reader that makes frames.
 *
 * @module
 */
import { watchFasta } from "../../fasta/records/watch_fasta.ts";
import { isAccession } from "../../contract/accession.ts";
import { invalidAccession } from "../plan/invalid_log.ts";
import type { ExportScanOptions } from "./scan_options.ts";

/** Passes a FASTA on and reports its records. @throws {FastaError} As `readFastaBatches` does. */
export function scanFasta(chunks: AsyncIterable<Uint8Array>, options: ExportScanOptions): AsyncGenerator<Uint8Array> {
  const { name = "the export", onRecord, onInvalid, onHeader, onLedger } = options;
  return watchFasta(chunks, {
    name,
    onHead: ({ kind, fields }) => kind === "registry" && onHeader?.(fields),
    onBatch: ({ ids, line }) => {
      for (const [row, id] of ids.entries()) {
        if (isAccession(id)) onRecord(id);
        else onInvalid?.(invalidAccession(id, line[row]));
      }
    },
    ...onLedger && { onLedger },
  });
}
