/**
 * A client of Spark Connect: statements on a Spark cluster, results as Arrow.
 *
 * It speaks the protocol of Spark 4.3 over gRPC, from any platform of the toolkit and without Java. Its packages are
 * loaded when a server is opened.
 */
import { unlessAborted } from "@seqreg/core/io/tasks";
import { rowsPlan, type Statement, type ViewFiles } from "./_relations.ts";
import { loadRpc, openRpc, type Rpc } from "./_rpc.ts";
import { Session, type SessionOptions } from "./_session.ts";
import { batchesOf, configure, createView, write } from "./_statements.ts";
import { SparkEndpoint } from "./connection_string.ts";
import type { SparkBatch } from "./frame.ts";
import type { SparkOptions, SparkQueryOptions, SparkStatementOptions } from "./options.ts";
import { SparkError } from "./spark_error.ts";
import { LEAST_VERSION } from "./version.ts";

/** Milliseconds in which a session is released when the client is disposed of. */
const RELEASE_MS = 3000;

export interface SparkResult {
  /** At least one, in order. */
  readonly batches: readonly SparkBatch[];
  readonly rows: number;
  readonly bytes: number;
  /** Warnings for the ledger, such as that the statement ran twice. */
  readonly warnings: readonly string[];
}

/** A result that the engine wrote as Parquet. */
export interface SparkWritten {
  /** Its folder, or its URL. */
  readonly location: string;
  /** Rows that the engine counted while it wrote them, if it reported them. */
  readonly rows?: number;
}

/**
 * A session on a Spark Connect server.
 *
 * A lost connection is taken up again where it was lost. If the server itself was killed, or has ended the session,
 * a new session gets the same settings and views, and the statement runs once more, with a warning.
 *
 * @example
 * ```ts ignore
 * await using client = await SparkClient.open("sc://head:15002/;use_ssl=true", { token });
 * await client.createView("v", ["s3a://bucket/lake/part-00000.parquet"]);
 * const result = await client.collect("SELECT count(*) AS n FROM v WHERE `Country` = ?", { parameters: ["Kenya"] });
 * ```
 */
export class SparkClient implements AsyncDisposable {
  /** `sc://host:port`, without credentials. */
  readonly endpoint: string;
  readonly #rpc: Rpc;
  readonly #options: SessionOptions;
  readonly #onWarning: (text: string) => void;
  readonly #isShared: boolean;
  readonly #settings = new Map<string, string>();
  readonly #views = new Map<string, ViewFiles>();
  #session: Session;
  #renewal: Promise<void> | undefined;

  private constructor(rpc: Rpc, endpoint: SparkEndpoint, { timeoutMs, reconnectMs, onWarning }: SparkOptions) {
    this.endpoint = endpoint.address;
    this.#rpc = rpc;
    this.#options = { rpc, endpoint, timeoutMs: timeoutMs ?? 30_000, reconnectMs: reconnectMs ?? 60_000 };
    this.#onWarning = onWarning ?? (() => {});
    this.#isShared = endpoint.sessionId !== undefined;
    this.#session = new Session(this.#options, endpoint.sessionId);
  }

  /** Loads the packages that a connection needs, and connects to nothing. @throws {Error} If one does not load. */
  static async load(): Promise<void> {
    await loadRpc();
  }

  /**
   * Connects to a server and begins a session.
   *
   * @param url Connection string: `sc://host:15002/;token=…;use_ssl=true`.
   * @throws {TypeError} If the connection string is wrong.
   * @throws {SparkError} If the server is not reached, refuses the token or is too old.
   */
  static async open(url: string, options: SparkOptions = {}): Promise<SparkClient> {
    const { token, headers, ca, signal } = options;
    const endpoint = SparkEndpoint.parse(url, { token, headers });
    signal?.throwIfAborted();
    const client = new SparkClient(await openRpc(endpoint, ca), endpoint, options);
    try {
      const version = await client.#readVersion("open the engine", 0, signal);
      if (Number.parseInt(version) < LEAST_VERSION) {
        throw client.#session.error("open the engine", "invalid-answer", `it is Spark ${version}`);
      }
      return client;
    } catch (thrown) {
      client.#rpc.close();
      throw thrown;
    }
  }

  /** Version of the engine, such as `4.3.0`. */
  async version(signal?: AbortSignal): Promise<string> {
    return await this.#readVersion("read the engine's version", undefined, signal);
  }

  /** Sets settings of the session. They are kept, and set again should the server lose the session. */
  async configure(settings: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void> {
    await this.#repeatable((session) => configure(session, Object.entries(settings), signal), { signal });
    for (const [key, value] of Object.entries(settings)) this.#settings.set(key, value);
  }

  /** Values of settings as the session has them now; those that have no value are absent. */
  async settings(keys: readonly string[], signal?: AbortSignal): Promise<Record<string, string>> {
    const operation = { opType: { case: "getOption", value: { keys } } };
    const { pairs } = await this.#repeatable(
      (session) => session.call("config", { operation }, { task: "read the session's settings", signal }),
      { signal },
    );
    return Object.fromEntries(pairs.flatMap(({ key, value }) => value === undefined ? [] : [[key, value]]));
  }

