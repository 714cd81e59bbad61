/** Every record that a search matches, requested when it is read. */
import { closeLedger, type Ledger, type Provenance } from "../../contract/ledger.ts";
import { noteUnfinished } from "../../contract/ledger_entries.ts";
import type { SearchResponse } from "../../contract/search.ts";
import { DISPLAY, type Displayable, type MediaBundle } from "../../io/display/display.ts";
import { textView } from "../../io/display/html.ts";
import type { SearchTerms } from "../exports/records.ts";
import type { SearchPlan } from "../plan/search_plan.ts";
import type { SearchResult } from "../results/search_result.ts";
import type { RegistryContext } from "./context.ts";
import type { SearchAll } from "./search_all.ts";
import type { ExportedRows } from "./search_all_options.ts";
import type { AllMatchesSettings } from "./search.ts";

/** Loaded when it is read: a computed specifier, since Deno reads every source that a literal one leads to. */
const loadSearch = (): Promise<typeof import("./search.ts")> => import(new URL("./search.ts", import.meta.url).href);

/**
 * Every record that a search matches; no request is sent before it is read.
 *
 * Read it in one of three ways: `await matches.result()` is one table of all records; `for await (const page of
 * matches)` yields a typed page at a time, then what an export has beyond them, and holds no more than that; `pages()`
 * and `rest()` yield what the registry sent. `plan()` and `explain()` describe the requests. What is read again is
 * requested again, and `ledger()` is that of the last reading.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { Registry } from "seqreg";
 *
 * await using registry = await Registry.open("zika");
 * const matches = registry.searchAll("country:Brazil", { pageSize: 4 });
 * let received = 0;
 * for await (const page of matches) received += page.rows.length;
 *
 * assert(matches.ledger().complete);
 * assertEquals(received, (await registry.searchAll({ query: "country:Brazil" }).result()).rows.length);
 * ```
 */
export class AllMatches implements AsyncIterable<SearchResult>, Displayable {
  readonly #context: RegistryContext;
  readonly #terms: SearchTerms;
  readonly #settings: AllMatchesSettings;
  #starting: Promise<SearchAll> | undefined;
  #search: SearchAll | undefined;
  #isRead = false;
  #isRestRead = false;

  /** Made by `Registry.searchAll`. */
  constructor(context: RegistryContext, terms: SearchTerms, settings: AllMatchesSettings) {
    this.#context = context;
    this.#terms = terms;
    this.#settings = settings;
  }

  /**
   * Gets all records as one typed table, with the ledger of all.
   *
   * @throws {RegistryError} If the registry cannot be reached, or refuses the query.
   */
  async result(): Promise<SearchResult> {
    const { searchEvery } = await loadSearch();
    return await searchEvery(this.#context, this.#terms, this.#settings);
  }

  /** Yields typed pages, each with a ledger of its own; then, as {@linkcode AllMatches.ledger}, ask for that of all. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SearchResult> {
    const { typePages } = await loadSearch();
    yield* typePages(this.#context, await this.#startToRead(), this.#settings.signal);
  }

  /**
   * Describes how the records would be retrieved: requests the first page, for its total, and where a search must be
   * divided, for one record of each part.
   */
  async plan(): Promise<SearchPlan> {
    return await (await this.#start()).begin();
  }

  /** Writes the {@linkcode AllMatches.plan} for people, one line a step. */
  async explain(): Promise<string> {
    const { explainPlan } = await loadSearch();
    return explainPlan(await this.plan());
  }

  /** As {@linkcode AllMatches.plan}: what `pages()` and `rest()` will ask. */
  async begin(): Promise<SearchPlan> {
    return await this.plan();
  }

  /** The answer to the first page, once {@linkcode AllMatches.begin} has requested it. */
  get first(): SearchResponse {
    return this.#started.first;
  }

  /** Yields the pages as received, with up to three requests at a time. */
  async *pages(): AsyncGenerator<SearchResponse> {
    yield* (await this.#startToRead()).pages();
  }

  /**
   * Yields the records that no page had, by an export, where the plan has one. Read the pages before.
   *
   * @throws {TypeError} If it was read since the pages were: its records would count twice.
   */
  async *rest(): AsyncGenerator<ExportedRows> {
    if (this.#isRestRead) {
      throw new TypeError("Cannot read the rest again: it follows the pages; read pages() again, or await result()");
    }
    this.#isRestRead = true;
    yield* (await this.#start()).rest();
  }

  /**
   * What was promised and received; incomplete (`unfinished`) before the pages and the rest are read to their end.
   * The ledger of `result()` is the result's own.
   */
  ledger(): Ledger {
    return this.#search?.ledger() ?? closeLedger({ received: 0, entries: [noteUnfinished(0)] });
  }

  /** Where the records come from, once the pages and the rest have been read. @throws {TypeError} If nothing was. */
  provenance(): Provenance {
    return this.#started.provenance();
  }

  /** What can be read; no request is sent. */
  toString(): string {
    const terms = typeof this.#terms === "string" ? this.#terms : JSON.stringify(this.#terms);
    return `every record that matches ${terms}: await .result() is one table, for await (const page of …) a page at a time`;
  }

  /** The same for a notebook. */
  [DISPLAY](): MediaBundle {
    return textView(this.toString());
  }

  get #started(): SearchAll {
    if (this.#search !== undefined) return this.#search;
    throw new TypeError(
      "Cannot describe the result of the search: nothing has been read; read its pages first, or result()",
    );
  }

  /** A search whose pages nobody has read: each reading counts its own records. */
  #startToRead(): Promise<SearchAll> {
    if (this.#isRead) this.#starting = undefined;
    this.#isRead = true;
    this.#isRestRead = false;
    return this.#start();
  }

  #start(): Promise<SearchAll> {
    return this.#starting ??= loadSearch().then(({ startSearchAll }) =>
      this.#search = startSearchAll(this.#context, this.#terms, this.#settings)
    );
  }
}
