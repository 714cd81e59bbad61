/** The seam between the columnar index and those who fill it and ask it. */
import type { Facet, SortOrder } from "@seqreg/core/contract";
import type { Field, QueryNode } from "@seqreg/core/query";
import type { Cells } from "./cells.ts";

/** Number and facets of the records that a condition finds. */
export interface Summary {
  readonly total: number;
  readonly facets: readonly Facet[];
}

export interface FoundRows {
  /** Rows, in the order of the page. */
  readonly rows: readonly number[];
  /** Relevance of each; `null` for each under a sort. */
  readonly scores: readonly (number | null)[];
}

/** Everything that is asked about one page: its rows, and the number and facets of all. */
export interface FoundPage extends Summary, FoundRows {}

/** Which rows of a result, and in which order. */
export interface RowRange {
  /** Rows before. */
  readonly offset: number;
  /** Rows at most. */
  readonly limit: number;
  /** Sort; by relevance, then in the order of the archives, when absent. */
  readonly sort?: { readonly field: Field; readonly order: SortOrder };
}

export interface Finder extends AsyncDisposable {
  /** Finds the rows of a page, counts all, and takes their facets. */
  find(node: QueryNode, range: RowRange, signal?: AbortSignal): Promise<FoundPage>;
  /** Finds all rows, in the order of the archives, some at a time. */
  rows(node: QueryNode, signal?: AbortSignal): AsyncGenerator<Uint32Array>;
}

/** Takes records in and builds an index of them. */
export interface IndexWriter {
  /** Records taken in so far. */
  readonly recordCount: number;
  /** Adds records in the order of the archives; the cells of each in the order of the fields. One call at a time. */
  add(rows: readonly (readonly string[])[]): Promise<void>;
  /** Adds records whose cells are encoded already, which saves making texts of them. */
  addCells(cells: Cells): Promise<void>;
  /** Ends the adding, and syncs all that was added: `resumeIndex` continues from there. */
  seal(): Promise<void>;
  /** Builds what needs all records, sealing first; with threads of its own where that pays. */
  finish(options?: FinishOptions): Promise<IndexSummary>;
}

export interface FinishOptions {
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Milliseconds of work before others get their turn, without a thread; 0 for after every block. */
  readonly turnMs?: number;
}

export interface IndexSummary {
  /** Files in the folder that make up the index, synced to disk, with their sizes in bytes; other files are removed. */
  readonly files: Readonly<Record<string, number>>;
}

export interface StartIndexOptions {
  /** Index of the accession among the fields. */
  readonly accessionField: number;
  /** Bounds, for tests. */
  readonly bounds?: Partial<IndexBounds>;
  /** Milliseconds of work before others get their turn; 0 for after every few rows that are written again. */
  readonly turnMs?: number;
}

/** Bounds on what the index keeps in memory, and what decides between its ways; tests make them small. */
export interface IndexBounds {
  /** Different values of a field that still has a dictionary. */
  readonly dictionaryValues: number;
  /** Bytes of all dictionaries together. */
  readonly dictionaryBytes: number;
  /** Values of a dictionary that are all read for any condition. */
  readonly readValues: number;
  /** Different values of all dictionaries together. */
  readonly allValues: number;
  /** Records of one block: a power of two from 32 to 65,536. */
  readonly blockRows: number;
  /** Bytes of a block of texts. */
  readonly textBytes: number;
  /** Tokens that are put into partitions at once. */
  readonly tokens: number;
  /** Rows of a token that are verified one by one. */
  readonly verifiedRows: number;
  /** Share of the records, as 1 in so many, from which a token has bits instead of rows. */
  readonly denseShare: number;
  /** Bits of a token's first hash: fewer than 32 make collisions. */
  readonly hashBits: number;
  /** Bytes of texts that are sorted at once. */
  readonly sortBytes: number;
  /** Combinations of facet values that are counted as one. */
  readonly jointCodes: number;
  /** Records from which facets of single conditions are counted beforehand. */
  readonly tableRecords: number;
  /** Rows that are handled one by one, as a list. */
  readonly listedRows: number;
  /** Records from which the building runs in a thread of its own. */
  readonly threadRecords: number;
}

export interface OpenIndexOptions {
  /** The fields, in the order of the archives' columns. */
  readonly fields: readonly Field[];
  /** Finds the rows of accessions that are known, in the order of the accessions. */
  readonly rowsOf: (accessions: readonly string[]) => readonly number[];
  /** Yields the values of records, in the order of the rows. */
  readonly valuesOf: (rows: readonly number[]) => readonly (readonly string[])[];
  /** Bytes of files that are kept in memory. */
  readonly cacheBytes?: number;
  /** Milliseconds of work before others get their turn; 0 for after every block. */
  readonly turnMs?: number;
}
