/** The index of a FASTA as samtools has it: `.fai`, one line a sequence. */
import type { FastaIndexEntry } from "./fasta_index_entry.ts";
import { parseIndex } from "./_index_table.ts";

export type { FastaIndexEntry } from "./fasta_index_entry.ts";

/**
 * Writes an index as samtools does.
 *
 * @param entries Entries in the order of the file.
 * @returns Five columns separated by tabs: name, length, offset, bases of a line, bytes of a line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatFastaIndex } from "./fasta_index.ts";
 *
 * assertEquals(formatFastaIndex([{ id: "a", length: 6, offset: 5, lineLetters: 4, lineBytes: 5 }]), "a\t6\t5\t4\t5\n");
 * ```
 */
export function formatFastaIndex(entries: Iterable<FastaIndexEntry>): string {
  const lines: string[] = [];
  for (const { id, length, offset, lineLetters: lineBases, lineBytes } of entries) {
    lines.push(`${id}\t${length}\t${offset}\t${lineBases}\t${lineBytes}\n`);
  }
  return lines.join("");
}

/**
 * Reads an index.
 *
 * An index tells where to read, and anyone may have written it: an entry that cannot be true makes all of it worthless.
 *
 * @param text Content of a `.fai` file.
 * @param maxBytes Length of the uncompressed text it belongs to: no sequence may end behind it.
 * @returns The entries in the order of the file, or `undefined` if the index is invalid or of another file.
 */
export function parseFastaIndex(text: string, maxBytes: number): FastaIndexEntry[] | undefined {
  return parseIndex(new TextEncoder().encode(text), maxBytes)?.entries();
}
