/** `Registry`: the friendly face of a sequence registry. */
import { DISPLAY, type Displayable, type MediaBundle } from "../io/display/display.ts";
import { completeWork, prepareNotebook } from "../io/display/notebook_host.ts";
import { DATA_CLASS, escapeHtml, visible } from "../io/display/html.ts";
import { cacheFolder } from "../io/files/cache_folder.ts";
import { type ArchiveId, findArchive } from "../contract/datasets.ts";
import type { Ledger } from "../contract/ledger.ts";
import type { Naming } from "../contract/naming.ts";
import type { RegistryClient } from "../client/mod.ts";
import type { CitedLake } from "./results/cited_lake.ts";
import { connect, CONNECT_OPTIONS, type Connection, isOffline, lockedOptions, readEnvironment } from "./connect.ts";
import type { DatasetResult } from "./results/dataset_result.ts";
import { DefinitionCache } from "./definitions/definition_cache.ts";
import type { DefinitionsOptions, DefinitionsResult } from "./operations/get_definitions.ts";
import type { AccessionsOptions, AccessionsResult } from "./operations/get_accessions.ts";
import type { MetadataOptions } from "./operations/get_metadata.ts";
import type { SequencesOptions } from "./operations/get_sequences.ts";
import type { SearchPage } from "./operations/search_page.ts";
import { AllMatches } from "./operations/all_matches.ts";
import type { ExportRequest, ExportRun } from "./exports/export_run.ts";
import type { DownloadFileOptions, DownloadRecordsOptions } from "./exports/start_download.ts";
import type { Records, SearchTerms } from "./exports/records.ts";
import type { RegistryResult } from "./results/result.ts";
import type { DatasetContext } from "./archives.ts";
import type { RegistryContext } from "./operations/context.ts";
import { type LearnedLimits, limitsOf } from "./plan/learned_limits.ts";
import type { SearchPlan } from "./plan/search_plan.ts";
import type { SearchResult } from "./results/search_result.ts";
import type { SearchCriteria } from "./plan/search_criteria.ts";
import type { SequencesResult } from "./results/sequences_result.ts";
import {
  DATASET_OPTIONS,
  type DatasetOptions,
  type OpenOptions,
  PAGES_OPTIONS,
  type PagesOptions,
  type RegistryLakeOptions,
  SEARCH_EVERY_OPTIONS,
  SEARCH_OPTIONS,
  SEARCH_PAGE_OPTIONS,
  type SearchEveryOptions,
  type SearchOptions,
  type SearchPageOptions,
  SUGGEST_OPTIONS,
  type SuggestOptions,
} from "./registry_options.ts";
import { checkOptions } from "../options/check_options.ts";
import * as load from "./_load.ts";

/**
 * A registry: search it, and take metadata, sequences, accessions, definitions and datasets from it.
 *
 * Every result has rows, a polars frame on request, a ledger that says whether it is complete and why not, a
 * provenance, and writers. Close the registry when done, or declare it with `await using`.
 *
 * @example A folder of archives, served in this process; without a folder it is the built-in sample
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { makeSample } from "@seqreg/embedded/sample";
 * import { Registry } from "./registry.ts";
 *
 * const cacheFolder = await Deno.makeTempDir();
 * await makeSample(`${cacheFolder}/archives`, { records: 40 });
 * {
 *   await using registry = await Registry.open(`${cacheFolder}/archives`, { cacheFolder });
 *   const page = await registry.search("sequence_length:>500", { pageSize: 3, sort: { column: "sequence_length" } });
 *   const sequences = await registry.sequences({ ids: page.accessions });
 *   const metadata = await registry.metadata({ ids: ["vj000000000001", "vj999999999999"] }, { fields: ["Country"] });
 *
 *   assert(page.ledger.complete && sequences.ledger.complete);
 *   assertEquals(sequences.rows.map(({ length }) => length), page.rows.map((row) => row["Sequence Length"]));
 *   assertEquals(metadata.ledger.missing, ["vj999999999999"]);
 * }
 * await Deno.remove(cacheFolder, { recursive: true });
 * ```
 */
export class Registry implements AsyncDisposable, Displayable {
  readonly #connection: Connection;
  readonly #definitions: DefinitionCache;
  readonly #cache: string | undefined;
  readonly #offline: boolean;
  /** Path of the lock in which its answers are recorded, or from which they come; null without one. */
  readonly lock: string | null;

  private constructor(connection: Connection, options: OpenOptions) {
    this.#connection = connection;
    this.#definitions = new DefinitionCache(connection.client);
    this.#cache = options.cacheFolder;
    this.lock = options.lock || null;
    this.#offline = !connection.embedded && !options.lock && isOffline(options);
  }

