/**
 * One export, however many requests it takes: all that match a query, or records by accession in batches.
 *
 * @module
 */
import { type FileAnswer, NoResultsError, type RegistryClient } from "../../client/mod.ts";
import { ParseError, RegistryError } from "../../errors.ts";
import type { OnProgress } from "../../io/work/progress.ts";
import type { Information, Keys } from "../../contract/enumerations.ts";
import { closeLedger, type Ledger, listSome, type Provenance } from "../../contract/ledger.ts";
import { MAX_SELECTION } from "../../contract/limits.ts";
import type { SearchFilter } from "../../contract/search.ts";
import { type AccessionList, splitBatches, warnRepeated } from "../plan/accession_list.ts";
import { AccessionSet } from "../plan/accession_set.ts";
import { type ExportType, scanExport } from "./export_scan.ts";
import { mergeExports } from "./merge_exports.ts";
import { ProvenanceLog } from "../results/provenance_log.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { checkOptions } from "../../contract/options/check_options.ts";

/** Which records an export covers: those that match, or those of a checked list. */
export type ExportScope =
  | { readonly query: string; readonly filter?: readonly SearchFilter[] }
  | { readonly list: AccessionList };

/** What is exported. */
export interface ExportRequest {
  /** Which records. */
  readonly scope: ExportScope;
  /** Metadata, accessions or sequences. */
  readonly information: Information;
  /** Format. */
  readonly fileType: ExportType;
  /** How fields are named in accession and sequence exports; the registry's default when absent. */
  readonly keys?: Keys;
  /** Public fields to include; all when absent or empty. */
  readonly metadata?: readonly string[];
}

/** Options of an {@linkcode ExportRun}. */
export interface ExportRunOptions {
  /** What the user does, as provenance states it; `download` by default. */
  readonly operation?: string;
  /** What provenance calls the registry; the client's base address by default. */
  readonly place?: string;
  /** Accessions in a request at most; 10,000, the registry's own limit, by default. */
  readonly batchSize?: number;
  /** Told how many records have come. */
  readonly onProgress?: OnProgress;
  /** Ends the export with the signal's reason. */
  readonly signal?: AbortSignal;
}

