/** Rows of Parquet files by their index: DuckDB over the files as they are, which sees them and nothing else. */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { DataFrame } from "nodejs-polars";
import { RegistryError } from "@seqreg/core/errors";
import { escapeGlob } from "@seqreg/core/engine/frames/glob";
import { frameOf } from "@seqreg/core/engine/local/result_frame";
import { namesInFile, sqlNames } from "@seqreg/core/engine/local/sql_names";
import { cellOf, cellSql, columnOf, type DescribedColumn, quoteName, quoteText, type SqlColumn } from "./column_sql.ts";
import { bothOf, conditionOf, NONE, type SqlCondition } from "./filter_sql.ts";
import { namesInCode } from "./live_code.ts";
import { allowObjectFiles, areObjects, isObjectGone } from "./object_files.ts";
import { readQuery } from "./read_query.ts";
import type { LiveCell, LiveFile, LiveFilter, LiveSource } from "./live_question.ts";

/** Column of a row's index in the files. */
export const ID = "seqreg_row_id";
/** Indices are kept in 32 bits. */
const MOST_ROWS = 2 ** 32 - 1;
/** Time between interrupts of queries that should end. */
const INTERRUPT_MS = 10;
/** DuckDB's names for the index of a row's file, from 0, and of the row in it. */
export const [FILE, FILE_ROW] = ["file_index", "file_row_number"];

/** A file of an open table is another one now. */
export class ChangedFileError extends RegistryError {
  /** Takes the message: which file, and what to do. */
  constructor(message: string) {
    super("disk", message);
  }
}

/** How much of the machine a table may take. */
export interface LiveLimits {
  /** Folder for what does not fit into memory; without one a query that needs it fails. */
  readonly spill?: string;
  /** Bytes of memory for DuckDB. */
  readonly memory?: number;
}

/** Memory of DuckDB for one table by default: an eighth of the machine's, at least 256 MB and at most 400 MB. */
export function defaultMemory(): number {
  return Math.max(256e6, Math.min(400e6, Deno.systemMemoryInfo().total / 8));
}

/** Queries at once: rows in sight do not wait for counts, nor these for orders of all rows. */
export type Urgency = "quick" | "aside" | "slow";

