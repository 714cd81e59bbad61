/** One line of an index, and where the bases are of which it tells. */

/** Where one sequence lies in the uncompressed text. */
export interface FastaIndexEntry {
  /** Identifier: the accession in a registry FASTA, else the header up to the first white space. */
  readonly id: string;
  /** Bases of the sequence. */
  readonly length: number;
  /** Offset of its first base. */
  readonly offset: number;
  /** Bases of a full line. */
  readonly lineLetters: number;
  /** Bytes of a full line, with its end. */
  readonly lineBytes: number;
}

/** Where the bases of a sequence lie: an entry without its id. */
export type SequenceExtent = Omit<FastaIndexEntry, "id">;

/** Offset of a base of a sequence, counted from 0, in the uncompressed text. */
export function baseOffset({ offset, lineLetters: lineBases, lineBytes }: SequenceExtent, base: number): number {
  return offset + Math.floor(base / lineBases) * lineBytes + base % lineBases;
}

/** Offset behind the last base of a sequence. */
export function endOf(entry: SequenceExtent): number {
  return entry.length === 0 ? entry.offset : baseOffset(entry, entry.length - 1) + 1;
}
