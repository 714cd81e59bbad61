/** Pages of a search in their order, some of them on their way at once. */
import { countOf } from "../../contract/count_of.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { SearchResponse } from "../../contract/search.ts";
import type { PageAnswer } from "../plan/page_reader.ts";
import type { SearchCriteria } from "../plan/search_criteria.ts";

/** Pages that are on their way at once. */
const PAGES_AT_ONCE = 3;

export interface SearchedPage {
  readonly criteria: SearchCriteria;
  /** Its number, from 1. */
  readonly number: number;
}

/** Yields the pages, after `first`, which came before; a consumer that stops ends the requests. */
export async function* fetchPages(
  pages: readonly SearchedPage[],
  ask: (page: SearchedPage, stop: AbortSignal) => Promise<PageAnswer>,
  first?: PageAnswer,
): AsyncGenerator<PageAnswer> {
  const underway: Promise<PageAnswer>[] = [];
  const stop = new AbortController();
  let next = 0;
  const fill = () => {
    for (; next < pages.length && underway.length < PAGES_AT_ONCE; next++) {
      underway.push(ask(pages[next], stop.signal));
    }
    // One that fails while another is awaited is thrown when its turn comes.
    for (const page of underway) page.catch(() => {});
  };
  try {
    fill();
    if (first !== undefined) yield first;
    for (let page = underway.shift(); page !== undefined; page = underway.shift()) {
      const answer = await page;
      fill();
      yield answer;
    }
  } finally {
    stop.abort(new DOMException("the pages are no longer wanted", "AbortError"));
  }
}

/** Leaves out the hits of a page beyond those that were requested, and reports them. */
export function withinPage(
  body: SearchResponse,
  pageSize: number,
): { readonly body: SearchResponse; readonly entries: readonly LedgerEntry[] } {
  const { length } = body.results;
  if (length <= pageSize) return { body, entries: [] };
  const text = `a page holds ${countOf(length, "record")}, more than the ${pageSize} asked for`;
  const entry = noteEntry("page-long", text, { count: length - pageSize });
  return { body: { ...body, results: body.results.slice(0, pageSize) }, entries: [entry] };
}