  /**
   * Opens a registry.
   *
   * @param target Base address of a live registry, a folder of archives to serve in this process, or `zika` for 34 real
   * genomes. Without it: `SEQREG_URL`, else the built-in sample. Only the first needs network permission.
   * @param options Naming, cache folder, `fetch`, time limits, tries, offline, lock, signal.
   * @throws {TypeError} If the target is neither an address nor a possible folder name.
   * @throws {RegistryError} With code `not-an-archive-set`, `damaged` or `disk` if a folder cannot be served. A live
   * registry is not asked anything yet; while offline the first request gives code `offline`.
   */
  static async open(target?: string | URL, options: OpenOptions = {}): Promise<Registry> {
    checkOptions("Registry.open()", options, CONNECT_OPTIONS);
    prepareNotebook();
    const chosen = target === undefined ? readEnvironment("SEQREG_URL") : target;
    return new Registry(await connect(chosen, completeWork(options)), lockedOptions(options));
  }

  /** Calls the registry's raw operations. */
  get client(): RegistryClient {
    return this.#connection.client;
  }

  /** Limits that the registry has shown so far: what it refused for its size, or cut. */
  get limits(): LearnedLimits {
    return limitsOf(this.#connection.client);
  }

  /** What the deployment calls things. */
  get naming(): Naming {
    return this.#connection.naming;
  }

  /** Whether the registry answers in this process. */
  get embedded(): boolean {
    return this.#connection.embedded;
  }

  /** What provenance names: base address of a live registry, the folder of an embedded one, or the built-in one. */
  get place(): string {
    return this.#connection.place;
  }

  /** Folder of the archives of an embedded registry; `null` for a live one. */
  get folder(): string | null {
    return this.#connection.folder;
  }

  /** The registry in a few words: its base address, its folder, or `the built-in sample (synthetic)`. */
  get description(): string {
    return this.#connection.description;
  }

  /**
   * Searches for one page of hits, typed. A search without matches is an empty, complete result.
   *
   * @param terms `field:value` clauses separated by spaces, empty for all records; or `{ query, filter }`.
   * @param options Filter, page, order.
   * @returns Rows = hits; columns = public fields, typed by the registry's definitions.
   * @throws {TypeError | RangeError} If an option cannot be followed; before any I/O.
   * @throws {RegistryError} If the registry cannot be reached, or refuses the query.
   * @see Specification 4.4.
   */
  async search(terms: SearchTerms, options: SearchOptions = {}): Promise<SearchResult> {
    checkOptions("search()", options, SEARCH_OPTIONS);
    const work = completeWork(options);
    const { searchEvery, searchOnce } = await load.search();
    return options.all ? await searchEvery(this.#context, terms, work) : await searchOnce(this.#context, terms, work);
  }

  /**
   * Searches for every matching record; no request is sent before it is read: `await matches.result()` for one table,
   * `for await` for typed pages, `matches.plan()` for the requests.
   *
   * Beyond 10,000 matching records it continues by an export if the query is not empty; those rows have no identifier
   * and no score, and the ledger reports it. An empty query is divided into parts, by the values of a facet or, on the
   * embedded registry, by ranges of accessions, if probes prove that the parts add up to the total. If completeness
   * cannot be proved, the first 10,000 are returned with `complete: false` and the reason.
   *
   * @param terms As for {@linkcode Registry.search}.
   * @param options Filter, size of pages, order.
   * @throws {TypeError | RangeError} If an option cannot be followed; before any I/O.
   * @see Specification 4.4, rule 2. What lies beyond paging is reached as section 4.2, rule 2, allows: our choice.
   */
  searchAll(terms: SearchTerms, options: SearchEveryOptions = {}): AllMatches {
    checkOptions("searchAll()", options, SEARCH_EVERY_OPTIONS);
    const { beyondPages, exportRest = beyondPages, ...work } = completeWork<SearchEveryOptions>(options);
    return new AllMatches(this.#context, terms, { ...work, exportRest });
  }

  /**
   * Searches for one page and keeps it as it came: the response and its bytes, without types or definitions.
   *
   * Unlike `client.search`, which sends one request, it covers a page that the registry refuses or cuts for its size by
   * smaller ones, remembers that limit, and has a ledger and a provenance.
   *
   * @param terms As for {@linkcode Registry.search}.
   * @param options Filter, page, order.
   * @returns The response, its hits, ledger and provenance.
   * @throws {TypeError | RangeError | RegistryError} As {@linkcode Registry.search} does.
   * @see Specification 4.4.
   */
  async searchPage(terms: SearchTerms, options: SearchPageOptions = {}): Promise<SearchPage> {
    checkOptions("searchPage()", options, SEARCH_PAGE_OPTIONS);
    const { readSearchPage } = await import("./operations/search_page.ts");
    const { asSent, singleAnswer = asSent, ...work } = completeWork<SearchPageOptions>(options);
    return await readSearchPage(this.#context, terms, { ...work, singleAnswer });
  }

  /**
   * Adds to the ledger of a search or an export what may be wrong with its query: where no record matches, a field that
   * the registry does not have, or a value that nearly fits; on an embedded registry, a range that meets texts. Any
   * other ledger is returned as it is, without a request.
   *
   * @param criteria The search that the ledger is of.
   */
  async suggest(criteria: SearchCriteria, ledger: Ledger, options: SuggestOptions = {}): Promise<Ledger> {
    checkOptions("suggest()", options, SUGGEST_OPTIONS);
    const { suggestFor } = await import("./operations/suggest.ts");
    return await suggestFor(this.#context, criteria, ledger, options.signal);
  }

  /**
   * Searches page by page through the first 10,000 matching records. When more match, the last page's ledger is
   * incomplete, with the reason. So is a page with nothing but records of earlier pages, as a registry sends it that
   * ignores `pageNumber`: it is the last.
   *
   * @deprecated Write `for await (const page of registry.searchAll(terms))`, whose `ledger()` is that of all pages, or
   * `registry.searchAll(terms, { exportRest: false })` for the pages alone.
   * @see Specification 4.4, rule 2.
   */
  searchPages(terms: SearchTerms, options: PagesOptions = {}): AsyncGenerator<SearchResult> {
    checkOptions("searchPages()", options, PAGES_OPTIONS);
    return this.#searchPages(terms, completeWork(options));
  }

  async *#searchPages(terms: SearchTerms, options: PagesOptions): AsyncGenerator<SearchResult> {
    const { searchInPages } = await load.search();
    yield* searchInPages(this.#context, terms, options);
  }

  /** @deprecated Write `registry.searchAll(terms).plan()`. */
  async plan(terms: SearchTerms, options: PagesOptions = {}): Promise<SearchPlan> {
    checkOptions("plan()", options, PAGES_OPTIONS);
    return await this.searchAll(terms, options).plan();
  }

  /** @deprecated Write `registry.searchAll(terms).explain()`. */
  async explain(terms: SearchTerms, options: PagesOptions = {}): Promise<string> {
    checkOptions("explain()", options, PAGES_OPTIONS);
    return await this.searchAll(terms, options).explain();
  }

  /**
   * Exports metadata of records that match, or of named ones.
   *
   * More than 10,000 accessions are asked for in batches and joined. The accession is always the first column.
   *
   * @param records `{ ids }`, or `{ query, filter }`.
   * @param options Fields wanted, all by default; the way they come.
   * @returns Rows = records; columns typed by the registry's definitions. Nothing found is an empty result by default.
   * @throws {TypeError | RangeError} If an accession is malformed or the criteria are empty; before any I/O.
   * @throws {RegistryError} If the registry cannot be reached or refuses.
   * @see Specification 4.2.
   */
  async metadata(records: Records, options: MetadataOptions = {}): Promise<RegistryResult> {
    const { getMetadata, METADATA_OPTIONS } = await load.metadata();
    checkOptions("metadata()", options, METADATA_OPTIONS);
    return await getMetadata(this.#context, records, completeWork(options));
  }

  /**
   * Gets sequences of records that match, or of named ones: by the sequence operation for at most 100 accessions
   * without further fields, else by a FASTA export; `route` and the provenance say which.
   *
   * Many sequences are kept in a temporary folder and read a page at a time: `rows` and `entries` behave like arrays
   * that cannot be changed. `maxBases` limits their bases; {@linkcode Registry.download} streams them.
   *
   * @param records `{ ids }`, or `{ query, filter }`.
   * @param options Public fields to add to each sequence.
   * @returns Rows = records; the accession, fields asked for, `length`, `gc`, `ambiguous`, `sequence`.
   * @throws {TypeError | RangeError} If an accession is malformed or the criteria are empty; before any I/O.
   * @throws {RangeError} If more bases come than `maxBases` allows.
   * @throws {RegistryError} If the registry cannot be reached or refuses.
   * @see Specification 4.2 and 4.3. Where the one ends and the other begins is not shown: chosen for the size of
   * answers.
   */
  async sequences(records: Records, options: SequencesOptions = {}): Promise<SequencesResult> {
    const { getSequences, SEQUENCES_OPTIONS } = await load.sequences();
    checkOptions("sequences()", options, SEQUENCES_OPTIONS);
    return await getSequences(this.#context, records, completeWork(options));
  }

  /**
   * Lists accessions of records that match, or those of named ones that exist.
   *
   * @param records `{ ids }`, or `{ query, filter }`.
   * @returns Rows × 1 column.
   * @throws {TypeError | RangeError} If an accession is malformed or the criteria are empty; before any I/O.
   * @throws {RegistryError} If the registry cannot be reached or refuses.
   * @see Specification 4.2.
   */
  async accessions(records: Records, options: AccessionsOptions = {}): Promise<AccessionsResult> {
    const { getAccessions, ACCESSIONS_OPTIONS } = await load.accessions();
    checkOptions("accessions()", options, ACCESSIONS_OPTIONS);
    return await getAccessions(this.#context, records, completeWork(options));
  }

  /**
   * Starts an export that yields the file's bytes as the registry sends them; nothing is asked yet.
   *
   * @param records `{ ids }`, or `{ query, filter }`.
   * @param options What of the records, the file type, size of batches, separators, signal.
   * @returns The export: read its bytes, then its ledger and provenance.
   * @throws {TypeError | RangeError} If an option cannot be followed; before any I/O.
   * @see Specification 4.2.
   */
  async download(records: Records, options: DownloadRecordsOptions): Promise<ExportRun>;
  /** @deprecated Write `download({ ids } | { query, filter }, { information, fileType })`. */
  async download(request: ExportRequest, options?: DownloadFileOptions): Promise<ExportRun>;
  async download(
    records: Records | ExportRequest,
    options: DownloadRecordsOptions | DownloadFileOptions = {},
  ): Promise<ExportRun> {
    const { startDownload } = await load.startDownload();
    return startDownload(this, records, completeWork(options));
  }

  /**
   * Gets definitions of public fields. Names that match no field are `missing` in the ledger.
   *
   * @param names Exact public field names; without them, all fields that one record of the registry shows.
   * @returns Rows = definitions, as they came; `definitions` is what was understood of them.
   * @throws {RegistryError} If the registry cannot be reached or refuses.
   * @see Specification 4.5.
   */
  async definitions(names?: readonly string[], options: DefinitionsOptions = {}): Promise<DefinitionsResult> {
    const { getDefinitions, DEFINITIONS_OPTIONS } = await import("./operations/get_definitions.ts");
    checkOptions("definitions()", options, DEFINITIONS_OPTIONS);
    return await getDefinitions(this.#context, names, completeWork(options));
  }

  /**
   * Gets a dataset archive: verified, or an error; never in between.
   *
   * @param name One of the eight: its identifier, file name or stem.
   * @param options When the registry is asked.
   * @throws {RangeError} If the name is not one of the eight; before any I/O.
   * @throws {RegistryError} With code `checksum` if the bytes are not what the checksum file says, `offline` if the
   * cache does not hold them and the network is forbidden, or as the client throws.
   * @see Specification 4.1.
   */
  async dataset(name: ArchiveId | string, options: DatasetOptions = {}): Promise<DatasetResult> {
    checkOptions("dataset()", options, DATASET_OPTIONS);
    findArchive(name, this.naming);
    return await (await load.archives()).getDataset(this.#datasets, name, completeWork<DatasetOptions>(options));
  }

  /**
   * Gets archives, verified, and opens them together as one lake: metadata and sequences join, clusters have members.
   *
   * Archives are downloaded and converted once; then the lake is there at once, offline too. All eight of a live
   * registry may be hundreds of gigabytes: name the archives you need.
   *
   * @param options Archives wanted, mode, form of dates.
   * @throws {RangeError} If a name is not one of the eight, or the list is empty; before any I/O.
   * @throws {RegistryError} As {@linkcode Registry.dataset} and {@linkcode DatasetResult.lake} do.
   */
  async lake(options: RegistryLakeOptions = {}): Promise<CitedLake> {
    const { checkLakeOptions, openRegistryLake } = await load.archives();
    checkLakeOptions(options);
    return await openRegistryLake(this.#datasets, completeWork(options));
  }

  /** Releases what the registry holds open. May be called again. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  /** As {@linkcode Registry.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** One line: which registry. */
  toString(): string {
    return `Registry: ${this.#connection.description}${this.embedded ? ", in this process" : ""}`;
  }

  /** Shows the registry in a notebook as its summary. */
  [DISPLAY](): MediaBundle {
    const text = this.toString();
    return { "text/plain": visible(text), "text/html": `<p class="${DATA_CLASS}">${escapeHtml(text)}</p>` };
  }

  /** Shows the registry in the console as its summary. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  get #datasets(): DatasetContext {
    return { ...this.#context, cache: this.#cache ?? cacheFolder(), mode: this.#offline ? "offline" : "online" };
  }

  get #context(): RegistryContext {
    const { client, naming, place, embedded } = this;
    return { client, naming, place, embedded, definitions: this.#definitions };
  }
}
