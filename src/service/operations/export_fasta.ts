/**
 * Sequences as the registry's FASTA: a `;fields=` line, then headers whose values are joined by `|`.
 *
 * @module
 */
import type { ExportColumn } from "./export_csv.ts";
import type { SequenceRecord } from "../store/store.ts";

/** Bases of a sequence that are handed on at once: one record may be larger than what should be held twice. */
const PIECE_LETTERS = 1 << 20;

/**
 * Writes FASTA. Each sequence is one line. Records without a sequence are left out.
 *
 * @param batches Records.
 * @param accessionAlias First name in the `;fields=` line.
 * @param columns Values after the accession.
 * @returns The `;fields=` line, then pieces of records.
 * @see Specification 4.2, rule 3. That a value's `|` becomes `/`, and its line ends a space, is not shown: chosen
 * because a header could not be taken apart otherwise. Nor is wrapping: chosen not to. A sequence that begins with `>`
 * or `;`, which no nucleotide does, is written after a blank.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { sequencesFasta } from "./export_fasta.ts";
 *
 * const batches = (async function* () {
 *   yield [{ accession: "vj000000000001", values: ["a|b"], sequence: "ACGT" }];
 * })();
 * const texts = await Array.fromAsync(
 *   sequencesFasta(batches, "registry_accession", [{ name: "Isolate", index: 0 }]),
 * );
 *
 * assertEquals(texts.join(""), ";fields=registry_accession|Isolate\n>vj000000000001|a/b\nACGT\n");
 * ```
 */
export async function* sequencesFasta(
  batches: AsyncIterable<readonly SequenceRecord[]>,
  accessionAlias: string,
  columns: readonly ExportColumn[],
): AsyncGenerator<string> {
  yield `;fields=${[accessionAlias, ...columns.map(({ name }) => name)].map(headerPart).join("|")}\n`;
  let parts: string[] = [];
  let held = 0;
  for await (const records of batches) {
    for (const { accession, values, sequence } of records) {
      if (sequence === undefined) continue;
      const bases = sequence.replace(WHITE_SPACE, "");
      const header = [accession, ...columns.map(({ index }) => values[index])].map(headerPart).join("|");
      // No base of a sequence may begin a record or a comment; a blank is not a base, and readers drop it.
      parts.push(`>${header}\n${/^[>;]/.test(bases) ? " " : ""}`);
      held += header.length;
      for (let start = 0; start < bases.length; start += PIECE_LETTERS) {
        const piece = bases.slice(start, start + PIECE_LETTERS);
        parts.push(piece);
        held += piece.length;
        if (held < PIECE_LETTERS) continue;
        yield parts.join("");
        [parts, held] = [[], 0];
      }
      parts.push("\n");
      if (held < PIECE_LETTERS) continue;
      yield parts.join("");
      [parts, held] = [[], 0];
    }
  }
  yield parts.join("");
}

const WHITE_SPACE = /[ \t\n\v\f\r]+/g;

/** A header ends at a line end and is taken apart at `|`: neither may stand in a value. */
function headerPart(text: string): string {
  return /[|\n\r\v\f\x85\u2028\u2029]/.test(text)
    ? text.replaceAll("|", "/").replace(/\r\n|[\n\r\v\f\x85\u2028\u2029]/g, " ")
    : text;
}
