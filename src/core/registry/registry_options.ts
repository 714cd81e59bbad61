/** Options of `Registry`'s own methods; those of an operation stand with it. */
import type { CacheMode } from "../datasets/mod.ts";
import type { OnProgress } from "../io/tasks/progress.ts";
import type { ArchiveId } from "../contract/datasets.ts";
import type { SearchFilter } from "../contract/search.ts";
import type { ArchiveLakeOptions } from "./definitions/archive_lake.ts";
import type { ConnectOptions } from "./connect.ts";
import { RECORDS_BY_QUERY } from "./exports/records.ts";
import { SEARCH_SORT, type SearchSort } from "./plan/search_criteria.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";

/** Options of `Registry.search`. */
export interface SearchOptions {
  /** Facet filters: a list of field and value, or an object of values by field. */
  readonly filter?: readonly SearchFilter[] | Readonly<Record<string, unknown>>;
  /** Results in a page; 50 by default, 1,000 if every record is requested. */
  readonly pageSize?: number;
  /** Page, counted from 1; the first by default. Not together with `all`. */
  readonly pageNumber?: number;
  /** Order of the hits; by relevance when absent. */
  readonly sort?: SearchSort;
  /** @deprecated Write `registry.searchAll(query, options).result()`: every matching record instead of one page. */
  readonly all?: boolean;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Ends the search with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Options of a search in pages, and of its plan. */
export type PagesOptions = Omit<SearchOptions, "all" | "pageNumber">;

export const PAGES_OPTIONS = {
  filter: RECORDS_BY_QUERY.filter,
  pageSize: rule.wholeNumber({ from: 1 }),
  sort: rule.shape<SearchSort>(SEARCH_SORT),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<PagesOptions>;

export const SEARCH_OPTIONS = {
  ...PAGES_OPTIONS,
  pageNumber: rule.wholeNumber({ from: 1 }),
  all: rule.flag,
} satisfies OptionRules<SearchOptions>;

/** Options of `Registry.searchPage`. */
export interface SearchPageOptions extends Omit<SearchOptions, "all" | "onProgress"> {
  /**
   * Whether the answer is to be one of the registry's own, although it takes fewer results at once (default: false).
   */
  readonly singleAnswer?: boolean;
  /** @deprecated Write `singleAnswer`. */
  readonly asSent?: boolean;
}

export const SEARCH_PAGE_OPTIONS = {
  filter: SEARCH_OPTIONS.filter,
  pageSize: SEARCH_OPTIONS.pageSize,
  pageNumber: SEARCH_OPTIONS.pageNumber,
  sort: SEARCH_OPTIONS.sort,
  singleAnswer: rule.flag,
  asSent: rule.flag,
  signal: rule.signal,
} satisfies OptionRules<SearchPageOptions>;

/** Options of `Registry.searchAll`. */
export interface SearchEveryOptions extends PagesOptions {
  /** Whether records beyond the first 10,000 are exported (default: true). */
  readonly exportRest?: boolean;
  /** @deprecated Write `exportRest`. */
  readonly beyondPages?: boolean;
}

export const SEARCH_EVERY_OPTIONS = {
  ...PAGES_OPTIONS,
  exportRest: rule.flag,
  beyondPages: rule.flag,
} satisfies OptionRules<SearchEveryOptions>;

/** Options of `Registry.suggest`. */
export interface SuggestOptions {
  /** Cancels the requests with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const SUGGEST_OPTIONS = { signal: rule.signal } satisfies OptionRules<SuggestOptions>;

/** Options of `Registry.dataset`. */
export interface DatasetOptions {
  /** When the registry is asked: `online` by default, `offline` where the network is forbidden. */
  readonly mode?: CacheMode;
  /** Receives the progress of the download. */
  readonly onProgress?: OnProgress;
  /** Ends the download with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const DATASET_OPTIONS = {
  mode: rule.oneOf(["online", "prefer-cache", "offline"]),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<DatasetOptions>;

/** Options of `Registry.lake`. */
export interface RegistryLakeOptions extends ArchiveLakeOptions {
  /** Archives wanted, by identifier, file name or stem; all eight by default. */
  readonly archives?: readonly (ArchiveId | string)[];
  /** When the registry is asked: `online` by default, `offline` where the network is forbidden. */
  readonly mode?: CacheMode;
}

/** Rules of {@linkcode RegistryLakeOptions}, those of {@linkcode ArchiveLakeOptions} aside. */
export const LAKE_OPTIONS = {
  archives: rule.texts,
  mode: DATASET_OPTIONS.mode,
} satisfies OptionRules<Omit<RegistryLakeOptions, keyof ArchiveLakeOptions>>;

/** Options of `Registry.open`. */
export type OpenOptions = ConnectOptions;
