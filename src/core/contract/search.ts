/** `POST /v2/search`: the shapes of its request and response. */
import type { SortOrder } from "./enumerations.ts";

/** One facet filter of a search or a download. Source: Specification 4.2 and 4.4. */
export interface SearchFilter {
  /** Field to filter by. */
  readonly field: string;
  /** Any value; the specification does not show which ones a registry accepts. */
  readonly value: unknown;
}

/** Body of a search. Source: Specification 4.4. */
export interface SearchRequest {
  /** Search expression: `field:value` clauses in one text, separated by spaces. */
  readonly query: string;
  /** Facet filters. */
  readonly filter?: readonly SearchFilter[];
  /** Results per page; 50 when absent. */
  readonly pageSize?: number;
  /** Page, counted from 1; 1 when absent. */
  readonly pageNumber?: number;
  /** Field to sort by; by relevance when absent. */
  readonly sortColumn?: string;
  /** Direction of the sort; `asc` when absent. */
  readonly sortOrder?: SortOrder;
}

/** One element of `results`. Source: Specification 2.2. */
export interface SearchHit {
  /** Identifier of the hit; empty if the registry sent none. */
  readonly id: string;
  /** Relevance, or `null` if an explicit sort is applied or no score was received. */
  readonly score: number | null;
  /** Public metadata of the record, keyed by public field name; an integer beyond 2^53 is a `bigint`. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Fields of the response that the specification does not define are kept. */
  readonly [field: string]: unknown;
}

/** Body of a search's answer. Source: Specification 2.3. */
export interface SearchResponse {
  /** Number of matching records. */
  readonly total: number;
  /** Whether `total` is a lower bound: the registry said "at least", or stated no total. Absent when it is exact. */
  readonly totalIsLowerBound?: boolean;
  /** Records of the requested page. */
  readonly results: readonly SearchHit[];
  /** Facets exactly as received: their structure is not specified. See `readFacets()`. */
  readonly facets: unknown;
  /** Query as the registry returned it. */
  readonly query: unknown;
  /** Fields of the response that the specification does not define are kept. */
  readonly [field: string]: unknown;
}
