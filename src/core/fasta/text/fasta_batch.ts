/** Many records at once, column by column. */
import type { TextColumn } from "./text_column.ts";

/** What the beginning of a FASTA says of the rest. */
export interface FastaHead {
  /** `registry` when a `;fields=` line names the values of the headers, else `plain`. */
  readonly kind: "registry" | "plain";
  /** Names of the values: those of the `;fields=` line, the first being the accession's; else `id`, `description`. */
  readonly fields: readonly string[];
}

/**
 * Records as columns: row `i` of each belongs to the same record.
 *
 * The columns lie in memory that the reader uses again: they are valid until the next batch is asked for. Copy what is
 * kept.
 */
export interface FastaBatch {
  /** Names of {@linkcode FastaBatch.columns}. */
  readonly fields: readonly string[];
  /** Number of records. */
  readonly rows: number;
  /** Identifiers: the accession, or the header up to the first white space. Made when first asked for. */
  readonly ids: readonly string[];
  /** Length in bytes of each identifier, with which its header begins, for readers that need no text of it. */
  readonly idLengths: Int32Array;
  /** Header lines as they are, without `>` and line end. */
  readonly headers: TextColumn;
  /** The values of the headers: one column for each of `fields`. Made when first asked for. */
  readonly columns: readonly TextColumn[];
  /** Bases as they are, without white space; `null` when they are not kept. */
  readonly sequences: TextColumn | null;
  /** Bases of each sequence. */
  readonly length: Float64Array;
  /** Those that are G or C, either case. */
  readonly gcLetters: Float64Array;
  /** Bases other than A, C, G, T, U, either case. */
  readonly ambiguous: Float64Array;
  /** Line of each header, counted from 1. */
  readonly line: Float64Array;
  /** Offset of each `>` in the uncompressed text, counted from 0. */
  readonly byte: Float64Array;
  /**
   * Share of G and C among A, C, G, T and U of one record; `null` when it has no such base.
   *
   * @param row Which record, counted from 0.
   */
  gc(row: number): number | null;
}
