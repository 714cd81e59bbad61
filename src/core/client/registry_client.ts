/**
 * The five operations of the registry as five methods.
 *
 * Each method checks its request before anything is sent and its answer before anything is returned. It enforces time
 * limits, retries where that may help, and follows redirects: to the same host or its https equivalent, and for a
 * dataset file, which a digest verifies, to other hosts too.
 */
import type { DownloadRequest } from "../contract/download.ts";
import {
  DEFINITION_MEDIA_TYPES,
  downloadMediaType,
  type FileType,
  type Information,
} from "../contract/enumerations.ts";
import type { DefinitionsRequest } from "../contract/metadata.ts";
import { type Naming, SPECIFICATION_NAMING } from "../contract/naming.ts";
import { ENDPOINTS, type Operation } from "../contract/paths.ts";
import type { SearchRequest } from "../contract/search.ts";
import type { SequenceRequest } from "../contract/sequence.ts";
import {
  type AnswerOrigin,
  checkDefinitionsBody,
  type CheckedFileType,
  readSearchBody,
  readSequenceBody,
} from "./_answer_checks.ts";
import { operationUrl, parseBaseUrl } from "./_base_url.ts";
import { checkHeaders, hideValues } from "./caller_headers.ts";
import { connectsDirectly } from "./_connect_probe.ts";
import { type ExchangeContext, exchangeFile, exchangeWhole, type PlannedCall } from "./_exchange.ts";
import {
  definitionsBody,
  demandFileName,
  downloadBody,
  searchBody,
  sequenceBody,
  type WireRequest,
} from "./_requests.ts";
import type { DefinitionsAnswer, FileAnswer, JsonAnswer, SearchAnswer, SequenceAnswer } from "./answers.ts";
import {
  CLIENT_OPTIONS,
  type ClientOptions,
  DATASET_OPTIONS,
  type DatasetRequestOptions,
  DEFAULT_TIMEOUTS,
  DEFINITIONS_OPTIONS,
  type DefinitionsRequestOptions,
  REQUEST_OPTIONS,
  type RequestOptions,
  type Timeouts,
} from "./options.ts";
import { RetryBudget } from "./retry_budget.ts";
import { checkOptions } from "../options/check_options.ts";

/** A page of this size needs some 420 MB of memory, for its bytes, its text and its values. */
const DEFAULT_MAX_ANSWER_BYTES = 64 << 20;

/**
 * A registry at a base address.
 *
 * The constructor sends nothing. Cookies are never sent or kept. Every method takes a `signal`, whose reason is thrown
 * as soon as it is aborted, also during a wait between attempts.
 *
 * @see Specification 4. Time limits, retries and redirects are our choice: the specification does not show them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RegistryClient } from "./registry_client.ts";
 *
 * // Any function from Request to Response will do, such as an embedded registry; without one, the network is asked.
 * const fetch = () => Promise.resolve(Response.json({
 *   total: 1,
 *   results: [{ id: "1", score: 2.5, source: { "Registry Accession": "vj000000000001" } }],
 *   facets: {},
 *   query: "country:Germany",
 * }));
 * const client = new RegistryClient("http://127.0.0.1:8080/", { fetch });
 * const { body, receipt } = await client.search({ query: "country:Germany" });
 *
 * assertEquals(body.results[0].source["Registry Accession"], "vj000000000001");
 * assertEquals(receipt.url, "http://127.0.0.1:8080/v2/search");
 * ```
 */
export class RegistryClient {
  /** Base address, without a trailing slash. */
  readonly baseUrl: string;
  /** The spellings of the deployment. */
  readonly naming: Naming;
  readonly #options: ClientOptions;
  readonly #context: ExchangeContext;

