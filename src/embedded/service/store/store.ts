/**
 * The interface between the HTTP layer of the embedded registry and the storage of its records.
 *
 * `openStore(folder, options?: OpenStoreOptions): Promise<RegistryStore>` in `open_store.ts` makes one from a folder of
 * archives.
 */
import type { Facet, FieldDefinition, LedgerEntry, SearchFilter, SortOrder } from "@seqreg/core/contract";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { type Naming, NAMING_RULE } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";

/** Which records are meant. */
export interface Criteria {
  /** Search expression in the embedded registry's grammar; empty for all. */
  readonly query: string;
  /** Facet filters; all must hold, those of one field are alternatives. */
  readonly filter: readonly SearchFilter[];
}

/** One record as the archives hold it. */
export interface StoredRecord {
  /** Its accession. */
  readonly accession: string;
  /** Its values in the order of {@linkcode RegistryStore.fields}, as texts; `""` for missing ones. */
  readonly values: readonly string[];
}

/** A record with its sequence. */
export interface SequenceRecord extends StoredRecord {
  /** Its sequence; `undefined` when the archives hold none for it. */
  readonly sequence: string | undefined;
}

/** Which part of the matching records a page shows, and in which order. */
export interface PageRequest {
  /** Records before the page. */
  readonly offset: number;
  /** Records on the page. */
  readonly limit: number;
  /** Field (public name or alias) and direction; by relevance when absent. Records without a value come last. */
  readonly sort?: { readonly field: string; readonly order: SortOrder };
}

/** One page of matching records. */
export interface Page {
  /** Number of matching records. */
  readonly total: number;
  /** Records of the page. */
  readonly records: readonly StoredRecord[];
  /** Relevance of each record of the page; `null` for each when a sort was asked for. */
  readonly scores: readonly (number | null)[];
  /** Values and counts among all matching records. */
  readonly facets: readonly Facet[];
}

/** One page of matching records that are read as they are wanted. */
export interface OpenPage extends Omit<Page, "records"> {
  /** Records of the page in their order, in batches of bounded size. */
  readonly batches: AsyncGenerator<StoredRecord[]>;
}

/** One of the sixteen files. */
export interface StoredArchive {
  /** File name of the archive or of its checksum file. */
  readonly name: string;
  /** Path of the file when the store was opened; another one may be there by now. */
  readonly path: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /**
   * Begins to read the file that was imported, or its copy, also when its path leads to another one.
   *
   * @throws {RegistryError} With code `damaged` if it was overwritten in place.
   */
  open(): Promise<ArchiveReading>;
}

/** A file that is read. Dispose of it when that ends: the store is kept for it. */
export interface ArchiveReading extends Disposable {
  /**
   * Reads bytes from a position on, and returns how many; fewer than there is room for only at the end.
   *
   * @throws {RegistryError} With code `damaged` if the file is overwritten meanwhile.
   */
  read(into: Uint8Array, position: number): Promise<number>;
}

/** Options of `openStore()`. */
export interface OpenStoreOptions {
  /** The deployment's own spellings; the specification's by default. */
  readonly naming?: Naming;
  /** The toolkit's cache folder, below which imports are kept; `cacheFolder()` by default. */
  readonly cacheFolder?: string;
  /**
   * Whether the store keeps copies of the archives in the cache and reads these, so that files of the folder can be
   * overwritten in place; they take as much space again where the file system does not share blocks (default: `false`).
   */
  readonly copies?: boolean;
  /** Ends the import with the signal's reason; the next one of the same archives resumes it. */
  readonly signal?: AbortSignal;
  /** Receives the progress of the import; never called when the archives were imported before. */
  readonly onProgress?: OnProgress;
  /**
   * Called with each warning about the archives (`store.warnings`), and when a damaged import is made again, or has to
   * wait for another process that imports the same archives (default: `console.warn`).
   */
  readonly onWarning?: (warning: string) => void;
}

export const OPEN_STORE_OPTIONS = {
  naming: NAMING_RULE,
  cacheFolder: rule.path,
  copies: rule.flag,
  signal: rule.signal,
  onProgress: rule.callback(),
  onWarning: rule.callback(),
} satisfies OptionRules<OpenStoreOptions>;

/** Finds and keeps the records of one archive folder. */
export interface RegistryStore extends AsyncDisposable {
  /** The public fields, in the order of the archives' columns; the accession is among them. */
  readonly fields: readonly FieldDefinition[];
  /** Whether the definitions were derived from the data, because the folder has no `definitions.json`. */
  readonly definitionsDerived: boolean;
  /** Number of records. */
  readonly recordCount: number;
  /** What is unusual about the archives without making them unreadable: warnings. */
  readonly entries: readonly LedgerEntry[];
  /** The same in words; empty when nothing is. */
  readonly warnings: readonly string[];
  /** The sixteen files, by name. */
  readonly files: ReadonlyMap<string, StoredArchive>;

  /**
   * Finds one page of matching records, their total and their facets.
   *
   * @throws {CriteriaError} If the query, a filter or the sort cannot be followed.
   */
  search(criteria: Criteria, page: PageRequest, signal?: AbortSignal): Promise<Page>;

  /** The same, of which the records are read afterwards: a page of ten thousand is more than should be held. */
  openPage(criteria: Criteria, page: PageRequest, signal?: AbortSignal): Promise<OpenPage>;

  /**
   * Yields every matching record, in the order of the archives, in batches of bounded size. A batch is its receiver's,
   * who may empty it.
   *
   * @throws {CriteriaError} If the query or a filter cannot be followed; before the first batch.
   */
  matching(criteria: Criteria, signal?: AbortSignal): AsyncGenerator<StoredRecord[]>;

  /** The same with sequences; a batch holds at most about 32 KiB of them, or one record. */
  matchingSequences(criteria: Criteria, signal?: AbortSignal): AsyncGenerator<SequenceRecord[]>;

  /** Yields the named records, in the order of the names, each once; unknown names are left out. */
  selected(accessions: readonly string[], signal?: AbortSignal): AsyncGenerator<StoredRecord[]>;

  /** The same with sequences; a batch holds at most about 32 KiB of them, or one record. */
  selectedSequences(accessions: readonly string[], signal?: AbortSignal): AsyncGenerator<SequenceRecord[]>;
}
