/**
 * A database of one's own, for work between Parquet files that memory does not hold: DuckDB, which sees these files and
 * its own folder, where it puts what exceeds its bound of memory, and nothing else. A database that is a file would be
 * compressed and written to its log as well.
 */
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import { join } from "node:path";
import { messageOf, RegistryError } from "../../errors.ts";
import { escapeGlob } from "../frames/glob.ts";
import { keepLeadingMarks } from "./result_frame.ts";
import { IN_UTC, interruptible, NO_EXTENSIONS } from "./_closed_duckdb.ts";
import { namedColumns, namesInFile, sqlName, sqlText } from "./sql_names.ts";

export { sqlName, sqlText };

/** Rows that are inserted together. */
const INSERTED = 4096;

/** Rows of a chunk of DuckDB, at most. */
const CHUNK_ROWS = 2048;

/** Memory that a thread reads files of a lake with, in MB. */
const THREAD_MB = 20;

/** How often work is tried, with so many times the memory each. */
const TRIES = 3;
const MORE_MEMORY = 3;

/** Bytes of an integer of 64 bits. */
const WORD_BYTES = 8;

/** Rows of a stream that are read ahead: with less, one thread waits for the other. */
const READ_AHEAD = "SET streaming_buffer_size = '16MB'";

/** Streams that read ahead at the same time: what is locked later takes no settings. */
const READERS = 3;

export interface ScratchSqlOptions {
  /** Parquet files that may be read. */
  readonly files: readonly string[];
  /** Folder of what the database spills; it exists. */
  readonly folder: string;
  /** Bound of the database's memory with two threads, in MB (default: 400); each further one reads with its own. */
  readonly memoryMb?: number;
  /** Ends each statement with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Rows of one batch, column by column. */
export interface ScratchBatch {
  /** Number of rows, at least 1. */
  readonly rows: number;
  /** Values of a column, counted from 0; null for none. Integers of 64 bits are `bigint`. */
  column(index: number): readonly DuckDBValue[];
  /** Values of a column of integers of 64 bits as words of 32 bits, the low one first; those of nulls are undefined. */
  words(index: number): Uint32Array;
}

/** A database that is gone when it is closed. */
export class ScratchSql implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** Connections of streams that are not in use. */
  readonly #readers: DuckDBConnection[];
  readonly #folder: string;
  readonly #signal: AbortSignal | undefined;
  /** Names of columns, by the first file of a table. */
  readonly #names = new Map<string, readonly string[]>();
  /** Other names of columns, likewise. */
  readonly #called = new Map<string, ReadonlyMap<string, string>>();
  #files = 0;
  #isClosed = false;

