/**
 * The seam between reading and counting: what turns bytes into rows.
 *
 * A scanner knows headers and sequences and nothing else. It stops before a line that begins with `;`, which its driver
 * reads, and before the header that no longer fits a batch.
 */
import type { TextColumn } from "../text/text_column.ts";

/** Rows as they were scanned; views of memory that the next scan uses again. */
export interface ScannedRows {
  readonly rows: number;
  /** Header lines without `>` and line end. */
  readonly headers: TextColumn;
  /** Bytes of each header up to where its id ends. */
  readonly idLengths: Int32Array;
  /** Hash of those bytes: {@linkcode hashOf}. */
  readonly idHashes: Int32Array;
  /** One more than there are `|` in each header. */
  readonly valueCounts: Int32Array;
  /** What is unusual about each header: {@linkcode BREAK_MARK}, {@linkcode NON_ASCII_MARK}. */
  readonly headerMarks: Uint8Array;
  /** Bases, where they are kept. */
  readonly sequences: TextColumn | null;
  /** Bases of each sequence. */
  readonly length: Float64Array;
  /** Those that are G or C. */
  readonly gcBases: Float64Array;
  /** Bases other than A, C, G, T, U. */
  readonly ambiguous: Float64Array;
  /** Line of each header, counted from 1. */
  readonly line: Float64Array;
  /** Offset of each `>`. */
  readonly byte: Float64Array;
  /** First byte of each sequence that is not a sequence character of one, where there is one. */
  readonly invalidBase: Uint8Array;
  /** Its line. */
  readonly invalidLine: Float64Array;
  /** Its offset; -1 without one. */
  readonly invalidByte: Float64Array;
}

/** The header holds a carriage return. */
export const BREAK_MARK = 1;
/** The header holds bytes outside ASCII. */
export const NON_ASCII_MARK = 2;

export interface HeaderRule {
  /**
   * Whether an id ends at the first `|`, or at the first white space (space, tab, vertical tab, form feed, carriage
   * return): as in samtools.
   */
  readonly endsAtPipe: boolean;
  /** Odd, and drawn for each reading, so that no file can be made whose ids all have one hash. */
  readonly hashFactor: number;
}

/** Hash of the bytes from `start` up to, not with, `end`. */
export function hashOf(bytes: Uint8Array, start: number, end: number, factor: number): number {
  let hash = factor;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ bytes[at], factor);
    hash ^= hash >>> 15;
  }
  return hash | 0;
}

/** How much a scanner may hold. */
export interface ScanLimits {
  /** Named in errors. */
  readonly name: string;
  readonly keepsSequences: boolean;
  /** Rows of a batch at most. */
  readonly batchRows: number;
  /** Bases, and bytes of headers, at which a batch is full. */
  readonly batchBytes: number;
  /** Bases of one kept sequence at most. */
  readonly maxRecordBytes: number;
  /** Bytes of one header at most. */
  readonly maxHeaderBytes: number;
}

export interface FastaScanner {
  /** Offset of the next byte to be scanned. */
  readonly position: number;
  /** Line of that byte, counted from 1. */
  readonly line: number;
  /** Memory that is scanned where it is, without a copy; valid until the next call of any kind. */
  readonly input: Uint8Array;
  /**
   * As {@linkcode FastaScanner.input}, but several pieces, which stay where they are: to read into one while another is
   * scanned.
   */
  readonly lanes?: readonly Uint8Array[] | undefined;
  /** Whether a batch is full: {@linkcode FastaScanner.take} it. */
  readonly isFull: boolean;
  /** Sets how headers are read; before the first one. */
  useHeaders(rule: HeaderRule): void;
  /**
   * Scans bytes from `start` on.
   *
   * @returns Where it stopped: at the end of the bytes, at a `;` that begins a line, or at a `>` when the batch is
   * full.
   * @throws {FastaError} If a header or a kept sequence is longer than the limits allow.
   */
  scan(bytes: Uint8Array, start: number): number;
  /** Counts bytes that the driver has read itself: whole lines, or the last one. */
  skip(bytes: number, lines: number): void;
  finish(): void;
  /** Returns the rows that are complete and begins a new batch. Valid until the next scan. */
  take(): ScannedRows;
}
