/** Reads the records of a FASTA export, while its bytes go by: with the reader that makes frames. */
import { watchFasta } from "../../fasta/records/watch_fasta.ts";
import { type MessageRecord, watchNucleotides } from "../../fasta/records/watch_nucleotides.ts";
import { isAccession } from "../../contract/accession.ts";
import { invalidAccession, NamedCount } from "../plan/invalid_log.ts";
import { describeResidues } from "../plan/nucleotide_words.ts";
import type { ExportScanOptions } from "./scan_options.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";

/**
 * Passes a FASTA on and reports its records. A record whose text is no nucleotide sequence could not be read; it is
 * passed on as it came unless `readableOnly` is set.
 *
 * @throws {FastaError} As `readFastaBatches` does.
 */
export async function* scanFasta(
  chunks: AsyncIterable<Uint8Array>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  const { name = "the export", readableOnly = false, onRecord, onInvalid, onHeader, onEntry, onLedger } = options;
  const residues = new NamedCount();
  /** Records that the reader is about to see, by the line of their header. */
  const messages = new Map<number, MessageRecord>();
  const report = ({ id, text, textLine }: MessageRecord) =>
    onInvalid?.({
      line: textLine,
      value: text,
      reason: `in ${id} is no nucleotide sequence`,
      isReadable: false,
      ...isAccession(id) && { accession: id },
    });
  let fields: readonly string[] | undefined;
  let count = 0;
  const examined = watchNucleotides(chunks, {
    onMessage: (record) => readableOnly ? report(record) : messages.set(record.line, record),
    onResidues: ({ id }, found) => residues.add(`${id} (${found.join(", ")})`),
    leavesOut: readableOnly,
  });
  yield* watchFasta(examined, {
    name,
    onHead: (head) => {
      fields = head.kind === "registry" ? head.fields : undefined;
      if (fields !== undefined) onHeader?.(fields);
    },
    onBatch: ({ ids, line }) => {
      for (const [row, header] of ids.entries()) {
        const id = fields === undefined ? idOf(header) : header;
        count++;
        const message = messages.get(line[row]);
        if (message !== undefined) {
          messages.delete(line[row]);
          report(message);
        } else if (isAccession(id)) onRecord(id);
        else onInvalid?.(invalidAccession(id, line[row]));
      }
    },
    onLedger,
  });
  if (fields === undefined && count > 0) {
    const text =
      "the export has no ;fields= line: an accession is what comes first in a header, other values have no names";
    onEntry?.(noteEntry("field-names-absent", text));
  } else if (fields?.length === 1 && /[,;\t]/.test(fields[0])) {
    const line = `;fields=${fields[0].slice(0, 100)}`;
    const text = `the names of ${JSON.stringify(line)} are not joined by "|" as those of the specification (4.2) are`;
    onEntry?.(noteEntry("header-invalid", text));
  }
  if (residues.count > 0) {
    onEntry?.(noteEntry("bases-unexpected", residues.describe(describeResidues), { count: residues.count }));
  }
}

/** The accession in a header without field names: what stands before the first `|`. */
export function idOf(header: string): string {
  const [first] = header.split("|", 1);
  return isAccession(first) ? first : header;
}
