/** One export, however many requests it takes: all that match a query, or records by accession in batches. */
import { findDefinitions, hideInError, NoResultsError, type Receipt, type RegistryClient } from "../../client/mod.ts";
import { ParseError, RegistryError } from "../../errors.ts";
import { closeLedger, type Ledger, type Provenance } from "../../contract/ledger.ts";
import { MAX_SELECTION } from "../../contract/limits.ts";
import type { SearchFilter } from "../../contract/search.ts";
import { type AccessionList, noteRepeated, splitBatches } from "../plan/accession_list.ts";
import { limitsOf } from "../plan/learned_limits.ts";
import { continuedExport, seenAnswer } from "./continued_export.ts";
import { ExportHead } from "./export_naming.ts";
import { DISPLAY, type MediaBundle, textView } from "../../io/display/mod.ts";
import { WorkProgress } from "../../io/tasks/work_progress.ts";
import type { Separator } from "../../io/csv/separator.ts";
import { noteFindings, noteUnnamed } from "./export_entries.ts";
import { absentFields } from "./export_fields.ts";
import type { ExportScanOptions } from "./export_scan.ts";
import { scanLeniently } from "./scan_leniently.ts";
import {
  describePart,
  downloadRequest,
  EXPORT_RUN_OPTIONS,
  type ExportRequest,
  type ExportRunOptions,
  type ExportScope,
  summarizeRequest,
} from "./export_request.ts";
import { InvalidLog } from "../plan/invalid_log.ts";
import { mergeExports } from "./merge_exports.ts";
import { RecordTally } from "./record_tally.ts";
import { ReleaseWatch } from "../plan/release_watch.ts";
import { ProvenanceLog } from "../results/provenance_log.ts";
import { checkOptions } from "../../options/check_options.ts";
import { hideInEntries } from "../plan/hide_in_ledger.ts";
import { type LedgerEntry, noteUnfinished } from "../../contract/ledger_entries.ts";

export type { ExportRequest, ExportRunOptions, ExportScope };

/**
 * An export under way. Read {@linkcode ExportRun.bytes} to its end, then ask for ledger and provenance.
 *
 * The received data is checked against the request: fields, accessions, format. A status 404, like a header without
 * rows, means that nothing matched, and is not a failure: see {@linkcode ExportRun.matched}.
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
 * assertEquals(await new Response(ReadableStream.from(run.bytes())).text(), body);
 * assertEquals(run.ledger().missing, ["vj000000000002"]);
 * ```
 */
export class ExportRun {
  readonly #client: RegistryClient;
  readonly #request: ExportRequest;
  readonly #options: ExportRunOptions;
  readonly #log: ProvenanceLog;
  readonly #releases: ReleaseWatch;
  readonly #tally: RecordTally;
  /** Accessions of each request: fewer, and more of them, once the registry has refused so many at once. */
  #batches: readonly (readonly string[])[];
  readonly #head = new ExportHead();
  /** The name that the deployment's naming lacks, in words. */
  #namingMismatch: string | undefined;
  readonly #invalid: InvalidLog;
  /** What columns, header fields or elements are called; of a FASTA without field names the accession alone. */
  readonly #names = new Set<string>();
  #isAnswered = false;
  /** Whether the bytes were read to their end; absent before they are read. */
  #isRead: boolean | undefined;
  /** Whether an answer of no stated length ended within a line. */
  #mayBeCut = false;
  #separator: Separator = ",";
  readonly #left = new Map<string, LedgerEntry>();
  #fasta: Ledger | undefined;
  #absent: readonly string[] = [];
  #aliases: Promise<ReadonlyMap<string, string>> | undefined;
  #noResults: NoResultsError | undefined;
  #fault: ParseError | undefined;
  #listed: Ledger | undefined;
  #listFault: RegistryError | undefined;

