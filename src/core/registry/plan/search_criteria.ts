/** What a search asks for, and what one page of its answer can hold. */
import { countOf } from "../../contract/count_of.ts";
import { SORT_ORDERS, type SortOrder } from "../../contract/enumerations.ts";
import { closeLedger, type Ledger } from "../../contract/ledger.ts";
import type { Naming } from "../../contract/naming.ts";
import { describeFieldMismatch } from "../../contract/naming_evidence.ts";
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import { InvalidLog, invalidValue } from "./invalid_log.ts";
import { isAccession } from "../../contract/accession.ts";
import type { SearchFilter, SearchHit, SearchRequest, SearchResponse } from "../../contract/search.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** An order of hits. */
export interface SearchSort {
  /** Field to sort by. */
  readonly column: string;
  /** Direction; `asc` by default. */
  readonly order?: SortOrder;
}

export const SEARCH_SORT = {
  column: rule.required(rule.text),
  order: rule.oneOf(SORT_ORDERS),
} satisfies OptionRules<SearchSort>;

/** Which records a search means, and in which order. */
export interface SearchCriteria {
  /** Search expression; empty for all records. */
  readonly query: string;
  /** Facet filters. */
  readonly filter?: readonly SearchFilter[];
  /** Order; by relevance when absent. */
  readonly sort?: SearchSort;
}

export function searchRequest(
  { query, filter, sort }: SearchCriteria,
  page: { readonly pageSize?: number; readonly pageNumber?: number } = {},
): SearchRequest {
  return {
    query,
    ...filter !== undefined && filter.length > 0 && { filter },
    ...page.pageSize !== undefined && { pageSize: page.pageSize },
    ...page.pageNumber !== undefined && { pageNumber: page.pageNumber },
    ...sort !== undefined && { sortColumn: sort.column, ...sort.order !== undefined && { sortOrder: sort.order } },
  };
}

/**
 * Takes the hits that a page can hold: no more than its size, nor than the registry says there are.
 *
 * A page that is not empty though the registry counts no record is taken as it came.
 */
export function pageHits(
  { total, totalIsLowerBound, results }: SearchResponse,
  request: SearchRequest,
): readonly SearchHit[] {
  const size = request.pageSize ?? DEFAULT_PAGE_SIZE;
  const offset = ((request.pageNumber ?? DEFAULT_PAGE_NUMBER) - 1) * size;
  const most = total === 0 || totalIsLowerBound === true ? size : Math.max(0, Math.min(size, total - offset));
  return results.length > most ? results.slice(0, most) : results;
}

/** Notes the hits whose accession is absent or malformed. */
export function noteInvalidHits(hits: readonly SearchHit[], accessionField: string, log: InvalidLog): void {
  for (const { source } of hits) {
    const value = source[accessionField];
    if (typeof value === "string" && isAccession(value)) continue;
    log.add(invalidValue(value));
  }
}

/**
 * Notes that an answer states itself that it is partial, as Elasticsearch and OpenSearch do, which registries pass on:
 * `timed_out`, or `_shards` of which some failed.
 *
 * @see Specification, silent: chosen because such a page has the right form and lacks records.
 */
export function notePartial(body: SearchResponse): LedgerEntry[] {
  const { failed } = Object(body._shards);
  const why = body.timed_out === true
    ? "it took too long (timed_out)"
    : typeof failed === "number" && failed > 0
    ? `${countOf(failed, "part")} of its data failed (_shards.failed)`
    : undefined;
  return why === undefined
    ? []
    : [noteEntry("answer-partial", `the registry states that its answer is partial: ${why}`)];
}

/** The reason of a page that states another total than the first. */
export function noteTotal(first: number, later: number, page: number): LedgerEntry {
  const text = `the registry counted ${countOf(first, "record")} first and ${later} with page ${page}`;
  return noteEntry("total-changed", text);
}

/**
 * Closes the ledger of one page: complete when it holds what that page can hold.
 *
 * @see Specification 4.4. It does not show that a page across record 10,000 is cut there: a page is complete if it has
 * the records up to there.
 */
export function pageLedger(
  body: SearchResponse,
  request: SearchRequest,
  { naming }: { readonly naming: Naming },
): Ledger {
  const size = request.pageSize ?? DEFAULT_PAGE_SIZE;
  const offset = ((request.pageNumber ?? DEFAULT_PAGE_NUMBER) - 1) * size;
  const isOpen = body.totalIsLowerBound === true;
  const reachable = Math.min(body.total, MAX_SEARCH_DEPTH);
  const expected = Math.max(0, Math.min(size, reachable - offset));
  const received = body.results.length;
  const sources = body.results.map(({ source }) => source);
  const names = sources.map((source) => source[naming.accessionField]).filter((name) => name !== undefined);
  const mismatch = describeFieldMismatch(sources, naming);
  const entries = [...mismatch === undefined ? [] : [noteEntry("naming-mismatch", mismatch)], ...notePartial(body)];
  if (received < expected) {
    const text = `the page holds ${countOf(received, "record")}, ${expected} ${
      expected === 1 ? "was" : "were"
    } to be expected of ${body.total} in all`;
    entries.push(noteEntry("page-short", text, { count: expected - received }));
  }
  if (isOpen && received < size && received >= expected) {
    const text =
      `the registry counts at least ${
        countOf(body.total, "record")
      }, so a page of ${received} does not prove that they ` +
      `are all: search with --all (searchAll()), or ask for the next page`;
    entries.push(noteEntry("total-unknown", text));
  }
  if (received > size) {
    const text = `the page holds ${countOf(received, "record")}, more than the ${size} asked for`;
    entries.push(noteEntry("page-long", text, { count: received - size }));
  } else if (received > 0 && !isOpen && received > Math.max(0, body.total - offset)) {
    const text = `the page holds ${
      countOf(received, "record")
    }, more than the ${body.total} that the registry counts in all`;
    entries.push(noteEntry("page-long", text, { count: received - Math.max(0, body.total - offset) }));
  }
  const invalid = new InvalidLog();
  noteInvalidHits(body.results, naming.accessionField, invalid);
  return closeLedger({
    promised: isOpen ? null : body.total,
    received,
    unique: new Set(names).size + received - names.length,
    unparsed: invalid.count,
    ...invalid.count > 0 && { unparsedReason: invalid.describe() },
    entries,
  });
}
