/** Connections to the find database: loaded late, locked, shared by all searches. */
import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { SqlParameter } from "./_query_sql.ts";

/** Threads that search: all that the machine has, up to eight; one search of millions of records uses them all. */
const SEARCH_THREADS = String(Math.min(8, navigator.hardwareConcurrency));
/** Threads that import: each orders words in memory of its own, and the reading of the archives needs one, too. */
const IMPORT_THREADS = "2";
/** Memory of the database; beyond it, what it sorts goes to the disk. */
const MEMORY = "1GB";
/** Searches that run at once; others wait their turn. */
const CONNECTIONS = 4;
/** Milliseconds between interrupts of a statement that should end. */
const INTERRUPT_MS = 10;

/** Nothing but the one file is ever read: no other files, no network, no extensions. */
const LOCKED = {
  memory_limit: MEMORY,
  enable_external_access: "false",
  autoload_known_extensions: "false",
  autoinstall_known_extensions: "false",
  allow_community_extensions: "false",
  lock_configuration: "true",
};

/** A database whose queries take turns on a few connections. */
export interface FindDatabase extends AsyncDisposable {
  /**
   * Runs one statement.
   *
   * @throws The signal's reason when it aborts: the statement is interrupted, or never begins.
   */
  query(sql: string, parameters: readonly SqlParameter[], signal?: AbortSignal): Promise<DuckDBResultReader>;
}

/** Opens a database for writing; the caller closes both. */
export async function createDatabase(
  path: string,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(path, { ...LOCKED, threads: IMPORT_THREADS });
  return { instance, connection: await instance.connect() };
}

/** Ends a statement under way. */
export interface Interrupter extends Disposable {
  /** Begins to interrupt; goes on until the interrupter is disposed of, which is when the statement has ended. */
  interrupt(): void;
}

/** Makes an interrupter: an interrupt that comes before a statement really runs is lost, so it is said again. */
export function createInterrupter(connection: DuckDBConnection): Interrupter {
  let again: ReturnType<typeof setInterval> | undefined;
  let ended = false;
  return {
    interrupt() {
      // A connection that is closed already would bring the process down.
      if (ended) return;
      connection.interrupt();
      again ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
    },
    [Symbol.dispose]() {
      ended = true;
      clearInterval(again);
    },
  };
}

/** Opens a database that is only read. */
export async function openDatabase(path: string): Promise<FindDatabase> {
  const { DOUBLE, DuckDBInstance, LIST, listValue, VARCHAR } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(path, { ...LOCKED, threads: SEARCH_THREADS, access_mode: "READ_ONLY" });
  const idle: DuckDBConnection[] = [];
  for (let count = 0; count < CONNECTIONS; count++) idle.push(await instance.connect());
  const interrupts = new Set<() => void>();
  const waiting = new Set<(connection: DuckDBConnection) => void>();
  // A type that is guessed from a first value fails on the next: 12, then 0.5.
  const valueOf = (parameter: SqlParameter): DuckDBValue =>
    typeof parameter !== "object"
      ? parameter
      : listValue("texts" in parameter ? [...parameter.texts] : [...parameter.numbers]);
  const typeOf = (parameter: SqlParameter): DuckDBType =>
    typeof parameter === "number"
      ? DOUBLE
      : typeof parameter === "string"
      ? VARCHAR
      : LIST("texts" in parameter ? VARCHAR : DOUBLE);
  let closed = false;
  let whenIdle: (() => void) | undefined;

  const refuseClosed = () => {
    if (closed) throw new TypeError("Cannot search: the registry's store is closed");
  };
  const take = (signal: AbortSignal | undefined): Promise<DuckDBConnection> => {
    signal?.throwIfAborted();
    const connection = idle.pop();
    if (connection !== undefined) return Promise.resolve(connection);
    return new Promise((resolve, reject) => {
      const give = (connection: DuckDBConnection) => {
        signal?.removeEventListener("abort", leave);
        resolve(connection);
      };
      const leave = () => {
        waiting.delete(give);
        reject(signal!.reason);
      };
      waiting.add(give);
      signal?.addEventListener("abort", leave, { once: true });
    });
  };
  const giveBack = (connection: DuckDBConnection): void => {
    const [next] = waiting;
    if (next !== undefined) {
      waiting.delete(next);
      next(connection);
      return;
    }
    idle.push(connection);
    if (idle.length === CONNECTIONS) whenIdle?.();
  };

  return {
    async query(sql, parameters, signal) {
      refuseClosed();
      const connection = await take(signal);
      using interrupter = createInterrupter(connection);
      const { interrupt } = interrupter;
      interrupts.add(interrupt);
      try {
        refuseClosed();
        signal?.throwIfAborted();
        signal?.addEventListener("abort", interrupt, { once: true });
        return await connection.runAndReadAll(sql, parameters.map(valueOf), parameters.map(typeOf));
      } catch (cause) {
        signal?.throwIfAborted();
        refuseClosed();
        throw cause;
      } finally {
        signal?.removeEventListener("abort", interrupt);
        interrupts.delete(interrupt);
        giveBack(connection);
      }
    },
    async [Symbol.asyncDispose]() {
      if (closed) return;
      closed = true;
      for (const interrupt of interrupts) interrupt();
      if (idle.length < CONNECTIONS) await new Promise<void>((resolve) => whenIdle = resolve);
      for (const connection of idle) connection.closeSync();
      instance.closeSync();
    },
  };
}
