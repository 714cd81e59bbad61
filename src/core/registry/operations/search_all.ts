/** Every record that a search matches: pages first, then an export or parts, and a ledger that reconciles them. */
import { countOf } from "../../contract/count_of.ts";
import { InvalidRequestError, type RegistryClient } from "../../client/mod.ts";
import { closeLedger, type Ledger, type Provenance } from "../../contract/ledger.ts";
import { compareEnds, type KeptPage } from "../plan/compare_pages.ts";
import { describeFieldMismatch } from "../../contract/naming_evidence.ts";
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { SearchHit, SearchResponse } from "../../contract/search.ts";
import { AccessionSet } from "../plan/accession_set.ts";
import { ProvenanceLog } from "../results/provenance_log.ts";
import { noteInvalidHits, notePartial, noteTotal, type SearchCriteria } from "../plan/search_criteria.ts";
import { InvalidLog } from "../plan/invalid_log.ts";
import { hideInLedger } from "../plan/hide_in_ledger.ts";
import { limitsOf } from "../plan/learned_limits.ts";
import { isBeyondPaging, isOpen, type PageAnswer, type PageOptions, readPage } from "../plan/page_reader.ts";
import { WorkProgress } from "../../io/tasks/work_progress.ts";
import { ReleaseWatch } from "../plan/release_watch.ts";
import { RepeatedPages } from "../plan/repeated_pages.ts";
import { addSplit, planSearch, type SearchPlan } from "../plan/search_plan.ts";
import { splitSearch } from "../plan/search_split.ts";
import { type ExportedRows, SEARCH_ALL_OPTIONS, type SearchAllOptions } from "./search_all_options.ts";
import type { ExportRun } from "../exports/export_run.ts";
import { checkOptions } from "../../options/check_options.ts";
import type { LedgerCode } from "../../contract/ledger_codes.ts";
import { type LedgerEntry, type LedgerEntryFacts, noteEntry, noteUnfinished } from "../../contract/ledger_entries.ts";
import { fetchPages, type SearchedPage, withinPage } from "./_fetch_pages.ts";
import { noteDuplicates } from "../exports/export_entries.ts";
import { exportMatches, readExportedRows } from "./_exported_rows.ts";
import { noteEarlyEnd, noteExported, noteFewer, noteParts } from "./_search_entries.ts";

/** Results in a page when all are asked for: ten requests for the first 10,000. */
export const ALL_PAGE_SIZE = 1000;

/** What the ledger of the export shows, and no comparison of records. */
const OF_EXPORT: readonly LedgerCode[] = ["separator-unusual", "line-end-absent", "registry-message"];

export { type ExportedRows, noteExported, type SearchAllOptions };

/** A search for all records under way: {@linkcode SearchAll.begin}, then pages, then the rest, then the ledger. */
export class SearchAll {
  readonly #client: RegistryClient;
  readonly #criteria: SearchCriteria;
  readonly #options: SearchAllOptions;
  readonly #log: ProvenanceLog;
  readonly #watch: ReleaseWatch;
  /** Accessions that pages gave: 10,000 at most. */
  readonly #paged = new Set<string>();
  readonly #fields = new Set<string>();
  /** Accessions that only the export gave. */
  readonly #beyond = new AccessionSet();
  readonly #again = new Set<string>();
  readonly #invalid = new InvalidLog();
  readonly #entries: LedgerEntry[] = [];
  #plan: SearchPlan | undefined;
  #first: PageAnswer | undefined;
  #last: KeptPage | undefined;
  readonly #begun = performance.now();
  /** Matching records as they were counted page by page, where the registry does not say. */
  #proved: number | undefined;
  #export: Provenance | undefined;
  /** The record where paging ends. */
  #depth = MAX_SEARCH_DEPTH;
  readonly #repeats = new RepeatedPages();
  readonly #progress: WorkProgress;
  #received = 0;
  readonly #unread = new Set(["pages", "rest"]);
  #unnamed = 0;
  #unparsed = 0;
  readonly #unparsedReasons: string[] = [];

  /** Takes a client and what is searched. Nothing is asked yet. */
  constructor(client: RegistryClient, criteria: SearchCriteria, options: SearchAllOptions = {}) {
    checkOptions("new SearchAll()", options, SEARCH_ALL_OPTIONS);
    this.#client = client;
    this.#criteria = criteria;
    this.#options = options;
    this.#progress = new WorkProgress(options.onProgress);
    this.#watch = options.watch ?? new ReleaseWatch();
    this.#log = new ProvenanceLog(options.operation ?? "search", options.place ?? client.baseUrl);
  }

