/**
 * The index of a FASTA as samtools has it: `.fai`, one line a sequence.
 *
 * @module
 */

/** Where one sequence lies in the uncompressed text. */
export interface FastaIndexEntry {
  /** Identifier: the accession in a registry FASTA, else the header up to the first blank. */
  readonly id: string;
  /** Letters of the sequence. */
  readonly length: number;
  /** Offset of its first letter. */
  readonly offset: number;
  /** Letters of a full line. */
  readonly lineLetters: number;
  /** Bytes of a full line, with its end. */
  readonly lineBytes: number;
}

/**
 * Writes an index as samtools does.
 *
 * @param entries Entries in the order of the file.
 * @returns Five columns separated by tabs: name, length, offset, letters of a line, bytes of a line.
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
  for (const { id, length, offset, lineLetters, lineBytes } of entries) {
    lines.push(`${id}\t${length}\t${offset}\t${lineLetters}\t${lineBytes}\n`);
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
 * @returns The entries in the order of the file, or `undefined` if it is no index, or not one of that file.
 */
export function parseFastaIndex(text: string, maxBytes: number): FastaIndexEntry[] | undefined {
  const entries: FastaIndexEntry[] = [];
  const reader = new NumberReader(text);
  while (reader.at < text.length) {
    const start = reader.at;
    const tab = text.indexOf("\t", start);
    if (tab < 0 || text.slice(start, tab).includes("\n")) return undefined;
    reader.at = tab + 1;
    const length = reader.read("\t");
    const offset = reader.read("\t");
    const lineLetters = reader.read("\t");
    const lineBytes = reader.read("\n");
    const entry = { id: text.slice(start, tab), length, offset, lineLetters, lineBytes };
    // A number that is none is NaN, and every comparison with it is false.
    if (!(lineLetters >= 1 && lineBytes >= lineLetters && endOf(entry) <= maxBytes)) return undefined;
    entries.push(entry);
  }
  return entries;
}

/** Reads whole numbers of at most fifteen digits, each with what ends it. */
class NumberReader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The number; NaN when there is none, or it does not end as it should. */
  read(end: "\t" | "\n"): number {
    const start = this.at;
    let number = 0;
    for (;; this.at++) {
      const digit = this.#text.charCodeAt(this.at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
    }
    const digits = this.at - start;
    const isNumber = digits >= 1 && digits <= 15 && this.#text[this.at] === end;
    this.at += 1;
    return isNumber ? number : NaN;
  }
}

/** Offset of a letter of a sequence, counted from 0, in the uncompressed text. */
export function letterOffset({ offset, lineLetters, lineBytes }: FastaIndexEntry, letter: number): number {
  return offset + Math.floor(letter / lineLetters) * lineBytes + letter % lineLetters;
}

/** Offset behind the last letter of a sequence. */
export function endOf(entry: FastaIndexEntry): number {
  return entry.length === 0 ? entry.offset : letterOffset(entry, entry.length - 1) + 1;
}
