/** A FASTA file whose records are fetched by their ids. */
import type { FastaHead } from "../text/fasta_batch.ts";
import type { FastaIndexEntry } from "./fasta_index_entry.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";

/** A record as it stands in the file. */
export interface FetchedFasta {
  /** Identifier. */
  readonly id: string;
  /** The header line, without `>` and line end. */
  readonly header: string;
  /** The lines of the sequence as they are in the file; the last one ends with a line feed. */
  readonly lines: Uint8Array;
}

/** An open FASTA file with its index. */
export interface FastaFile extends AsyncDisposable {
  /** Registry or plain FASTA, and the names of the values in its headers. */
  readonly head: FastaHead;
  /** The index, in the order of the file; of several sequences with one id the first. Made when first asked for. */
  readonly entries: ReadonlyMap<string, FastaIndexEntry>;
  /**
   * Whether the index was read, built because it was missing, or rebuilt because it was outdated, truncated or invalid.
   */
  readonly index: "read" | "made" | "renewed";
  /** What is unusual, in words: an index that could not be saved, records that it cannot hold. */
  readonly warnings: readonly string[];
  /** The same as entries of a ledger. */
  readonly remarks: readonly LedgerEntry[];
  /** Paths of files that were written: those of a new index. */
  readonly written: readonly string[];
  /**
   * Returns whether there is a sequence.
   *
   * @param id Accession, or header up to the first white space.
   */
  has(id: string): boolean;
  /**
   * Returns the length of a sequence in bases, as its index has it; `undefined` for an unknown id.
   *
   * @param id Accession, or header up to the first white space.
   */
  length(id: string): number | undefined;
  /**
   * Reads bases of one sequence.
   *
   * @param id Accession, or header up to the first white space.
   * @param start First base, counted from 0; 0 by default.
   * @param end Behind the last base; the length by default, which it cannot exceed.
   * @returns The bases unchanged; `undefined` for an unknown id.
   * @throws {TypeError} If the file was closed.
   * @throws {RangeError} If `start` or `end` is no whole number, or `start` is greater than `end`.
   * @throws {FastaError} If the index does not fit the file, which is seen when the lines that hold the bases, those
   * before them (of the first 127 KiB of a record) or, at its end, what follows are not what it says; if the lines hold
   * blanks or bytes that are not sequence characters, since bases then are not where an index says; if there are more
   * bases than a text can hold.
   */
  get(id: string, start?: number, end?: number): Promise<string | undefined>;
  /**
   * Reads the header line of one record, without `>` and line end, and nothing of its sequence.
   *
   * @returns The header; `undefined` for an unknown id.
   * @throws {TypeError} If the file was closed.
   * @throws {FastaError} If the index does not fit the file.
   */
  header(id: string): Promise<string | undefined>;
  /**
   * Reads one record as it stands in the file.
   *
   * @returns The record; `undefined` for an unknown id.
   * @throws {TypeError} If the file was closed.
   * @throws {FastaError} If the index does not fit the file, or the record does not end where the index says.
   */
  record(id: string): Promise<FetchedFasta | undefined>;
  /** Closes the file: nothing more can be read. */
  close(): void;
}