  private constructor(
    { instance, connection, readers, folder, signal }: {
      readonly instance: DuckDBInstance;
      readonly connection: DuckDBConnection;
      readonly readers: DuckDBConnection[];
      readonly folder: string;
      readonly signal?: AbortSignal;
    },
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#readers = readers;
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Loads what databases need, while nothing else is to be done. */
  static async prepare(): Promise<void> {
    await import("@duckdb/node-api");
    await keepLeadingMarks();
  }

  /** Creates the database. The folder and what is in it are the caller's to remove. */
  static async open({ files, folder, memoryMb = 400, signal }: ScratchSqlOptions): Promise<ScratchSql> {
    signal?.throwIfAborted();
    const { DuckDBInstance } = await import("@duckdb/node-api");
    await keepLeadingMarks();
    const instance = await DuckDBInstance.create(":memory:", {
      ...NO_EXTENSIONS,
      memory_limit: `${memoryMb + THREAD_MB * Math.max(0, navigator.hardwareConcurrency - 2)}MB`,
      temp_directory: join(folder, "spill"),
    });
    const connection = await instance.connect();
    await connection.run(IN_UTC);
    const readers = await Promise.all(Array.from({ length: READERS }, () => instance.connect()));
    for (const reader of readers) await reader.run(READ_AHEAD);
    const paths = [...new Set(await Promise.all(files.map((file) => Deno.realPath(file))))];
    // DuckDB checks the name as a pattern too: both forms must be allowed.
    const allowed = [...new Set(paths.flatMap((path) => [path, escapeGlob(path)]))].map(sqlText).join(", ");
    if (allowed !== "") await connection.run(`SET allowed_paths = [${allowed}]`);
    await connection.run(`SET allowed_directories = [${sqlText(await Deno.realPath(folder))}]`);
    await connection.run("SET enable_external_access = false");
    await connection.run("SET lock_configuration = true");
    return new ScratchSql({ instance, connection, readers, folder, signal });
  }

  /** Has columns of Parquet files called otherwise from now on: other names by those in the files. */
  async callColumns(files: readonly string[], names: ReadonlyMap<string, string>): Promise<void> {
    this.#called.set(await Deno.realPath(files[0]), names);
  }

  /**
   * What reads Parquet files, in their order, in a FROM: their table function, or a subquery in which columns whose
   * names differ in case alone have those of {@linkcode sqlNames}, or of {@linkcode ScratchSql.callColumns}.
   */
  async parquet(files: readonly string[]): Promise<string> {
    const paths = await Promise.all(files.map((file) => Deno.realPath(file)));
    const texts = paths.map((path) => sqlText(escapeGlob(path)));
    const reading = `read_parquet([${texts.join(", ")}], hive_partitioning = false)`;
    const [first] = paths;
    if (first === undefined) return reading;
    let names = this.#names.get(first);
    if (names === undefined) {
      names = await this.#guarded(this.#connection, (connection) => namesInFile(connection, first));
      this.#names.set(first, names);
    }
    const called = this.#called.get(first);
    const named = namedColumns(reading, names, called && names.map((name) => called.get(name) ?? name));
    return named === reading ? reading : `(SELECT *, file_index, file_row_number FROM ${named})`;
  }

  /** Runs one statement without a result. */
  async run(text: string, values: readonly DuckDBValue[] = []): Promise<void> {
    await this.#guarded(this.#connection, (connection) => connection.run(text, [...values]));
  }

  /** Runs one statement and returns all its rows. */
  async all(text: string, values: readonly DuckDBValue[] = []): Promise<DuckDBValue[][]> {
    const reader = await this.#guarded(this.#connection, (connection) => connection.runAndReadAll(text, [...values]));
    return reader.getRows();
  }

  /** What ends the database's statements, if anything does. */
  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  /** A path in the database's folder for a new file, which is the caller's to remove. */
  newPath(): string {
    return join(this.#folder, `file-${this.#files++}`);
  }

  /** Appends rows to a table of whole numbers, passed as its columns. */
  async append(table: string, columns: readonly (readonly bigint[])[]): Promise<void> {
    const { DuckDBDataChunk } = await import("@duckdb/node-api");
    const rows = columns[0]?.length ?? 0;
    if (rows === 0) return;
    await this.#guarded(this.#connection, async (connection) => {
      const appender = await connection.createAppender(table);
      const types = columns.map((_, at) => appender.columnType(at));
      for (let from = 0; from < rows; from += CHUNK_ROWS) {
        const chunk = DuckDBDataChunk.create(types);
        chunk.setColumns(columns.map((column) => column.slice(from, from + CHUNK_ROWS)));
        appender.appendDataChunk(chunk);
      }
      appender.closeSync();
    });
  }