const EXPORT_RUN_OPTIONS = {
  operation: rule.text,
  place: rule.text,
  batchSize: rule.wholeNumber({ from: 1, to: MAX_SELECTION }),
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<ExportRunOptions>;

/**
 * An export under way. Read {@linkcode ExportRun.bytes} to its end, then ask for ledger and provenance.
 *
 * The status 404 of a registry means that nothing matched, and is no failure: {@linkcode ExportRun.matched} says so.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "../../client/mod.ts";
 * import { checkAccessions } from "../plan/accession_list.ts";
 * import { ExportRun } from "./export_run.ts";
 *
 * const body = "Registry Accession,Country\nvj000000000001,Kenya\n";
 * const client = new RegistryClient("http://127.0.0.1", {
 *   fetch: () => Promise.resolve(new Response(body, { headers: { "content-type": "text/csv" } })),
 * });
 * const scope = { list: checkAccessions(["vj000000000001", "vj000000000002"]) };
 * const run = new ExportRun(client, { scope, information: "metadata", fileType: "csv" });
 * let text = "";
 * for await (const chunk of run.bytes()) text += new TextDecoder().decode(chunk);
 *
 * assertEquals(text, body);
 * assertEquals(run.ledger().missing, ["vj000000000002"]);
 * ```
 */
export class ExportRun {
  readonly #client: RegistryClient;
  readonly #request: ExportRequest;
  readonly #options: ExportRunOptions;
  readonly #log: ProvenanceLog;
  readonly #seen = new AccessionSet();
  readonly #batches: readonly (readonly string[])[];
  readonly #again = new Set<string>();
  #received = 0;
  #unnamed = 0;
  #matched = false;
  #noResults: NoResultsError | undefined;
  #fault: ParseError | undefined;
  #names: Ledger | undefined;
  #namesFault: RegistryError | undefined;

  /** Takes a client, what is exported, and options. Nothing is asked yet. */
  constructor(client: RegistryClient, request: ExportRequest, options: ExportRunOptions = {}) {
    checkOptions("new ExportRun()", options, EXPORT_RUN_OPTIONS);
    this.#client = client;
    this.#request = request;
    this.#options = options;
    this.#log = new ProvenanceLog(options.operation ?? "download", options.place ?? client.baseUrl);
    const { scope } = request;
    this.#batches = "list" in scope ? splitBatches(scope.list.accessions, options.batchSize ?? MAX_SELECTION) : [];
  }

  /** Whether any request found a record; known when the bytes have been read. */
  get matched(): boolean {
    return this.#matched;
  }

  /** The registry's status 404 when no request found a record; `undefined` when one did. */
  get noResults(): NoResultsError | undefined {
    return this.#matched ? undefined : this.#noResults;
  }

  /** Requests that the export takes. */
  get requests(): number {
    return Math.max(1, this.#batches.length);
  }

  /**
   * Gives the bytes of one valid file: as the registry sent them where one request does, else joined.
   *
   * Nothing comes when nothing matched. A consumer that stops early ends the request.
   *
   * @throws {ParseError} If batches cannot be joined. An export of one request that breaks its format is passed on as it
   * came, and its ledger says so.
   * @throws {RegistryError} As the client throws, but for status 404.
   */
  bytes(): AsyncGenerator<Uint8Array> {
    const { fileType } = this.#request;
    const options = { naming: this.#client.naming, name: "the export", onRecord: this.#onRecord };
    const bytes = this.requests > 1 ? mergeExports(fileType, this.#parts(), options) : this.#single();
    return this.#watch(this.#toItsEnd(bytes));
  }

  async *#toItsEnd(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* bytes;
    if (this.#unnamedAbsent() > 0) await this.#askNames();
  }

  /** How many of a list did not come, where the export has no column of accessions to tell which. */
  #unnamedAbsent(): number {
    const { scope } = this.#request;
    if (!("list" in scope) || this.#seen.size > 0 || this.#received === 0 || this.#fault !== undefined) return 0;
    return scope.list.accessions.length - this.#received;
  }

  /** Asks which records of the list there are: whoever asked for them is told by name which there are not. */
  async #askNames(): Promise<void> {
    const { batchSize, signal } = this.#options;
    const request = { scope: this.#request.scope, information: "registry_accessions", fileType: "tsv" } as const;
    const names = new ExportRun(this.#client, request, {
      ...batchSize !== undefined && { batchSize },
      ...signal && { signal },
    });
    try {
      for await (const _ of names.bytes());
      this.#names = names.ledger();
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      this.#namesFault = error;
    }
  }

  async *#watch(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { onProgress, operation = "download" } = this.#options;
    const { scope } = this.#request;
    const tell = (finished: boolean) =>
      onProgress?.({
        task: operation,
        done: this.#received,
        ..."list" in scope && { total: scope.list.accessions.length },
        unit: "records",
        finished,
      });
    for await (const chunk of chunks) {
      tell(false);
      yield chunk;
    }
    tell(true);
  }

  async *#single(): AsyncGenerator<Uint8Array> {
    for await (const part of this.#parts()) {
      const options = { naming: this.#client.naming, name: "the export", onRecord: this.#onRecord };
      yield* scanLeniently(this.#request.fileType, part, options, (fault) => this.#fault = fault);
    }
  }

  async *#parts(): AsyncGenerator<AsyncGenerator<Uint8Array>> {
    const { scope } = this.#request;
    if (!("list" in scope)) return yield* this.#ask({ query: scope.query, filter: scope.filter }, undefined);
    for (const batch of this.#batches) yield* this.#ask({ query: "" }, batch);
  }

  async *#ask(
    search: { readonly query: string; readonly filter?: readonly SearchFilter[] },
    selected: readonly string[] | undefined,
  ): AsyncGenerator<AsyncGenerator<Uint8Array>> {
    const { information, fileType, keys, metadata } = this.#request;
    const { signal } = this.#options;
    let answer: FileAnswer;
    try {
      answer = await this.#client.download({
        search: { query: search.query, ...search.filter !== undefined && { filter: search.filter } },
        download: {
          scope: selected === undefined ? "max" : "selection",
          information,
          fileType,
          ...keys !== undefined && { keys },
          ...metadata !== undefined && { metadata },
          ...selected !== undefined && { selected_ids: selected },
        },
      }, { ...signal && { signal } });
    } catch (error) {
      if (!(error instanceof NoResultsError)) throw error;
      this.#noResults = error;
      return;
    }
    this.#matched = true;
    yield this.#drain(answer);
  }

  async *#drain(answer: FileAnswer): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body) yield chunk;
    this.#log.add(answer.receipt());
  }

  readonly #onRecord = (accession: string | undefined): void => {
    this.#received++;
    if (accession === undefined) this.#unnamed++;
    else if (!this.#seen.add(accession) && this.#again.size < 1000) this.#again.add(accession);
  };

  /** What was asked and what came. Call it when the bytes have been read. */
  ledger(extra: { readonly warnings?: readonly string[]; readonly reasons?: readonly string[] } = {}): Ledger {
    const { scope } = this.#request;
    const list = "list" in scope ? scope.list : undefined;
    const unique = this.#seen.size + this.#unnamed;
    const warnings = [...extra.warnings ?? []];
    const reasons = [...extra.reasons ?? []];
    if (list !== undefined) warnings.push(...warnRepeated(list));
    if (this.#again.size > 0) {
      warnings.push(`accessions that came more than once: ${listSome([...this.#again], 20)}`);
    }
    if (this.#seen.full) warnings.push("too many scattered accessions to count duplicates among all of them");
    if (this.#fault !== undefined) reasons.push(`not all records could be counted: ${this.#fault.message}`);
    let missing: string[] = [];
    if (list !== undefined && this.#seen.size === 0 && this.#received > 0) {
      // An export without the accession's column: only their number tells, unless the registry was asked for the names.
      const absent = this.#unnamedAbsent();
      const named = this.#names?.missing ?? [];
      if (absent > 0 && named.length === absent) missing = [...named];
      else if (absent > 0) {
        const why = this.#namesFault === undefined ? "" : ` (${this.#namesFault.message})`;
        reasons.push(
          `${absent} of ${list.accessions.length} asked for did not come; which ones cannot be told, since the export ` +
            `does not name accessions${why}: ask for ${this.#client.naming.accessionField} too`,
        );
      }
    } else if (list !== undefined && this.#fault === undefined) {
      missing = list.accessions.filter((accession) => !this.#seen.has(accession));
    }
    return closeLedger({
      asked: list?.accessions.length ?? null,
      promised: list === undefined && !this.#matched ? 0 : null,
      received: this.#received,
      unique,
      missing,
      reasons,
      warnings,
    });
  }

  /** Where the bytes come from. Call it when they have been read. */
  provenance(): Provenance {
    const { scope, information, fileType, keys, metadata } = this.#request;
    if (this.#log.answers === 1 && this.requests === 1) return this.#log.close();
    const summary = {
      ..."list" in scope
        ? { scope: "selection", accessions: scope.list.accessions.length, batches: this.#batches.length }
        : { scope: "max", query: scope.query, filter: scope.filter ?? [] },
      information,
      fileType,
      ...keys !== undefined && { keys },
      ...metadata !== undefined && { metadata },
    };
    return this.#log.close(summary);
  }
}

/** Passes an export on; where it breaks its format, it goes on without being read. */
async function* scanLeniently(
  fileType: ExportType,
  chunks: AsyncGenerator<Uint8Array>,
  options: Parameters<typeof scanExport>[2],
  onFault: (fault: ParseError) => void,
): AsyncGenerator<Uint8Array> {
  const pending: Uint8Array[] = [];
  const tapped = (async function* () {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      pending.push(next.value);
      yield next.value;
    }
  })();
  try {
    for await (const chunk of scanExport(fileType, tapped, options)) {
      pending.shift();
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    onFault(error);
    yield* pending;
    yield* chunks;
  } finally {
    await chunks.return(undefined);
  }
}
