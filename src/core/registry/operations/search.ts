/** Searches of a `Registry`: one page, page by page, or every record. */
import { DEFAULT_PAGE_SIZE, MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import { closeLedger, extendLedger, type Ledger, warningsOf } from "../../contract/ledger.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { HitWriter } from "../../tables/from/from_hits.ts";
import { recordTable } from "../../tables/lake/open/record_table.ts";
import { compareEnds } from "../plan/compare_pages.ts";
import { RecordStore } from "../../tables/types/record_store.ts";
import type { RegistryContext } from "./context.ts";
import { tableWarnings } from "./get_metadata.ts";
import { SearchAll } from "./search_all.ts";
import { hideInLedger } from "../plan/hide_in_ledger.ts";
import { criteriaOf, readSearchPage, type SearchPage, type SearchSettings } from "./search_page.ts";
import type { SearchTerms } from "../exports/records.ts";
import { isOpen } from "../plan/page_reader.ts";
import { InvalidLog } from "../plan/invalid_log.ts";
import { noteInvalidHits, notePartial, noteTotal } from "../plan/search_criteria.ts";
import { ReleaseWatch, withinRelease } from "../plan/release_watch.ts";
import { RepeatedPages } from "../plan/repeated_pages.ts";
import { HitStore } from "../results/hit_store.ts";
import { SearchResult } from "../results/search_result.ts";
import { suggestFor } from "./suggest.ts";

/** Gets one page; `adjust` may add to its ledger. */
export async function searchOnce(
  context: RegistryContext,
  terms: SearchTerms,
  settings: SearchSettings,
  adjust: (ledger: Ledger, page: SearchPage) => Ledger | Promise<Ledger> = (ledger) => ledger,
): Promise<SearchResult> {
  const { client, naming } = context;
  const page = await readSearchPage(context, terms, settings);
  const { response, provenance } = page;
  using store = new RecordStore({ spillCharacters: Infinity });
  const writer = new HitWriter(store, naming.accessionField);
  for (const hit of page.hits) writer.add(hit);
  const { table, definitions, entries } = await makeTable(context, store, writer, settings.signal);
  const counted = hideInLedger(
    extendLedger(page.ledger, [...warningsOf(table.ledger), ...entries]),
    (text) => client.hideCredentials(text),
  );
  const ledger = await suggestFor(
    context,
    criteriaOf(terms, settings),
    await adjust(counted, page),
    settings.signal,
  );
  const { accessionField } = naming;
  return new SearchResult({
    response,
    hits: response.results,
    accessionField,
    naming,
    table,
    ledger,
    provenance,
    definitions,
  });
}

/** Gets one page after the other, up to record 10,000, or to one that holds nothing that earlier pages did not. */
export async function* searchInPages(
  context: RegistryContext,
  terms: SearchTerms,
  settings: SearchSettings,
): AsyncGenerator<SearchResult> {
  const size = settings.pageSize ?? DEFAULT_PAGE_SIZE;
  const repeats = new RepeatedPages();
  const known = new Set<string>();
  const watch = new ReleaseWatch();
  const begun = performance.now();
  const nameOf = ({ source, id }: SearchHit) => String(source[context.naming.accessionField] ?? id);
  let first: SearchResponse | undefined;
  for (let pageNumber = 1;; pageNumber++) {
    const end = pageNumber * size;
    let isLast = false;
    const adjust = async (own: Ledger, { response, hits, receipts }: SearchPage) => {
      const { total } = response;
      first ??= response;
      for (const receipt of receipts) watch.see(receipt, `page ${pageNumber}`);
      // What differs within the page differs between the pages, too.
      const others = own.entries.filter(({ code }) => code !== "releases-mixed");
      const isCounted = !isOpen(response) && !isOpen(first);
      const changed = isCounted && total !== first.total ? [noteTotal(first.total, total, pageNumber)] : [];
      let ledger = extendLedger({ ...own, entries: others }, [...watch.entries(), ...changed]);
      const names = response.results.map(nameOf);
      repeats.add(names, known);
      for (const name of names) known.add(name);
      const most = isOpen(response) ? MAX_SEARCH_DEPTH : Math.min(total, MAX_SEARCH_DEPTH);
      isLast = hits.length === 0 || end >= most || repeats.count > 0;
      if (isLast && !watch.isMarked) {
        const pages = [{ number: pageNumber, body: response }, { number: 1, body: first }];
        const ask = async (number: number) => {
          const again = { ...settings, pageSize: size, pageNumber: number, again: true };
          return (await readSearchPage(context, terms, again)).response;
        };
        ledger = extendLedger(
          ledger,
          await compareEnds(pages, begun, { ask, nameOf, isKnown: (name) => known.has(name) }),
        );
      }
      if (repeats.count > 0) return extendLedger(ledger, [repeats.end()]);
      const full = Math.min(size, MAX_SEARCH_DEPTH - (end - size));
      const mayGoOn = total >= MAX_SEARCH_DEPTH || isOpen(response) && hits.length >= full;
      return end >= MAX_SEARCH_DEPTH && mayGoOn ? cutLedger(ledger, Math.max(total, MAX_SEARCH_DEPTH)) : ledger;
    };
    yield await searchOnce(context, terms, { ...settings, pageSize: size, pageNumber }, adjust);
    if (isLast) return;
  }
}

/** Marks the last reachable page incomplete, with the number of records beyond it. */
function cutLedger(ledger: Ledger, total: number): Ledger {
  const count = total === MAX_SEARCH_DEPTH ? `at least ${total}` : String(total);
  const text = `${count} records match and paging ends at ${MAX_SEARCH_DEPTH}: narrow the query or the filter, use ` +
    `searchAll(), or export them`;
  const entry = noteEntry("beyond-paging", text, { count: total - MAX_SEARCH_DEPTH });
  return { ...extendLedger(ledger, [entry]), truncated: true };
}

/** Gets every matching record, as far as can be. */
export async function searchEvery(
  context: RegistryContext,
  terms: SearchTerms,
  settings: SearchSettings,
): Promise<SearchResult> {
  if (settings.pageNumber !== undefined) {
    throw new TypeError("Cannot search: pageNumber asks for one page and all for every one; give one of the two");
  }
  return await withinRelease((watch) => readEvery(context, terms, { ...settings, watch }));
}

/**
 * Reads every page, then the export. Hits go into both stores as they come: to fill the second from the first after the
 * last page holds no less in memory, where strings are shared, nor on disk, where the result keeps its hits, and parses
 * hits from there once more.
 */
async function readEvery(
  context: RegistryContext,
  terms: SearchTerms,
  settings: WatchedSettings,
): Promise<SearchResult> {
  const search = startSearchAll(context, terms, settings);
  await search.begin();
  using hits = new HitStore();
  using store = new RecordStore();
  const writer = new HitWriter(store, context.naming.accessionField);
  for await (const { results } of search.pages()) {
    await hits.add(results);
    for (const hit of results) writer.add(hit);
    await store.settle();
  }
  for await (const { columns, rows } of search.rest()) {
    for (const cells of rows) store.add(columns.map((column, index) => [column, cells[index]]));
    await store.settle();
  }
  const { table, definitions, entries } = await makeTable(context, store, writer, settings.signal);
  const counted = extendLedger(search.ledger(), [...tableWarnings(table), ...entries]);
  const ledger = await suggestFor(
    context,
    criteriaOf(terms, settings),
    counted,
    settings.signal,
  );
  return new SearchResult({
    response: search.first,
    hits: hits.list(),
    accessionField: context.naming.accessionField,
    naming: context.naming,
    table,
    ledger,
    provenance: search.provenance(),
    definitions,
  });
}

export { explainPlan } from "../plan/search_plan.ts";

/** How a search for every record is done. */
export interface AllMatchesSettings extends Omit<SearchSettings, "pageNumber" | "singleAnswer"> {
  /** Whether what lies beyond 10,000 records is exported; true by default. */
  readonly exportRest?: boolean;
}

/** The same with a watch over the answers. */
interface WatchedSettings extends AllMatchesSettings {
  readonly watch?: ReleaseWatch;
}

/** Begins a search for every record. */
export function startSearchAll(context: RegistryContext, terms: SearchTerms, settings: WatchedSettings): SearchAll {
  return new SearchAll(context.client, criteriaOf(terms, settings), {
    place: context.place,
    split: context.embedded ? "ranges" : "facets",
    exportRest: settings.exportRest,
    pageSize: settings.pageSize,
    watch: settings.watch,
    onProgress: settings.onProgress,
    signal: settings.signal,
  });
}

/** Reads a search to its end and types each page, then each batch of an export. */
export async function* typePages(
  context: RegistryContext,
  search: SearchAll,
  signal: AbortSignal | undefined,
): AsyncGenerator<SearchResult> {
  const { naming } = context;
  const { accessionField } = naming;
  let received = 0;
  const type = async (
    response: SearchResponse,
    fill: (store: RecordStore, writer: HitWriter) => void,
    { isPage }: { readonly isPage: boolean },
  ) => {
    using store = new RecordStore({ spillCharacters: Infinity });
    const writer = new HitWriter(store, accessionField);
    fill(store, writer);
    const { table, definitions, entries } = await makeTable(context, store, writer, signal);
    const hits = response.results;
    const invalid = new InvalidLog();
    noteInvalidHits(hits, accessionField, invalid);
    const counted = closeLedger({
      received: store.rows,
      unique: table.ledger.unique,
      unparsed: invalid.count,
      ...invalid.count > 0 && { unparsedReason: invalid.describe() },
      entries: [...isPage ? notePartial(response) : [], ...warningsOf(table.ledger), ...entries],
    });
    const ledger = hideInLedger(counted, (text) => context.client.hideCredentials(text));
    const records = [received + 1, received += store.rows];
    const whole = search.provenance();
    // What an export has beyond the pages comes in several parts, which are results of their own.
    const provenance = isPage ? whole : { ...whole, request: { ...Object(whole.request), records }, sha256: null };
    return new SearchResult({ response, hits, accessionField, naming, table, ledger, provenance, definitions });
  };
  for await (const page of search.pages()) {
    yield await type(page, (_, writer) => page.results.forEach((hit) => writer.add(hit)), { isPage: true });
  }
  for await (const { columns, rows } of search.rest()) {
    if (rows.length === 0) continue;
    yield await type({ ...search.first, results: [] }, (store) => {
      for (const cells of rows) store.add(columns.map((column, index) => [column, cells[index]]));
    }, { isPage: false });
  }
}

/** Types records. Without records, the columns are those of the registry. */
async function makeTable(
  { definitions, naming }: RegistryContext,
  store: RecordStore,
  { findings }: HitWriter,
  signal?: AbortSignal,
) {
  const isEmpty = store.rows === 0;
  const fields = isEmpty ? await definitions.names(signal) : store.fields;
  const known = await definitions.find(fields, signal);
  const table = await recordTable(store, { hasHeader: false, ...findings }, {
    definitions: known.definitions,
    naming,
    name: "the search",
    ...isEmpty && { columns: fields },
    signal,
  });
  return { table, ...known };
}
