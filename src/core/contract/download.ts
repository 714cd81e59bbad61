/** `POST /v2/download`: the shapes of its request. */
import type { FileType, Information, Keys, Scope } from "./enumerations.ts";
import type { SearchFilter } from "./search.ts";

/** Which records a download includes when its scope is `max`. No paging, no sort. Source: Specification 4.2, rule 2. */
export interface DownloadSearch {
  /** Search expression; empty for a selection. */
  readonly query: string;
  /** Facet filters. */
  readonly filter?: readonly SearchFilter[];
}

/** What a download exports. Source: Specification 4.2. */
export interface DownloadOptions {
  /** All that match, or the records of `selected_ids`. */
  readonly scope: Scope;
  /** Metadata, accessions or sequences. */
  readonly information: Information;
  /** Format of the file. */
  readonly fileType: FileType;
  /** How fields are named in accession and sequence downloads; `human_readable` when absent. */
  readonly keys?: Keys | null;
  /** Public fields to include; all when absent or empty. */
  readonly metadata?: readonly string[] | null;
  /** Registry accessions of a selection; only the first 10,000 are processed. */
  readonly selected_ids?: readonly string[];
}

/** Body of a download. Source: Specification 4.2. */
export interface DownloadRequest {
  /** Criteria. */
  readonly search: DownloadSearch;
  /** What to export. */
  readonly download: DownloadOptions;
}
