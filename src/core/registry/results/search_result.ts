/** What a search gives. */
import { isAccession } from "../../contract/accession.ts";
import { type Facet, readFacets } from "../../contract/facets.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { RegistryResult, type ResultParts } from "./result.ts";

/** What a {@linkcode SearchResult} is made of. */
export interface SearchResultParts extends ResultParts {
  /** The answer to the first page. */
  readonly response: SearchResponse;
  /** Hits of all pages. */
  readonly hits: readonly SearchHit[];
  /** Public field that holds the accession. */
  readonly accessionField: string;
}

/** One page of a search, or all records it matches. */
export class SearchResult extends RegistryResult {
  /** Matching records, as the registry counts them. */
  readonly total: number;
  /**
   * Hits as they came; records of an export beyond the first 10,000 are in `rows`, and not here. Many of them are read
   * a page at a time, as `rows` are.
   */
  readonly hits: readonly SearchHit[];
  /** Facets in a tolerant reading; what it cannot read is in {@linkcode SearchResult.rawFacets}. */
  readonly facets: readonly Facet[];
  /** Facets as they came. */
  readonly rawFacets: unknown;
  /** The body of the answer to the first page, fields that the specification does not name included. */
  readonly response: SearchResponse;
  readonly #accessionField: string;

  /** Results are made by a `Registry`. */
  constructor(parts: SearchResultParts) {
    super(parts);
    this.total = parts.response.total;
    this.hits = parts.hits;
    this.#accessionField = parts.accessionField;
    this.response = parts.response;
    this.rawFacets = parts.response.facets;
    this.facets = readFacets(parts.response.facets);
  }

  /** Accessions of the rows, in their order: what the other operations take. Those that are malformed are left out. */
  get accessions(): readonly string[] {
    const field = this.#accessionField;
    if (!this.columns.some((column) => column.field === field)) return [];
    return this.table.texts(field).filter((text) => text !== null && isAccession(text)).map((text) => text ?? "");
  }
}
