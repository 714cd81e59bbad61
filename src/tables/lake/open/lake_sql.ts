/** SQL over the Parquet files of a lake: DuckDB in memory, which sees the lake's folder and nothing else. */
import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader, DuckDBType } from "@duckdb/node-api";
import type { DataFrame } from "nodejs-polars";
import { messageOf } from "../../../errors.ts";
import { type ColumnValues, quoteValue } from "../../types/columns.ts";
import { escapeGlob } from "../../types/glob.ts";
import { buildFrame } from "../../types/polars.ts";
import { explainedBy, isPivot, notReading, openPivot } from "./_reading_sql.ts";
import type { CellValue } from "../../../contract/values/mod.ts";
import type { BuiltTable } from "../build/build_lake.ts";
import type { TableColumn } from "../../types/table.ts";

/** A value bound to a `?` or `$name` of a statement. */
export type SqlParameter = string | number | bigint | boolean | null;

/** Values of `?` in their order, or of `$name` by name. */
export type SqlParameters = readonly SqlParameter[] | Readonly<Record<string, SqlParameter>>;

/** Milliseconds between interrupts of a statement that should end. */
const INTERRUPT_MS = 10;

/** Statements over the tables of one lake. */
export class LakeSql implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Opens a database with one view for each table, and one called `lake` for the main one. */
  static async open(folder: string, tables: readonly BuiltTable[], main: string | undefined): Promise<LakeSql> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:", {
      autoload_known_extensions: "false",
      autoinstall_known_extensions: "false",
      allow_community_extensions: "false",
    });
    const connection = await instance.connect();
    const path = await Deno.realPath(folder);
    // DuckDB checks the folder's name as a pattern too: both forms must be allowed.
    const allowed = [...new Set([path, escapeGlob(path)])].map(textLiteral).join(", ");
    await connection.run(`SET allowed_directories = [${allowed}]`);
    await connection.run("SET enable_external_access = false");
    for (const table of tables) {
      await connection.run(`CREATE VIEW ${quoted(table.manifest.table)} AS ${await selectOf(table)}`);
    }
    if (main !== undefined && tables.every(({ manifest }) => manifest.table !== "lake")) {
      await connection.run(`CREATE VIEW lake AS FROM ${quoted(main)}`);
    }
    await connection.run("SET lock_configuration = true");
    return new LakeSql(instance, connection);
  }

  /** Runs one statement that only reads, after those before it. */
  async query(
    text: string,
    parameters: SqlParameters,
    signal?: AbortSignal,
  ): Promise<DataFrame> {
    const turn = this.#last.then(() => this.#run(text, parameters, signal));
    this.#last = turn.catch(() => {});
    return await frameOf(await turn);
  }

  async #run(
    text: string,
    parameters: SqlParameters,
    signal?: AbortSignal,
  ): Promise<DuckDBResultReader> {
    signal?.throwIfAborted();
    const { StatementType } = await import("@duckdb/node-api");
    const explained = explainedBy(text);
    const statements = await parsed(() => this.#connection.extractStatements(text), text);
    if (statements.count !== 1 && isPivot(text)) throw openPivot();
    if (statements.count !== 1) {
      throw new TypeError(`Cannot run the SQL: expected one statement, found ${statements.count}`);
    }
    if (explained !== undefined) await this.#refuseWriting(explained, StatementType.SELECT);
    const statement = await parsed(() => statements.prepare(0), text);
    try {
      const expected = explained === undefined ? StatementType.SELECT : StatementType.EXPLAIN;
      if (statement.statementType !== expected) throw notReading();
      statement.bind(isList(parameters) ? [...parameters] : { ...parameters });
      const interrupt = () => this.#connection.interrupt();
      let timer: ReturnType<typeof setInterval> | undefined;
      const onAbort = () => {
        interrupt();
        timer = setInterval(interrupt, INTERRUPT_MS);
      };
      signal?.addEventListener("abort", onAbort);
      try {
        return await statement.runAndReadAll();
      } catch (cause) {
        signal?.throwIfAborted();
        throw sqlError(cause, text);
      } finally {
        signal?.removeEventListener("abort", onAbort);
        clearInterval(timer);
      }
    } finally {
      statement.destroySync();
    }
  }

  async #refuseWriting(text: string, reading: number): Promise<void> {
    const statement = await parsed(() => this.#connection.prepare(text), text);
    const { statementType } = statement;
    statement.destroySync();
    if (statementType !== reading) throw notReading();
  }

  /** Closes the database, after the statements that were asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function isList(parameters: SqlParameters): parameters is readonly SqlParameter[] {
  return Array.isArray(parameters);
}

async function selectOf({ manifest, files }: BuiltTable): Promise<string> {
  const paths = await Promise.all(files.map(async (file) => textLiteral(escapeGlob(await Deno.realPath(file)))));
  const columns = manifest.columns.map(({ name }) => quoted(name)).join(", ");
  return `SELECT ${columns} FROM read_parquet([${paths.join(", ")}])`;
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function parsed<T>(parse: () => Promise<T>, text: string): Promise<T> {
  try {
    return await parse();
  } catch (cause) {
    throw sqlError(cause, text);
  }
}

function sqlError(cause: unknown, text: string): TypeError {
  const why = messageOf(cause);
  return new TypeError(`Cannot run the SQL ${JSON.stringify(quoteValue(text))}: ${why}`, { cause });
}

/**
 * Types of DuckDB that polars has under another name. Sums of integers come as HUGEINT: those beyond 64 bits are text.
 */
async function frameOf(reader: DuckDBResultReader): Promise<DataFrame> {
  const values = reader.getColumnsJS();
  const types = reader.columnTypes();
  const names = uniqueNames(reader.columnNames());
  // A result without rows has no chunks, and then no columns of values either.
  return await buildFrame(names.map((name, index) => columnOf(name, types[index], values[index] ?? [])));
}

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

function columnOf(name: string, type: DuckDBType, values: readonly unknown[]): ColumnValues {
  const column = (kind: TableColumn["type"], dtype: TableColumn["dtype"], convert: (value: unknown) => CellValue) => ({
    column: { name, field: name, type: kind, dtype },
    values: values.map((value) => value === null || value === undefined ? null : convert(value)),
  });
  const word = type.toString();
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(word) && values.every(fitsInt64)) {
    return column("integer", "Int64", (value) => typeof value === "bigint" ? value : Number(value));
  }
  if (/^(FLOAT|DOUBLE|DECIMAL\([0-9,]+\))$/.test(word)) return column("float", "Float64", Number);
  if (word === "BOOLEAN") return column("boolean", "Bool", (value) => value === true);
  if (word === "DATE") {
    return column("date", "Date", (value) => value instanceof Date ? Math.floor(value.getTime() / 86_400_000) : 0);
  }
  // A list with a null in it, like lists of anything else, is JSON: its null is not the word.
  if (word === "VARCHAR[]" && !values.some((value) => Array.isArray(value) && value.includes(null))) {
    return column("list", "List(String)", (value) => Array.isArray(value) ? value.map(String) : []);
  }
  return column("string", "String", plainText);
}

function fitsInt64(value: unknown): boolean {
  return typeof value !== "bigint" || value >= LEAST && value <= MOST;
}

function plainText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object"
    ? JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? String(inner) : inner)
    : String(value);
}

/** A result may have two columns of one name; a frame may not. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let times = 1; seen.has(name) && taken.has(unique); times++) unique = `${name}_${times}`;
    seen.add(name);
    taken.add(unique);
    return unique;
  });
}