  /** Asks for the first page, and plans the rest by its total. */
  async begin(): Promise<SearchPlan> {
    if (this.#plan !== undefined) return this.#plan;
    const wanted = { pageNumber: 1, pageSize: this.#options.pageSize ?? ALL_PAGE_SIZE };
    this.#first = await readPage(this.#client, this.#criteria, wanted, { ...this.#pageOptions(), firstOnly: true });
    const answer = this.#first.body;
    this.#see(this.#first, "page 1");
    const open = isOpen(answer);
    // Where no total says how long a page must be, a short one may be all, or all that the registry gives at once.
    const pageSize = open ? Math.min(this.#first.pageSize, answer.results.length || 1) : this.#first.pageSize;
    const plan = planSearch(this.#criteria, answer.total, pageSize, {
      isOpen: open,
      limits: limitsOf(this.#client).describe(),
    });
    const { split: by } = this.#options;
    if (plan.complete || plan.atLeast || by === undefined) return this.#plan = plan;
    const probe = async (criteria: SearchCriteria) => {
      const counted = await this.#page(criteria, 1, 1);
      this.#see(counted, "the count of a part");
      return counted.body;
    };
    const split = { by, naming: this.#client.naming };
    return this.#plan = addSplit(plan, await splitSearch({ criteria: this.#criteria, answer }, probe, split));
  }

  /** The answer to the first page, once {@linkcode SearchAll.begin} has asked for it. */
  get first(): SearchResponse {
    if (this.#first === undefined) throw new TypeError("Cannot read the first page: begin() has not been awaited");
    return this.#first.body;
  }

  /** Yields the pages in order, three on their way at once; then what pages of parts have beyond them. */
  async *pages(): AsyncGenerator<SearchResponse> {
    yield* this.#progress.through(this.#readPages());
    this.#unread.delete("pages");
  }

  async *#readPages(): AsyncGenerator<SearchResponse> {
    const { steps, total, parts = [], pageSize, isOpen = false } = await this.begin();
    if (isOpen) return yield* this.#openPages(pageSize);
    const ask = ({ criteria, number }: SearchedPage, stop: AbortSignal) => this.#page(criteria, number, pageSize, stop);
    const own = Array.from({ length: steps[0].requests - 1 }, (_, index) => ({
      criteria: this.#criteria,
      number: index + 2,
    }));
    let number = 0;
    try {
      for await (const answer of fetchPages(own, ask, this.#first)) {
        number++;
        const body = this.#take(answer, number, pageSize);
        if (body.total !== total) this.#entries.push(noteTotal(total, body.total, number));
        this.#tell();
        yield body;
      }
    } catch (error) {
      this.#endPaging(error, number * pageSize);
    }
    const pages = parts.flatMap(({ criteria, total }) =>
      Array.from({ length: Math.ceil(total / pageSize) }, (_, index) => ({ criteria, number: index + 1 }))
    );
    for await (const answer of fetchPages(pages, ask)) {
      const { body, answers } = answer;
      this.#see(answer, "pages of the parts");
      for (const { receipt } of answers) this.#log.add(receipt);
      const results = this.#beyondPages(body.results);
      this.#tell();
      if (results.length > 0) yield { ...body, results };
    }
  }

  /** Goes on without pages where the registry refuses those beyond a record, and answered those before. */
  #endPaging(error: unknown, reached: number): undefined {
    if (reached === 0 || !isBeyondPaging(error)) throw error;
    this.#depth = reached;
    const { total, pageSize, isOpen, parts, limits = [] } = this.#plan!;
    // Parts hold every record, wherever the pages of the search itself end.
    if (isOpen === true || parts !== undefined) return;
    this.#plan = planSearch(this.#criteria, total, pageSize, { depth: reached, limits });
  }

  /** Counts a page of the search itself. */
  #take(answer: PageAnswer, number: number, pageSize: number): SearchResponse {
    this.#see(answer, `page ${number}`);
    for (const { receipt } of answer.answers) this.#log.add(receipt);
    const { body, entries } = withinPage(answer.body, pageSize);
    this.#entries.push(...entries);
    this.#count(body.results);
    this.#last = { number, body };
    return body;
  }

  /** Yields pages until one is not full: the only proof of the end where the registry does not say how many match. */
  async *#openPages(pageSize: number): AsyncGenerator<SearchResponse> {
    const last = Math.ceil(MAX_SEARCH_DEPTH / pageSize);
    for (let number = 1; number <= last; number++) {
      const first = number === 1 ? this.#first : undefined;
      const answer = first ?? await this.#page(this.#criteria, number, pageSize)
        .catch((error) => this.#endPaging(error, (number - 1) * pageSize));
      if (answer === undefined) return;
      const body = this.#take(answer, number, pageSize);
      this.#tell();
      yield body;
      // Without an end to compare with, such pages would be requested up to the limit of paging.
      const repeats = this.#repeats.count > 0;
      if (repeats) this.#entries.push(this.#repeats.end());
      // A page that ends where paging does proves nothing if it is full up to there.
      if (body.results.length < Math.min(pageSize, MAX_SEARCH_DEPTH - (number - 1) * pageSize) || repeats) {
        this.#proved = this.#paged.size;
        return;
      }
    }
  }

  /** Yields the records that no page had, by an export, where the plan has one. Read the pages before. */
  async *rest(): AsyncGenerator<ExportedRows> {
    yield* this.#progress.through(this.#readRest());
    this.#progress.finish();
    await this.#compareEnds();
    this.#unread.delete("rest");
  }

  /** Requests the first and the last page once more, where no mark shows whether the data changed. */
  async #compareEnds(): Promise<void> {
    const [{ pageSize }, first, last] = [await this.begin(), this.#first, this.#last];
    if (first === undefined || last === undefined || this.#watch.isMarked) return;
    const entries = await compareEnds([{ number: 1, body: first.body }, last], this.#begun, {
      ask: async (pageNumber) => {
        const options = { ...this.#pageOptions(), again: true };
        return (await readPage(this.#client, this.#criteria, { pageNumber, pageSize }, options)).body;
      },
      nameOf: (hit) => this.#nameOf(hit),
      isKnown: (name) => this.#paged.has(name),
    });
    this.#entries.push(...entries);
  }

  async *#readRest(): AsyncGenerator<ExportedRows> {
    const plan = this.#settled(await this.begin());
    const beyond = { count: Math.max(1, plan.total - this.#depth) };
    if (plan.reason !== null) this.#note("beyond-paging", plan.reason, beyond);
    if (plan.parts !== undefined) this.#entries.push(...noteParts(this.#beyond.size, plan.parts.length, this.#depth));
    if (!plan.steps.some(({ kind }) => kind === "export")) return this.#reconcile(plan, undefined);
    if (this.#options.exportRest === false) {
      const some = plan.atLeast ? "at least " : "";
      const text = `${some}${plan.total} records match and paging ends at ${this.#depth}`;
      this.#note("beyond-paging", text, beyond);
      return;
    }
    const run = exportMatches(this.#client, this.#criteria, { ...this.#options, watch: this.#watch });
    const pagedAgain = new Set<string>();
    try {
      yield* this.#readExport(run, pagedAgain);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const text = `the registry refused the export of what lies beyond ${this.#depth}: ${error.message}`;
      this.#note("export-refused", text, beyond);
      return;
    }
    this.#export = run.provenance();
    const { unparsed, entries } = run.ledger();
    this.#unparsed = unparsed;
    this.#unparsedReasons.push(...entries.filter(({ code }) => code === "unreadable").map(({ text }) => text));
    this.#entries.push(...entries.filter(({ code }) => OF_EXPORT.includes(code)));
    this.#reconcile(plan, pagedAgain.size);
  }

  async *#readExport(run: ExportRun, pagedAgain: Set<string>): AsyncGenerator<ExportedRows> {
    const take = (accession: string): boolean => {
      if (this.#paged.has(accession)) {
        pagedAgain.add(accession);
        return false;
      }
      this.#received++;
      if (accession === "") this.#unnamed++;
      else if (!this.#beyond.add(accession)) this.#again.add(accession);
      return true;
    };
    for await (const rows of readExportedRows(run, { naming: this.#client.naming, fields: this.#fields }, take)) {
      if (rows === undefined) {
        return this.#note("accessions-absent", "the export names no accessions, so it cannot be joined with the pages");
      }
      this.#tell();
      yield rows;
    }
  }

  /** Compares the received records with the registry's count. */
  #reconcile({ total, atLeast, reason }: SearchPlan, pagedAgain: number | undefined): void {
    const unique = this.#paged.size + this.#beyond.size + this.#unnamed;
    if (pagedAgain !== undefined) {
      const beyond = this.#beyond.size + this.#unnamed;
      this.#entries.push(...noteExported({ beyond, paged: this.#paged.size, pagedAgain, depth: this.#depth }));
    }
    // What no page can reach has its reason already.
    const reachable = reason === null ? total : Math.min(total, this.#depth);
    if (unique + this.#unparsed < reachable) {
      this.#entries.push(noteFewer(total, unique, this.#repeats));
    } else if (unique > total && !atLeast) {
      const text = `${countOf(unique, "record")} came, the registry counts ${total}`;
      this.#note("more-than-promised", text, { count: unique - total });
    }
  }

  /** The plan once the pages of an open search are read: its end is proved, or lies beyond paging. */
  #settled(plan: SearchPlan): SearchPlan {
    if (plan.isOpen !== true) return plan;
    if (this.#proved === undefined) {
      return this.#plan = planSearch(this.#criteria, Math.max(plan.total, this.#depth), plan.pageSize, {
        atLeast: true,
        depth: this.#depth,
        limits: plan.limits ?? [],
      });
    }
    if (this.#proved < plan.total) this.#entries.push(noteEarlyEnd(plan.total, this.#proved));
    return { ...plan, steps: plan.steps.filter(({ kind }) => kind === "pages"), total: this.#proved };
  }

  /** What was promised and received; incomplete (`unfinished`) before pages and rest are read to their end. */
  ledger(): Ledger {
    const sources = this.#first?.body.results.map(({ source }) => source) ?? [];
    const mismatch = describeFieldMismatch(sources, this.#client.naming);
    const entries = [...this.#watch.entries(), ...this.#entries];
    if (mismatch !== undefined) entries.push(noteEntry("naming-mismatch", mismatch));
    const unparsedReasons = [...this.#invalid.count > 0 ? [this.#invalid.describe()] : [], ...this.#unparsedReasons];
    entries.push(...noteDuplicates([...this.#again]));
    if (this.#unread.size > 0) entries.push(noteUnfinished(this.#received));
    const truncated = this.#plan !== undefined && this.#plan.total >= this.#depth && this.#export === undefined &&
      this.#plan.parts === undefined && this.#entries.some(({ level }) => level === "reason");
    const ledger = closeLedger({
      promised: this.#plan === undefined || this.#plan.isOpen === true ? null : this.#plan.total,
      received: this.#received,
      unique: this.#paged.size + this.#beyond.size + this.#unnamed,
      unparsed: this.#unparsed + this.#invalid.count,
      ...unparsedReasons.length > 0 && { unparsedReason: unparsedReasons.join("; ") },
      truncated,
      entries,
    });
    return hideInLedger(ledger, (text) => this.#client.hideCredentials(text));
  }

  #see({ answers, body, entries }: PageAnswer, part: string): void {
    this.#entries.push(...notePartial(body), ...entries);
    for (const { receipt } of answers) this.#watch.see(receipt, part);
  }

  #note(code: LedgerCode, text: string, facts?: LedgerEntryFacts): void {
    this.#entries.push(noteEntry(code, text, facts));
  }

  /** Where the records come from. Call it when pages and rest have been read. */
  provenance(): Provenance {
    const { query, filter, sort } = this.#criteria;
    const pages = this.#log.close(
      this.#log.answers === 1 && this.#export === undefined ? undefined : {
        query,
        filter: filter ?? [],
        ...sort && { sort },
        pageSize: this.#plan?.pageSize ?? this.#options.pageSize ?? ALL_PAGE_SIZE,
        pages: this.#log.answers,
        ...this.#export && { export: this.#export.request },
        ...this.#plan?.parts && { parts: this.#plan.parts.map(({ criteria }) => criteria) },
      },
    );
    if (this.#export === undefined) return pages;
    return { ...pages, bytes: pages.bytes + this.#export.bytes, sha256: null, finished: this.#export.finished };
  }

  async #page(criteria: SearchCriteria, number: number, pageSize: number, stop?: AbortSignal): Promise<PageAnswer> {
    return await readPage(this.#client, criteria, { pageNumber: number, pageSize }, this.#pageOptions(stop));
  }

  #pageOptions(stop?: AbortSignal): PageOptions {
    const signals = [this.#options.signal, stop].filter((signal) => signal !== undefined);
    return {
      nameOf: (hit) => this.#nameOf(hit),
      endsAtDepth: true,
      ...signals.length > 0 && { signal: AbortSignal.any(signals) },
    };
  }

  /** Keeps the hits of a part that neither a page nor another part had. */
  #beyondPages(hits: readonly SearchHit[]): SearchHit[] {
    const own = hits.filter((hit) => {
      const name = this.#nameOf(hit);
      return !this.#paged.has(name) && this.#beyond.add(name);
    });
    noteInvalidHits(own, this.#client.naming.accessionField, this.#invalid);
    this.#received += own.length;
    return own;
  }

  #nameOf({ source, id }: SearchHit): string {
    const accession = source[this.#client.naming.accessionField];
    return typeof accession === "string" && accession !== "" ? accession : id;
  }

  #count(hits: readonly SearchHit[]): void {
    noteInvalidHits(hits, this.#client.naming.accessionField, this.#invalid);
    for (const { source } of hits) for (const field of Object.keys(source)) this.#fields.add(field);
    const names = hits.map((hit) => this.#nameOf(hit));
    this.#repeats.add(names, this.#paged);
    for (const name of names) {
      this.#received++;
      if (this.#paged.has(name)) this.#again.add(name);
      this.#paged.add(name);
    }
  }

  #tell(): void {
    const total = this.#plan?.total;
    this.#progress.tell({
      task: "searching",
      done: this.#received,
      ...total !== undefined && { total },
      unit: "records",
      ...total === this.#received && { finished: true },
    });
  }
}