/** Parquet files as one table. */
export class ParquetRows implements AsyncDisposable {
  readonly columns: readonly SqlColumn[];
  /** Rows of all files; those that a query leaves are fewer. */
  readonly count: number;
  /** The condition of the query by the columns' names in code. */
  readonly queryInCode: SqlCondition;
  readonly source: LiveSource;
  readonly #files: readonly LiveFile[];
  /** Index of each file's first row, and after them the number of all rows. */
  readonly #starts: readonly number[];
  readonly #instance: DuckDBInstance;
  readonly #connections: Readonly<Record<Urgency, DuckDBConnection>>;
  /** Which rows are the table; empty for all. */
  readonly #query: SqlCondition;
  /** When the last query of each connection is over: another one would end its result early, without an error. */
  readonly #over: Record<Urgency, Promise<void>> = {
    quick: Promise.resolve(),
    aside: Promise.resolve(),
    slow: Promise.resolve(),
  };
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  private constructor(
    instance: DuckDBInstance,
    connections: Readonly<Record<Urgency, DuckDBConnection>>,
    table: {
      readonly columns: readonly SqlColumn[];
      readonly source: LiveSource;
      readonly starts: readonly number[];
      readonly query: SqlCondition;
      readonly queryInCode: SqlCondition;
    },
  ) {
    this.#query = table.query;
    this.queryInCode = table.queryInCode;
    this.#instance = instance;
    this.#connections = connections;
    this.columns = table.columns;
    this.source = table.source;
    this.#files = table.source.files;
    this.#starts = table.starts;
    this.count = table.starts[table.starts.length - 1];
  }

  /**
   * Opens files.
   *
   * @throws {ChangedFileError} If a file is not there any more, or has been changed since the source was described.
   * @throws {TypeError} If they are not Parquet files of the same columns.
   */
  static async open(source: LiveSource, limits: LiveLimits = {}): Promise<ParquetRows> {
    const { files, columns } = source;
    await checkUnchanged(files);
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:", {
      autoload_known_extensions: "false",
      autoinstall_known_extensions: "false",
      allow_community_extensions: "false",
      memory_limit: `${Math.round((limits.memory ?? defaultMemory()) / 1e6)}MB`,
      temp_directory: limits.spill ?? "",
    });
    try {
      const quick = await instance.connect();
      await quick.run("SET parquet_metadata_cache = true");
      // Times with a zone are shown and filtered as those of UTC.
      await quick.run("SET GLOBAL TimeZone = 'UTC'");
      // DuckDB checks a path as a pattern too: both forms must be allowed.
      const allowed = [...new Set(files.flatMap(({ path }) => [path, escapeGlob(path)]))];
      if (areObjects(files)) await allowObjectFiles(quick, allowed);
      else await quick.run(`SET allowed_paths = [${allowed.map(quoteText).join()}]`);
      await quick.run("SET enable_external_access = false");
      await quick.run("SET lock_configuration = true");
      const starts = await readStarts(quick, files);
      const described = await describe(quick, files);
      const chosen = columns ?? [...described.keys()].map((name) => ({ name }));
      const shown = chosen.map((column) => {
        const found = described.get(column.name);
        if (found === undefined) throw new TypeError(`Cannot show ${JSON.stringify(column.name)}: no such column`);
        return columnOf(found, column);
      });
      const numbers = `${FILE}, ${FILE_ROW}, ${indexSql(starts)} AS ${ID}`;
      await quick.run(`CREATE VIEW t AS SELECT *, ${numbers} FROM ${reading(files)}`);
      const query = await readQuery(quick, source, shown);
      const queryInCode = await readQuery(quick, source, shown, namesInCode(source, shown));
      return new ParquetRows(instance, {
        quick,
        aside: await instance.connect(),
        slow: await instance.connect(),
      }, { columns: shown, source, starts, query, queryInCode });
    } catch (cause) {
      instance.closeSync();
      throw goneOr(cause, files);
    }
  }

  /** Ends with an error if a file is not as it was when the table was opened. */
  async checkUnchanged(): Promise<void> {
    await checkUnchanged(this.#files);
  }

  /** The condition of another query over the same columns. */
  async conditionOf(query: string): Promise<SqlCondition> {
    return await this.#run("quick", (connection) => readQuery(connection, { ...this.source, query }, this.columns));
  }

  /** SQL of a row's index in the table, computed from its {@linkcode FILE} and {@linkcode FILE_ROW}. */
  get indexSql(): string {
    return indexSql(this.#starts);
  }

  /** Whether some filters leave every row. */
  isEvery(filters: readonly LiveFilter[]): boolean {
    return filters.length === 0 && this.#query.sql === "";
  }

  /** The condition that rows are of the table and match filters, to follow `FROM t`. */
  where(filters: readonly LiveFilter[]): SqlCondition {
    const { sql, values } = bothOf(this.#query, conditionOf(filters, this.columns));
    return { sql: sql === "" ? "" : ` WHERE ${sql}`, values };
  }

  /** Runs a query over `t`, whose {@linkcode ID} is a row's index. */
  async query(
    sql: string,
    values: readonly string[] = [],
    pace: Urgency = "quick",
  ): Promise<(readonly unknown[])[]> {
    return await this.#run(pace, async (connection) => (await connection.runAndReadAll(sql, [...values])).getRows());
  }

  /** Runs a query over `t`; its result is a polars frame. */
  async frame(sql: string, values: readonly string[]): Promise<DataFrame> {
    return await this.#run(
      "slow",
      async (connection) => await frameOf(await connection.runAndReadAll(sql, [...values])),
    );
  }

  /** Reads the offsets of rows that match, in the order of the files. */
  async firstIds(
    filters: readonly LiveFilter[],
    { limit, offset = 0, also = NONE }: {
      readonly limit: number;
      readonly offset?: number;
      readonly also?: SqlCondition;
    },
  ): Promise<number[]> {
    const { sql, values } = bothOf(bothOf(this.#query, conditionOf(filters, this.columns)), also);
    const where = sql === "" ? "" : ` WHERE ${sql}`;
    const query = `SELECT ${ID} FROM t${where} LIMIT ${limit} OFFSET ${offset}`;
    return (await this.query(query, values)).map(([id]) => Number(id));
  }

  /** Reads the indices of all rows, in an order: the terms of an ORDER BY. */
  async orderIds(by: string): Promise<Uint32Array> {
    return await this.#run("slow", async (connection) => {
      const numbers = new Uint32Array(this.count);
      const result = await connection.stream(`SELECT ${ID} FROM t ORDER BY ${by}`);
      let length = 0;
      for (;;) {
        // A list of an ordered query is not in its order when several threads made it; chunks are.
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
        numbers.set(numbersOf(chunk.getColumnVector(0)).subarray(0, chunk.rowCount), length);
        length += chunk.rowCount;
      }
      // A result that was ended early has no error.
      if (length === this.count) return numbers;
      throw new TypeError(`Cannot order the rows: DuckDB gave ${length} of ${this.count}`);
    });
  }

  /** Reads the indices of the rows that match, in no order. */
  async matchingIds({ sql, values }: SqlCondition): Promise<Uint32Array> {
    return await this.#run("quick", async (connection) => {
      // One list is read five times as fast as chunks are.
      const result = await connection.stream(`SELECT list(${ID}) FROM t${sql}`, [...values]);
      const list: unknown = (await result.fetchChunk())?.getColumnVector(0);
      const isNone = Reflect.get(Object(list), "getItem")?.call(list, 0) === null;
      return isNone ? new Uint32Array(0) : numbersOf(Reflect.get(Object(list), "childData"));
    });
  }

  /** Reads values of rows, in the order of `ids`; `characters` of a text are read. */
  async readCells(
    ids: readonly number[],
    columns: readonly number[],
    characters: number,
  ): Promise<LiveCell[][]> {
    if (ids.length === 0) return [];
    const shown = columns.map((column) => this.columns[column]);
    const parts = ids.map((id) => this.#partOf(id));
    // Of the files only those that hold the rows are opened, and of these only the row groups.
    const files = [...new Set(parts.map(([file]) => file))].sort((a, b) => a - b);
    const rows = [...new Set(parts.map(([, row]) => row))];
    const cells = shown.map((column) => `, ${cellSql(column, characters)}`).join("");
    const found = await this.query(
      `SELECT ${FILE}::INTEGER, ${FILE_ROW}::DOUBLE${cells} ` +
        `FROM ${reading(files.map((file) => this.#files[file]))} WHERE ${FILE_ROW} IN (${rows.join()})`,
    );
    const byId = new Map(
      found.map(([file, row, ...cells]) => [this.#starts[files[Number(file)]] + Number(row), cells]),
    );
    return ids.map((id) => {
      const cells = byId.get(id) ?? [];
      return shown.map((column, index) => cellOf(column, cells[2 * index], cells[2 * index + 1]));
    });
  }

  #partOf(id: number): [file: number, row: number] {
    let [low, high] = [0, this.#files.length - 1];
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (this.#starts[middle] <= id) low = middle;
      else high = middle - 1;
    }
    return [low, id - this.#starts[low]];
  }

  /** Runs a query when those before it on its connection are over; the database is not closed under it. */
  async #run<T>(pace: Urgency, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const running = this.#over[pace].then(() => {
      if (this.#isClosed) throw new TypeError("Cannot read the table: it is closed");
      return work(this.#connections[pace]);
    });
    this.#over[pace] = running.then(() => {}, () => {});
    this.#running.add(running);
    try {
      return await running;
    } catch (cause) {
      throw goneOr(cause, this.#files);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what runs, and closes the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    while (this.#running.size > 0) {
      // A query hears an interrupt only once it has begun.
      for (const connection of Object.values(this.#connections)) connection.interrupt();
      await Promise.race([
        Promise.allSettled(this.#running),
        new Promise((resolve) => setTimeout(resolve, INTERRUPT_MS)),
      ]);
    }
    for (const connection of Object.values(this.#connections)) connection.closeSync();
    this.#instance.closeSync();
  }
}

/** The numbers of a vector of DuckDB, as they are in memory. */
function numbersOf(vector: unknown): Uint32Array {
  const items: unknown = Reflect.get(Object(vector), "items");
  if (items instanceof Uint32Array) return items;
  throw new TypeError("Cannot read the indices of rows: this version of DuckDB returns them in another form");
}

/** The error for an object that is gone: the table is another one now. */
function goneOr(cause: unknown, files: readonly LiveFile[]): unknown {
  if (!areObjects(files) || !isObjectGone(cause)) return cause;
  return new ChangedFileError(
    `Cannot read ${files[0].path} and the table's other objects: the lake was built anew since the table was opened; ` +
      "open it anew",
  );
}

/** Files are compared by size and time: what was written meanwhile is another table. */
async function checkUnchanged(files: readonly LiveFile[]): Promise<void> {
  if (areObjects(files)) return;
  const checked = await Promise.all(files.map(async ({ path, bytes, modified }) => {
    const { size, mtime } = await Deno.stat(path).catch(() => ({ size: -1, mtime: null }));
    return size === bytes && (mtime?.getTime() ?? 0) === modified;
  }));
  const changed = checked.indexOf(false);
  if (changed < 0) return;
  throw new ChangedFileError(
    `Cannot read ${files[changed].path}: it was written anew or removed since the table was opened; open it anew`,
  );
}

/** SQL of a row's index over all files. */
function indexSql(starts: readonly number[]): string {
  const index = starts.length === 2 ? FILE_ROW : `[${starts.slice(0, -1).join()}][(${FILE} + 1)::BIGINT] + ${FILE_ROW}`;
  return `(${index})::UINTEGER`;
}

function reading(files: readonly LiveFile[]): string {
  const paths = files.map(({ path }) => quoteText(escapeGlob(path))).join();
  return `read_parquet([${paths}], hive_partitioning = false)`;
}

async function readStarts(connection: DuckDBConnection, files: readonly LiveFile[]): Promise<number[]> {
  const paths = files.map(({ path }) => quoteText(escapeGlob(path))).join();
  const sizes = new Map(
    (await connection.runAndReadAll(`SELECT file_name, num_rows::DOUBLE FROM parquet_file_metadata([${paths}])`))
      .getRows().map(([path, rows]) => [String(path), Number(rows)]),
  );
  const starts = [0];
  for (const { path } of files) {
    const rows = sizes.get(path);
    if (rows === undefined) throw new TypeError(`Cannot read ${path}: DuckDB says nothing about it`);
    starts.push(starts[starts.length - 1] + rows);
  }
  if (starts[starts.length - 1] <= MOST_ROWS) return starts;
  throw new RangeError(`Cannot show the table: it has more than ${MOST_ROWS.toLocaleString("en")} rows`);
}

/** The files' columns by their names there: DuckDB gives other ones where names differ in case alone. */
async function describe(
  connection: DuckDBConnection,
  files: readonly LiveFile[],
): Promise<Map<string, DescribedColumn>> {
  const rows = (await connection.runAndReadAll(`DESCRIBE FROM ${reading(files)}`)).getRows();
  const described = rows.map(([name, type]) => [String(name), String(type)] as const);
  for (const name of [FILE_ROW, FILE, ID]) {
    const taken = described.find(([column]) => column.toLowerCase() === name);
    if (taken === undefined) continue;
    throw new TypeError(
      `Cannot show the table live: its column ${quoteName(taken[0])} has the name by which DuckDB counts rows; read ` +
        "the file as a frame, and give the frame",
    );
  }
  const names = await namesInFile(connection, files[0].path);
  const lakeNames = sqlNames(names);
  return new Map(names.map((name, index) => {
    const [sqlName, sqlType] = described[index];
    return [name, { sqlType, sqlName, lakeName: lakeNames[index] }];
  }));
}