  /** Takes a client, what is exported, and options. Nothing is asked yet. */
  constructor(client: RegistryClient, request: ExportRequest, options: ExportRunOptions = {}) {
    checkOptions("new ExportRun()", options, EXPORT_RUN_OPTIONS);
    this.#client = client;
    this.#request = request;
    this.#options = options;
    this.#releases = options.watch ?? new ReleaseWatch();
    this.#log = new ProvenanceLog(options.operation ?? "download", options.place ?? client.baseUrl);
    this.#invalid = new InvalidLog(request.fileType === "fasta" ? "record" : "row");
    const { scope } = request;
    this.#batches = "list" in scope ? splitBatches(scope.list.accessions, options.batchSize ?? MAX_SELECTION) : [];
    this.#tally = new RecordTally("list" in scope ? scope.list.accessions : undefined);
  }

  /** What is read of it, for a notebook. */
  [DISPLAY](): MediaBundle {
    return textView(`${describePart(this.#request.information, [], undefined)}: read its bytes(), then its ledger()`);
  }

  /** Whether any record came, asked for or not, readable or not; known when the bytes have been read. */
  get matched(): boolean {
    return this.#tally.received > 0 || this.#invalid.count > 0 || (this.#fasta?.unparsed ?? 0) > 0 ||
      this.#fault !== undefined;
  }

  /** Whether any record came with its accession; known when the bytes have been read. */
  get named(): boolean {
    return this.#tally.isNamed;
  }

  /** Whether any request was answered with a file, if only with a header. */
  get answered(): boolean {
    return this.#isAnswered;
  }

  /** The registry's status 404 when no request was answered with a file; `undefined` when one was. */
  get noResults(): NoResultsError | undefined {
    return this.#isAnswered ? undefined : this.#noResults;
  }

  /** What separates the cells of a CSV. */
  get separator(): Separator {
    return this.#separator;
  }

