/** How a search for all records is done, and the rows that its export brings. */
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import type { OnProgress } from "../../io/tasks/progress.ts";
import { ReleaseWatch } from "../plan/release_watch.ts";
import type { SplitBy } from "../plan/search_split.ts";

/** Options of a search for all records. */
export interface SearchAllOptions {
  /** Results in a page; 1,000 by default. */
  readonly pageSize?: number;
  /** Whether what lies beyond 10,000 records is exported; true by default. */
  readonly exportRest?: boolean;
  /** By what a search is divided that lies beyond 10,000 records and cannot be exported; it is not when absent. */
  readonly split?: SplitBy;
  /** What the user does, as provenance states it; `search` by default. */
  readonly operation?: string;
  /** What provenance calls the registry; the client's base address by default. */
  readonly place?: string;
  /** Compares the releases of the answers; one of its own, which notes that they differ, by default. */
  readonly watch?: ReleaseWatch;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const SEARCH_ALL_OPTIONS = {
  pageSize: rule.wholeNumber({ from: 1, to: MAX_SEARCH_DEPTH }),
  exportRest: rule.flag,
  split: rule.oneOf(["facets", "ranges"]),
  operation: rule.text,
  place: rule.text,
  watch: rule.instanceOf("a ReleaseWatch", ReleaseWatch),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<SearchAllOptions>;

/** Records of an export that no page had: texts by column, `""` for no value. */
export interface ExportedRows {
  /** Public field names. */
  readonly columns: readonly string[];
  /** Cells of each record. */
  readonly rows: readonly (readonly string[])[];
}