  /** Appends rows to a table, passed as columns of texts, which become the types of the table's columns. */
  async insert(table: string, columns: readonly (readonly (string | null)[])[]): Promise<void> {
    const { listValue, LIST, VARCHAR } = await import("@duckdb/node-api");
    const names = columns.map((_, at) => `unnest($${at + 1})`).join(", ");
    const rows = columns[0]?.length ?? 0;
    for (let from = 0; from < rows; from += INSERTED) {
      const values = columns.map((column) => listValue(column.slice(from, from + INSERTED)));
      await this.#guarded(
        this.#connection,
        (connection) =>
          connection.run(`INSERT INTO ${sqlName(table)} SELECT ${names}`, values, columns.map(() => LIST(VARCHAR))),
      );
    }
  }

  /**
   * Writes the rows of a query to a new file in the database's folder: a line a row, its columns of text separated by
   * tabs, without any quoting; null is empty.
   *
   * @returns The path of the file, which is the caller's to remove.
   */
  async copyLines(query: string): Promise<string> {
    const path = this.newPath();
    await this.run(
      `COPY (${query}) TO ${sqlText(path)} (FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '', ESCAPE '', NULLSTR '')`,
    );
    return path;
  }

  /** Writes the rows of a query to a new Parquet file in the database's folder, in their order; returns its path. */
  async copyParquet(query: string): Promise<string> {
    const path = this.newPath();
    await this.run(`COPY (${query}) TO ${sqlText(path)} (FORMAT parquet)`);
    return path;
  }

  /**
   * Writes the rows of a query to Parquet files in the database's folder, those of each value of a column of whole
   * numbers apart, in any order and without this column. Rows without a value are not read again.
   *
   * @returns A table function for each value that has rows, by value.
   */
  async partition(query: string, column: string): Promise<string[]> {
    const folder = this.newPath();
    await this.run(`COPY (${query}) TO ${sqlText(folder)} (FORMAT parquet, PARTITION_BY (${sqlName(column)}))`);
    const found: { readonly value: number; readonly rows: string }[] = [];
    for await (const { name } of Deno.readDir(folder)) {
      const value = Number(name.slice(name.indexOf("=") + 1));
      if (Number.isNaN(value)) continue;
      const files = (await Array.fromAsync(Deno.readDir(join(folder, name)))).map((file) =>
        join(folder, name, file.name)
      );
      found.push({ value, rows: await this.parquet(files.toSorted()) });
    }
    return found.toSorted((a, b) => a.value - b.value).map(({ rows }) => rows);
  }

  /**
   * Runs one statement and yields its rows in batches of about 2,000; each is valid until the next. Other statements
   * may run meanwhile: on a shared connection they would end the rows of this one without an error.
   */
  async *stream(text: string, values: readonly DuckDBValue[] = []): AsyncGenerator<ScratchBatch> {
    this.#checkOpen();
    const { data_chunk_get_vector, vector_get_data } = (await import("@duckdb/node-bindings")).default;
    const own = this.#readers.pop() ?? await this.#instance.connect();
    try {
      const result = await this.#guarded(own, () => own.stream(text, [...values]));
      for (;;) {
        const chunk = await this.#guarded(own, () => result.fetchChunk());
        if (chunk === null || chunk.rowCount === 0) return;
        const rows = chunk.rowCount;
        yield {
          rows,
          column: (index) => chunk.getColumnValues(index),
          words: (index) => {
            const data = vector_get_data(data_chunk_get_vector(chunk.chunk, index), WORD_BYTES * rows);
            return new Uint32Array(data.buffer, data.byteOffset, 2 * rows);
          },
        };
      }
    } finally {
      this.#readers.push(own);
    }
  }

  async #guarded<Value>(
    connection: DuckDBConnection,
    work: (connection: DuckDBConnection) => Promise<Value>,
  ): Promise<Value> {
    this.#checkOpen();
    this.#signal?.throwIfAborted();
    return await interruptible(
      connection,
      this.#signal,
      () => work(connection),
      (cause) => scratchError(cause, this.#folder),
    );
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new TypeError("Cannot read the result: it was closed; make it again");
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const connection of [this.#connection, ...this.#readers]) connection.closeSync();
    this.#instance.closeSync();
    return Promise.resolve();
  }
}

/**
 * Does work with a database whose memory is bounded, and again with more where that was too little: some files of
 * others have columns of hundreds of MB that are read at once.
 */
export async function withMemory<Value>(
  memoryMb: number,
  work: (memoryMb: number) => Promise<Value>,
): Promise<Value> {
  for (let [tried, mb] = [1, memoryMb];; tried++, mb *= MORE_MEMORY) {
    try {
      return await work(mb);
    } catch (error) {
      const isTooLittle = error instanceof RegistryError && /out of memory/i.test(messageOf(error.cause));
      if (tried === TRIES || !isTooLittle) throw error;
    }
  }
}

function scratchError(cause: unknown, folder: string): unknown {
  // What follows is advice on DuckDB's settings, which the user cannot change.
  const message = messageOf(cause).replace(/\s+/g, " ").replace(
    /\.? (?:Possible solutions:|This limit was set by).*/,
    "",
  );
  const refuse = (code: "disk" | "damaged", next: string) =>
    new RegistryError(code, `Cannot read the tables: ${message}; ${next}`, { cause });
  if (/no space left|failed to offload/i.test(message)) {
    return refuse("disk", `free some space in ${folder}, or set TMPDIR to a larger disk`);
  }
  if (/out of memory/i.test(message)) return refuse("disk", "use fewer columns or records, or shorter values");
  return refuse("damaged", "verify the files: seqreg lake verify LAKE");
}