  /**
   * Makes a temporary view of Parquet files, each of them named. Names are no patterns, and nothing but the files is
   * read. The view is kept, and made again should the server lose the session.
   *
   * @param parts Absolute paths or URLs, such as `s3a://bucket/lake/table/part-00000.parquet`, at least one.
   */
  async createView(name: string, parts: readonly string[], signal?: AbortSignal): Promise<void> {
    await this.createFilesView(name, { parts }, signal);
  }

  /**
   * Makes such a view with columns about the files in addition to theirs, such as
   * `{ row: "_metadata.row_index", file: "_metadata.file_name" }`.
   */
  async createFilesView(name: string, files: ViewFiles, signal?: AbortSignal): Promise<void> {
    if (files.parts.length === 0) throw new RangeError(`Cannot create the view ${JSON.stringify(name)} of no files`);
    await this.#repeatable((session) => createView(session, name, files, signal), { signal });
    this.#views.set(name, { ...files, parts: [...files.parts] });
  }

  /**
   * Runs a statement and returns its whole result. Runs it once more, with a warning, if the server was killed or has
   * lost the session meanwhile.
   *
   * @throws {SparkError} If the engine refuses or fails, or the result exceeds the limits (reason `too-large`).
   */
  async collect(sql: string, options: SparkQueryOptions = {}): Promise<SparkResult> {
    const { signal } = options;
    const plan = rowsPlan(this.#checked({ sql, ...options }));
    const warnings: string[] = [];
    return await this.#repeatable(async (session) => {
      const batches: SparkBatch[] = [];
      for await (const batch of batchesOf(session, plan, options)) batches.push(batch);
      const sum = (pick: (batch: SparkBatch) => number) => batches.reduce((total, batch) => total + pick(batch), 0);
      return { batches, rows: sum(({ rows }) => rows), bytes: sum(({ arrow }) => arrow.length), warnings };
    }, { signal, warnings });
  }

  /**
   * Has the engine write the result of a statement as Parquet, below a folder that is for this result alone. Runs it
   * once more, into another folder there, if the server was killed or has lost the session meanwhile. If it fails,
   * files may be left below the folder.
   */
  async spill(sql: string, folder: string, options: SparkStatementOptions = {}): Promise<SparkWritten> {
    const statement = this.#checked({ sql, ...options });
    const { signal } = options;
    let attempt = 0;
    return await this.#repeatable(async (session) => {
      const location = `${folder}/attempt-${++attempt}`;
      const rows = await write(session, statement, location, options);
      return { location, ...rows !== undefined && { rows } };
    }, { signal });
  }

  /** Releases the session, unless the connection string names it, and closes the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    const call = { task: "release the session", reconnectMs: 0, timeoutMs: RELEASE_MS };
    if (!this.#isShared) await this.#session.call("releaseSession", {}, call).catch(() => {});
    this.#rpc.close();
  }

  async #readVersion(task: string, reconnectMs: number | undefined, signal?: AbortSignal): Promise<string> {
    const request = { analyze: { case: "sparkVersion", value: {} } };
    const { result } = await this.#repeatable(
      (session) => session.call("analyzePlan", request, { task, signal, reconnectMs }),
      { signal },
    );
    if (result.case !== "sparkVersion") throw this.#session.invalid(task, "the answer has no version");
    return result.value.version;
  }

  /** A frame would replace a view with its name, and leave nothing there. */
  #checked(statement: Statement): Statement {
    const views = new Set([...this.#views.keys()].map((name) => name.toLowerCase()));
    const taken = statement.frames?.find(({ name }) => views.has(name.toLowerCase()));
    if (taken !== undefined) throw new TypeError(`Cannot read a frame as "${taken.name}": a view has this name`);
    return statement;
  }

  /** The session, once the one that is replacing it is ready. */
  async #current(signal?: AbortSignal): Promise<Session> {
    if (this.#renewal !== undefined) await unlessAborted(this.#renewal.catch(() => {}), signal);
    return this.#session;
  }

  /** Does something with the session, and once more with a new one if the server has lost it. */
  async #repeatable<T>(
    action: (session: Session) => Promise<T>,
    { signal, warnings = [] }: { readonly signal?: AbortSignal; readonly warnings?: string[] } = {},
  ): Promise<T> {
    const session = await this.#current(signal);
    try {
      return await action(session);
    } catch (thrown) {
      if (!(thrown instanceof SparkError && thrown.reason === "session")) throw thrown;
      await unlessAborted(this.#renew(session), signal);
      const warning = `The Spark Connect server ${this.endpoint} was restarted or had ended the session: ` +
        "a new session has the same settings and views, and the statement was run once more.";
      warnings.push(warning);
      this.#onWarning(warning);
      return await action(this.#session);
    }
  }

  /** Replaces a lost session by a new one, once, however many statements it was lost to. */
  async #renew(lost: Session): Promise<void> {
    if (this.#session !== lost) return;
    this.#renewal ??= this.#begin().finally(() => this.#renewal = undefined);
    await this.#renewal;
  }

  async #begin(): Promise<void> {
    const session = new Session(this.#options);
    await configure(session, [...this.#settings]);
    for (const [name, files] of this.#views) await createView(session, name, files);
    this.#session = session;
  }
}