  /** Requests that the export takes. */
  get requests(): number {
    return Math.max(1, this.#batches.length);
  }

  /**
   * Yields the bytes of one valid file: as the registry sent them where one request does, else joined.
   *
   * Nothing comes when nothing matched. A consumer that stops early ends the request.
   *
   * @throws {ParseError} If the received data has another format than requested, or is truncated; if it is not a FASTA
   * file; if batches cannot be joined. An export of one request that breaks its format elsewhere is passed on as
   * received, and its ledger reports it.
   * @throws {RegistryError} As the client throws, but for status 404.
   * @throws {TypeError} If they were read before: ledger and provenance are those of one reading.
   */
  bytes(): AsyncGenerator<Uint8Array> {
    if (this.#isRead !== undefined) throw new TypeError("Cannot read an export twice: start another one");
    this.#isRead = false;
    return this.#watch(this.#toItsEnd(this.#whole()));
  }

  /** One part as it came, or several merged; the first answer tells how many accessions the registry takes at once. */
  async *#whole(): AsyncGenerator<Uint8Array> {
    const { fileType } = this.#request;
    const parts = this.#parts();
    try {
      const first = await parts.next();
      if (first.done) return;
      const all = (async function* () {
        yield first.value;
        yield* parts;
      })();
      yield* this.requests > 1 ? mergeExports(fileType, all, this.#scanOptions()) : this.#single(all);
    } finally {
      await parts.return(undefined);
    }
  }

  async *#toItsEnd(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      // What came may be quoted, and a registry may echo what it was sent.
      throw hideInError(error, this.#hide);
    }
    if (this.#tally.received > 0) this.#absent = await this.#findAbsent();
    const { information, fileType } = this.#request;
    const known = { separator: this.#separator, naming: this.#client.naming };
    const isList = information === "registry_accessions";
    this.#namingMismatch = await this.#head.findMismatch(fileType, { ...known, isList });
    if (this.#unnamedAbsent() > 0) await this.#askNames();
  }

  readonly #hide = (text: string): string => this.#client.hideCredentials(text);

  #scanOptions(): ExportScanOptions {
    const { information, metadata = [] } = this.#request;
    const fields = information === "registry_accessions" ? [] : metadata;
    return {
      naming: this.#client.naming,
      name: "the export",
      fields,
      isList: information === "registry_accessions",
      separators: this.#options.separators,
      readableOnly: this.#options.readableOnly,
      ...fields.length > 0 && { findAliases: () => this.#findAliases() },
      onRecord: (accession) => this.#tally.add(accession),
      onInvalid: (record) => this.#invalid.add(record),
      onHeader: (names) => names.forEach((name) => this.#names.add(name)),
      onFields: (aliases) => aliases.forEach((alias) => this.#names.add(alias)),
      onSeparator: (separator) => this.#separator = separator,
      onEntry: (entry) => this.#left.set(entry.text, entry),
      onLedger: (ledger) => this.#fasta = ledger,
    };
  }

  /** Fields that were asked for and did not come, under their public name or alias. */
  async #findAbsent(): Promise<readonly string[]> {
    const { information, fileType, metadata = [] } = this.#request;
    const { naming } = this.#client;
    if (information === "registry_accessions" || this.#fault !== undefined) return [];
    const came = fileType === "fasta" && this.#names.size === 0 ? [naming.accessionAlias] : [...this.#names];
    if (absentFields(metadata, came, { naming }).length === 0) return [];
    return absentFields(metadata, came, { naming, aliases: await this.#findAliases() });
  }

  /** Looks up aliases; a registry that has none, or no definitions, is no failure. */
  #findAliases(): Promise<ReadonlyMap<string, string>> {
    const { metadata = [] } = this.#request;
    const { signal } = this.#options;
    return this.#aliases ??= findDefinitions(this.#client, metadata, { signal }).then(
      ({ definitions }) => new Map(definitions.map(({ name, alias }) => [name, alias])),
      (error) => {
        if (error instanceof RegistryError || error instanceof ParseError) return new Map<string, string>();
        throw error;
      },
    );
  }

  /** How many of a list did not come, where the export has no column of accessions to tell which. */
  #unnamedAbsent(): number {
    const { scope } = this.#request;
    if (!("list" in scope) || this.#tally.isNamed || this.#tally.received === 0 || this.#fault !== undefined) return 0;
    return Math.max(0, scope.list.accessions.length - this.#tally.received);
  }

  /** Asks which records of the list exist, so that the ledger can name those that do not. */
  async #askNames(): Promise<void> {
    const { batchSize, signal } = this.#options;
    const request = { scope: this.#request.scope, information: "registry_accessions", fileType: "tsv" } as const;
    const names = new ExportRun(this.#client, request, { watch: this.#releases, batchSize, signal });
    try {
      for await (const _ of names.bytes());
      this.#listed = names.ledger();
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      this.#listFault = error;
    }
  }

  async *#watch(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { onProgress, operation = "download" } = this.#options;
    const { scope } = this.#request;
    const progress = new WorkProgress(onProgress);
    const shared = {
      task: operation,
      unit: "records",
      ..."list" in scope && { total: scope.list.accessions.length },
    } as const;
    const tell = (finished: boolean) => progress.tell({ ...shared, done: this.#tally.received, finished });
    for await (const chunk of progress.through(chunks)) {
      tell(false);
      yield chunk;
    }
    this.#isRead = true;
    tell(true);
  }

  async *#single(parts: AsyncGenerator<AsyncGenerator<Uint8Array>>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      yield* scanLeniently(this.#request.fileType, part, this.#scanOptions(), (fault) => this.#fault = fault);
    }
  }

  async *#parts(): AsyncGenerator<AsyncGenerator<Uint8Array>> {
    const { scope } = this.#request;
    if (!("list" in scope)) return yield* this.#ask({ query: scope.query, filter: scope.filter }, undefined);
    const limits = limitsOf(this.#client);
    let waiting = this.#batches.flatMap((batch) => splitBatches(batch, limits.within("selection", batch.length)));
    this.#batches = waiting;
    for (let asked = 0; waiting.length > 0;) {
      const [batch, ...others] = waiting;
      try {
        yield* this.#ask({ query: "" }, batch);
        waiting = others;
        asked++;
      } catch (error) {
        const most = limits.learnFrom(error, "selection", batch.length, ["selected_ids"]);
        if (most === undefined) throw error;
        waiting = waiting.flatMap((each) => splitBatches(each, most));
        this.#batches = [...this.#batches.slice(0, asked), ...waiting];
      }
    }
  }

  async *#ask(
    search: { readonly query: string; readonly filter?: readonly SearchFilter[] },
    selected: readonly string[] | undefined,
  ): AsyncGenerator<AsyncGenerator<Uint8Array>> {
    const { signal } = this.#options;
    const request = downloadRequest(this.#request, search, selected);
    const part = describePart(this.#request.information, this.#batches, selected);
    const retries = this.#client.startRetries();
    const see = (receipt: Receipt) => this.#releases.see(receipt, part);
    const ask = async () => await seenAnswer(await this.#client.download(request, { signal, retries }), see);
    const answer = await ask().catch((error) => {
      if (!(error instanceof NoResultsError)) throw error;
      this.#noResults = error;
    });
    if (answer === undefined) return;
    this.#isAnswered = true;
    yield continuedExport(answer, {
      askAgain: ask,
      retries,
      signal,
      onChunk: (chunk) => this.#head.add(chunk),
      onEnd: (whole, endsInLine) => {
        this.#log.add(whole.receipt());
        // Compressed data has an end of its own.
        const coding = whole.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
        const hasEnd = whole.totalBytes !== null || coding !== "identity";
        this.#mayBeCut ||= endsInLine && !hasEnd;
      },
    });
  }

  /** What was requested and what was received; incomplete (`unfinished`) before the bytes are read to their end. */
  ledger(extra: { readonly entries?: readonly LedgerEntry[] } = {}): Ledger {
    const { scope, fileType } = this.#request;
    const list = "list" in scope ? scope.list : undefined;
    const received = this.#tally.received + this.#invalid.readable;
    const read = this.#fasta?.entries ?? [];
    const isUnnamed = list !== undefined && !this.#tally.isNamed && this.#tally.received > 0;
    const entries = [
      ...this.#isRead ? [] : [noteUnfinished(received)],
      ...extra.entries ?? [],
      ...this.#releases.entries(),
      ...read.filter(({ level }) => level === "warning"),
      ...this.#left.values(),
      ...list === undefined ? [] : noteRepeated(list),
      ...noteFindings({
        fileType,
        repeated: this.#tally.repeated,
        isFull: this.#tally.isFull,
        mayBeCut: this.#mayBeCut,
        refusal: this.noResults?.detail ?? "",
        separator: this.#separator,
        absent: this.#absent,
        mismatch: this.#namingMismatch,
        fault: this.#fault?.message,
      }),
      ...isUnnamed
        ? noteUnnamed({
          asked: list.accessions.length,
          received: this.#tally.received,
          absent: this.#unnamedAbsent(),
          listed: this.#listed?.missing.length,
          fault: this.#listFault?.message,
          accessionField: this.#client.naming.accessionField,
        })
        : [],
      // What could not be read is counted below.
      ...read.filter(({ code, level }) => level === "reason" && code !== "unreadable"),
    ];
    return closeLedger({
      asked: list?.accessions.length ?? null,
      promised: list === undefined && this.#isRead && !this.matched ? 0 : null,
      received,
      unique: this.#tally.unique + this.#invalid.readable,
      missing: list === undefined || !this.#isRead || this.#fault !== undefined ? [] : this.#missingOf(list, isUnnamed),
      unasked: this.#tally.unasked,
      unparsed: this.#invalid.count + (this.#fasta?.unparsed ?? 0),
      ...this.#invalid.count > 0 && { unparsedReason: this.#hide(this.#invalid.describe()) },
      entries: hideInEntries(entries, this.#hide),
    });
  }

  #missingOf(list: AccessionList, isUnnamed: boolean): readonly string[] {
    const hasCome = (accession: string) => this.#tally.has(accession) || this.#invalid.hasUnread(accession);
    if (!isUnnamed) return list.accessions.filter((accession) => !hasCome(accession));
    const named = this.#listed?.missing ?? [];
    return named.length === this.#unnamedAbsent() ? named : [];
  }

  /** Where the bytes come from. Call it when they have been read. */
  provenance(): Provenance {
    const isWhole = this.#log.answers === 1 && this.requests === 1;
    return isWhole ? this.#log.close() : this.#log.close(summarizeRequest(this.#request, this.#batches.length));
  }
}
