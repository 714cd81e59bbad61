/** Sequences as the registry's FASTA: a `;fields=` line, then headers whose values are joined by `|`. */
import type { ExportColumn } from "./export_csv.ts";
import type { SequenceRecord } from "../store/store.ts";

/** Maximum number of bases per chunk: one record may be too large to be held twice. */
const CHUNK_BASES = 1 << 16;

/**
 * Writes FASTA. Each sequence is one line. Records without a sequence are left out.
 *
 * @param batches Records; each batch is emptied when it is written.
 * @param accessionAlias First name in the `;fields=` line.
 * @returns The `;fields=` line, then records, long ones in several texts.
 * @see Specification 4.2, rule 3. That a value's `|` becomes `/`, and its line ends a space, is not shown: chosen
 * because a header could not be taken apart otherwise. Nor is wrapping: chosen not to. A sequence that begins with `>`
 * or `;`, which no nucleotide does, is written after a blank.
 */
export async function* sequencesFasta(
  batches: AsyncIterable<SequenceRecord[]>,
  accessionAlias: string,
  columns: readonly ExportColumn[],
): AsyncGenerator<string> {
  yield `;fields=${[accessionAlias, ...columns.map(({ name }) => name)].map(headerPart).join("|")}\n`;
  for await (const records of batches) {
    const chunks = takeChunks(records, columns);
    while (chunks.length > 0) yield chunks.shift()!;
  }
}

/** Empties a batch, and returns its FASTA in chunks: a longer sequence is split, other records are joined. */
function takeChunks(records: SequenceRecord[], columns: readonly ExportColumn[]): string[] {
  const chunks: string[] = [];
  let parts: string[] = [];
  for (const { accession, values, sequence } of records) {
    if (sequence === undefined) continue;
    const bases = sequence.replace(WHITE_SPACE, "");
    const header = [accession, ...columns.map(({ index }) => values[index])].map(headerPart).join("|");
    // No base of a sequence may begin a record or a comment; a blank is not a base, and readers drop it.
    parts.push(`>${header}\n${/^[>;]/.test(bases) ? " " : ""}`);
    if (bases.length > CHUNK_BASES) {
      chunks.push(parts.join(""));
      parts = [];
      for (let start = 0, end = 0; start < bases.length; start = end) {
        end = start + CHUNK_BASES;
        // A character of two units is not divided: each half alone would be lost.
        if (HIGH_HALF.test(bases.charAt(end - 1))) end++;
        chunks.push(bases.slice(start, end));
      }
      parts.push("\n");
    } else parts.push(bases, "\n");
  }
  records.length = 0;
  return [...chunks, parts.join("")];
}

const HIGH_HALF = /[\ud800-\udbff]/;
const WHITE_SPACE = /[ \t\n\v\f\r]+/g;

/** A header ends at a line end and is taken apart at `|`: neither may stand in a value. */
function headerPart(text: string): string {
  return /[|\n\r\v\f\x85\u2028\u2029]/.test(text)
    ? text.replaceAll("|", "/").replace(/\r\n|[\n\r\v\f\x85\u2028\u2029]/g, " ")
    : text;
}
