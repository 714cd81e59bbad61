/** One page of a search as the registry sent it. */
import type { OnProgress } from "../../io/tasks/progress.ts";
import { extendLedger, type Ledger, type Provenance } from "../../contract/ledger.ts";
import type { Receipt } from "../../client/mod.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { checkFirst } from "../../options/check_options.ts";
import { filtersOf, RECORDS_BY_QUERY, type RecordsByQuery, type SearchTerms } from "../exports/records.ts";
import { withinRelease } from "../plan/release_watch.ts";
import { readPage } from "../plan/page_reader.ts";
import { pageHits, pageLedger, type SearchCriteria, searchRequest, type SearchSort } from "../plan/search_criteria.ts";
import { ProvenanceLog } from "../results/provenance_log.ts";
import type { RegistryContext } from "./context.ts";

export interface SearchSettings extends Pick<RecordsByQuery, "filter"> {
  readonly pageSize?: number;
  /** Page, counted from 1. */
  readonly pageNumber?: number;
  readonly sort?: SearchSort;
  /** Whether the page is to be one answer, although the registry takes fewer results at once. */
  readonly singleAnswer?: boolean;
  /** Whether the page was read before, and is compared with what came then. */
  readonly again?: boolean;
  /** Receives the number of records so far. */
  readonly onProgress?: OnProgress;
  /** Cancels the search with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** One page of a search as it came: values without types. */
export interface SearchPage {
  /** The body of the answer; where several smaller ones cover the page, the first, with the results of all. */
  readonly response: SearchResponse;
  /** The hits that the page can hold. */
  readonly hits: readonly SearchHit[];
  /** Bytes of the first answer's body. */
  readonly bytes: Uint8Array;
  /** Results in each request: fewer than asked for where the registry takes no more at once. */
  readonly pageSize: number;
  /** Whether fewer results were asked for at once than a page holds. */
  readonly isReduced: boolean;
  /** Records of the exchanges. */
  readonly receipts: readonly Receipt[];
  /** What the page promised and holds. */
  readonly ledger: Ledger;
  /** Where it comes from. */
  readonly provenance: Provenance;
}

export async function readSearchPage(
  { client, naming, place }: RegistryContext,
  terms: SearchTerms,
  settings: SearchSettings,
): Promise<SearchPage> {
  const criteria = criteriaOf(terms, settings);
  const request = searchRequest(criteria, settings);
  const { page, releases } = await withinRelease(async (watch) => {
    const page = await readPage(client, criteria, settings, {
      nameOf: ({ source, id }) => String(source[naming.accessionField] ?? id),
      firstOnly: settings.singleAnswer === true,
      again: settings.again,
      signal: settings.signal,
    });
    for (const [index, { receipt }] of page.answers.entries()) watch.see(receipt, `request ${index + 1}`);
    return { page, releases: watch.entries() };
  });
  const { body, answers, pageSize, isReduced, entries } = page;
  const log = new ProvenanceLog("search", place);
  for (const { receipt } of answers) log.add(receipt);
  return {
    response: body,
    hits: pageHits(body, request),
    bytes: answers[0].bytes,
    pageSize,
    isReduced,
    receipts: answers.map(({ receipt }) => receipt),
    ledger: extendLedger(pageLedger(body, request, { naming }), [...releases, ...entries]),
    provenance: log.close(answers.length === 1 ? undefined : { ...request, pages: answers.length }),
  };
}

/**
 * What a search means.
 *
 * @throws {TypeError} If the terms are neither a text nor `{ query, filter }`, or filters are passed twice.
 */
export function criteriaOf(terms: SearchTerms, options: Pick<SearchSettings, "filter" | "sort">): SearchCriteria {
  const { query = "", filter } = readTerms(terms);
  if (filter !== undefined && options.filter !== undefined) {
    throw new TypeError("Cannot search: filters are passed with the query and in the options; pass them once");
  }
  const filters = filtersOf(filter ?? options.filter);
  return { query, ...filters.length > 0 && { filter: filters }, ...options.sort && { sort: options.sort } };
}

function readTerms(terms: SearchTerms): RecordsByQuery {
  if (typeof terms === "string") return { query: terms };
  if (typeof terms !== "object" || terms === null || Array.isArray(terms)) {
    throw new TypeError(
      `Cannot search: expected a query as one text, or { query, filter }, not ${JSON.stringify(terms)}; write ` +
        "several clauses in one text, separated by spaces",
    );
  }
  if ("ids" in terms) {
    throw new TypeError(
      "Cannot search for ids: a search takes { query, filter }; get records by their accessions with metadata({ ids })",
    );
  }
  checkFirst("the search", terms, RECORDS_BY_QUERY);
  return terms;
}