  /**
   * Takes the base address: http or https; a path prefix is kept, a trailing slash changes nothing.
   *
   * @param baseUrl Base address.
   * @param options Naming, time limits, retries, `fetch` and more.
   * @throws {TypeError} If the address is invalid, has a password, a query or a fragment, or a header field cannot be
   * sent.
   * @throws {RangeError} If a time limit or a number of attempts is invalid.
   */
  constructor(baseUrl: string | URL, options: ClientOptions = {}) {
    checkOptions("new RegistryClient()", options, CLIENT_OPTIONS);
    this.baseUrl = parseBaseUrl(baseUrl);
    this.naming = options.naming ?? SPECIFICATION_NAMING;
    this.#options = options;
    this.startRetries();
    this.#context = {
      baseUrl: this.baseUrl,
      naming: this.naming,
      transport: {
        fetch: options.fetch ?? ((request) => fetch(request)),
        headers: checkHeaders(options.headers),
        intercept: options.intercept,
        timeouts: completeTimeouts(options.timeouts),
        probes: options.fetch === undefined && connectsDirectly(),
      },
      maxAnswerBytes: options.maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
      now: options.now ?? Date.now,
      startRetries: () => this.startRetries(),
    };
  }

  /**
   * Searches: one page of matching records.
   *
   * @param request Query, filters, page and sort; the registry's defaults apply to absent ones.
   * @param options Signal and retries.
   * @returns The checked body, its bytes, and the receipt.
   * @throws {TypeError | RangeError} If the request violates the specification; nothing is sent then.
   * @throws {RegistryError} One of the family in `errors.ts`.
   * @see Specification 4.4.
   */
  async search(request: SearchRequest, options: RequestOptions = {}): Promise<SearchAnswer> {
    checkOptions("client.search()", options, REQUEST_OPTIONS);
    const plan = this.#post("search", "search", searchBody(request), "application/json");
    return await this.#askJson(plan, options, readSearchBody);
  }

  /**
   * Gets sequences as JSON. Accessions that the registry does not know are missing in the result.
   *
   * @param request Accessions.
   * @param options Signal and retries.
   * @returns The sequences by accession, the bytes, and the receipt.
   * @throws {TypeError | RangeError} If an accession is malformed; nothing is sent then.
   * @throws {RegistryError} One of the family in `errors.ts`.
   * @see Specification 4.3.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { RegistryClient } from "./registry_client.ts";
   *
   * const fetch = () => Promise.resolve(Response.json({ vj000000000001: "ACGT" }));
   * const client = new RegistryClient("http://127.0.0.1:8080", { fetch });
   * const { sequences } = await client.sequence({ accessions: ["vj000000000001"] });
   *
   * assertEquals(sequences.get("vj000000000001"), "ACGT");
   * ```
   */
  async sequence(request: SequenceRequest, options: RequestOptions = {}): Promise<SequenceAnswer> {
    checkOptions("client.sequence()", options, REQUEST_OPTIONS);
    const plan = this.#post("sequence", "get sequences", sequenceBody(request, this.naming), "application/json");
    const { body, bytes, receipt } = await this.#askJson(plan, options, readSequenceBody);
    return { ...body, bytes, receipt };
  }

  /**
   * Exports records as a file stream.
   *
   * Retries end with the first bytes of the file: a broken connection after them is an error of the stream, since an
   * export cannot be resumed. To request the whole again, as `Registry` does, share a budget from
   * {@linkcode RegistryClient.startRetries}.
   *
   * @param request Criteria and form of the export.
   * @param options Signal and retries.
   * @returns The file.
   * @throws {TypeError | RangeError} If the request violates the specification; nothing is sent then.
   * @throws {NoResultsError} If no record matches.
   * @throws {RegistryError} Another of the family in `errors.ts`, from the stream too.
   * @see Specification 4.2. Not shown there: exports and definitions are requested with `Accept-Encoding: identity`,
   * since the platform's `fetch` drops all but the first member of a gzip body; one that is sent encoded anyway is
   * decoded completely.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { RegistryClient } from "./registry_client.ts";
   *
   * const fetch = () => Promise.resolve(new Response(";fields=registry_accession\n>vj000000000001\nACGT\n"));
   * const client = new RegistryClient("http://127.0.0.1:8080", { fetch });
   * const file = await client.download({
   *   search: { query: "country:Germany" },
   *   download: { scope: "max", information: "sequences", fileType: "fasta" },
   * });
   *
   * assertEquals((await new Response(file.body).text()).split("\n")[1], ">vj000000000001");
   * assertEquals(file.receipt().bytes, 48);
   * ```
   */
  async download(request: DownloadRequest, options: RequestOptions = {}): Promise<FileAnswer> {
    checkOptions("client.download()", options, REQUEST_OPTIONS);
    const wire = downloadBody(request, this.naming);
    const { information, fileType } = request.download;
    const plan = this.#post("download", "download", wire, downloadMediaType(information, fileType) ?? "*/*");
    const checked = checkedFileType(information, fileType);
    const filePlan = { ...plan, ...checked && { fileType: checked } };
    const { exportMs } = this.#context.transport.timeouts;
    return await exchangeFile(
      request.download.scope === "max" ? { ...filePlan, firstByteMs: exportMs } : filePlan,
      options,
      this.#context,
    );
  }

  /**
   * Exports definitions of public fields. Names that the registry does not know are missing in the result.
   *
   * @param request Exact public field names.
   * @param options Format, signal and retries.
   * @returns The bytes, and the receipt.
   * @throws {TypeError | RangeError} If the request violates the specification; nothing is sent then.
   * @throws {RegistryError} One of the family in `errors.ts`.
   * @see Specification 4.5.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { RegistryClient } from "./registry_client.ts";
   *
   * const fetch = (request: Request) => Promise.resolve(new Response(`asked for ${request.headers.get("accept")}`));
   * const client = new RegistryClient("http://127.0.0.1:8080", { fetch });
   * const { bytes } = await client.definitions({ fields: ["Country"] }, { format: "csv" });
   *
   * assertEquals(new TextDecoder().decode(bytes), "asked for text/csv");
   * ```
   */
  async definitions(request: DefinitionsRequest, options: DefinitionsRequestOptions = {}): Promise<DefinitionsAnswer> {
    checkOptions("client.definitions()", options, DEFINITIONS_OPTIONS);
    const format = options.format ?? "csv";
    const wire = definitionsBody(request);
    const plan = this.#post("metadata_download", "get definitions", wire, DEFINITION_MEDIA_TYPES[format]);
    const { mediaType, bytes, receipt } = await exchangeWhole(
      plan,
      options,
      this.#context,
      (bytes, mediaType, origin) => checkDefinitionsBody(bytes, format, mediaType, origin),
    );
    return { format, mediaType, bytes, receipt };
  }

  /**
   * Gets one of the sixteen dataset files, or the rest of one, as a stream.
   *
   * The bytes are returned as sent, and are not verified here: an archive is valid only if its digest equals that of
   * its checksum file. A `Content-Encoding` is not decoded, as many servers set one for files that end in `.gz`.
   *
   * @param fileName File name as the deployment spells it.
   * @param options Range, signal and retries.
   * @returns The file; check `start` after requesting a range. Its receipt has no digest.
   * @throws {RangeError} If it is not one of the sixteen, or the range is invalid; nothing is sent then.
   * @throws {StatusError} With status 416 if the range begins at or after the end of the file.
   * @throws {RegistryError} Another of the family in `errors.ts`, from the stream too.
   * @see Specification 4.1. Ranges are not shown there: a registry that ignores them sends the whole file.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { RegistryClient } from "./registry_client.ts";
   *
   * const fetch = (request: Request) => Promise.resolve(new Response(new URL(request.url).search));
   * const client = new RegistryClient("http://127.0.0.1:8080", { fetch });
   * const file = await client.dataset("registryv1_unique_seqs_metadata.sha256");
   *
   * assertEquals(await new Response(file.body).text(), "?filename=registryv1_unique_seqs_metadata.sha256");
   * ```
   */
  async dataset(fileName: string, options: DatasetRequestOptions = {}): Promise<FileAnswer> {
    checkOptions("client.dataset()", options, DATASET_OPTIONS);
    demandFileName(fileName, this.naming);
    const { range } = options;
    const headers: Record<string, string> = range === undefined
      ? {}
      : { range: `bytes=${range.start}-`, "if-range": range.ifRange };
    const request = { filename: fileName };
    return await exchangeFile(
      {
        operation: "datasets_download",
        task: `get ${fileName}`,
        method: ENDPOINTS.datasets_download.method,
        url: operationUrl(this.baseUrl, "datasets_download", request),
        request,
        headers: { accept: "*/*", ...headers },
        isDataset: true,
        acceptsGzip: false,
      },
      options,
      this.#context,
    );
  }

  /**
   * Hides the values of the caller's header fields, which may be credentials, in text that echoes them.
   *
   * @param text A text to show, such as one that quotes an answer.
   * @returns The text with `[hidden]` for each of them.
   * @see Not shown in the specification: chosen because an error that quotes an answer must not show a credential.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { RegistryClient } from "./registry_client.ts";
   *
   * const client = new RegistryClient("http://127.0.0.1:8080", { headers: { "X-Key": "open-sesame" } });
   *
   * assertEquals(client.hideCredentials("no access with open-sesame"), "no access with [hidden]");
   * ```
   */
  hideCredentials(text: string): string {
    return hideValues(text, this.#context.transport.headers);
  }

  /** The same registry with the same options under another naming. */
  withNaming(naming: Naming): RegistryClient {
    return new RegistryClient(this.baseUrl, { ...this.#options, naming });
  }

  /** Starts a retry budget to share between several requests. */
  startRetries(): RetryBudget {
    const { retry, now, random, sleep, onRetry } = this.#options;
    return new RetryBudget(retry, { now, random, sleep, onRetry });
  }

  async #askJson<T>(
    plan: PlannedCall,
    options: RequestOptions,
    read: (bytes: Uint8Array, origin: AnswerOrigin) => T,
  ): Promise<JsonAnswer<T>> {
    const { value, bytes, receipt } = await exchangeWhole(
      plan,
      options,
      this.#context,
      (bytes, _mediaType, origin) => read(bytes, origin),
    );
    return { body: value, bytes, receipt };
  }

  #post(operation: Operation, task: string, { request, body }: WireRequest, accept: string): PlannedCall {
    const url = operationUrl(this.baseUrl, operation);
    const { method } = ENDPOINTS[operation];
    const acceptsGzip = JSON_ANSWERS.includes(operation);
    return { operation, task, method, url, request, body, headers: { accept }, isDataset: false, acceptsGzip };
  }
}

const JSON_ANSWERS: readonly Operation[] = ["search", "sequence"];

/** The type of an export whose beginning is checked: one of the five combinations of section 4.2. */
function checkedFileType(information: Information, fileType: FileType): CheckedFileType | undefined {
  return fileType === "json" || downloadMediaType(information, fileType) === undefined ? undefined : fileType;
}

function completeTimeouts({ connectMs, headersMs, idleMs, exportMs }: Timeouts = {}): Required<Timeouts> {
  return {
    connectMs: connectMs ?? DEFAULT_TIMEOUTS.connectMs,
    headersMs: headersMs ?? DEFAULT_TIMEOUTS.headersMs,
    idleMs: idleMs ?? DEFAULT_TIMEOUTS.idleMs,
    exportMs: exportMs ?? DEFAULT_TIMEOUTS.exportMs,
  };
}
