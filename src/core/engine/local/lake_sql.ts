/** SQL over the Parquet files of a lake: DuckDB in memory, which sees the lake's files and nothing else. */
import { sep } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBResultReader } from "@duckdb/node-api";
import type { DataFrame } from "nodejs-polars";
import { messageOf } from "../../errors.ts";
import { quoteValue } from "../../contract/ledger.ts";
import { escapeGlob } from "../frames/glob.ts";
import type { StoreAccess } from "../../io/objects/store_access.ts";
import { unlessAborted } from "../../io/tasks/pause.ts";
import { IN_UTC, interruptible, NO_EXTENSIONS } from "./_closed_duckdb.ts";
import { allowObjects, explaining, refuseKeys, tellsKeys } from "./object_sql.ts";
import { frameOf, keepLeadingMarks } from "./result_frame.ts";
import { namedColumns, sqlName, sqlNames, sqlText } from "./sql_names.ts";
import { bindParameters } from "./_sql_parameters.ts";
import { explainedBy, isPivot, notReading, openPivot } from "./_reading_sql.ts";
import type { EngineLake, EnginePart, EngineTable, SqlParameters } from "../engine.ts";

/** The version of DuckDB, such as `v1.5.5`. */
export async function duckdbVersion(): Promise<string> {
  return (await import("@duckdb/node-api")).version();
}

/** Statements over the tables of one lake. */
export class LakeSql implements AsyncDisposable {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  /** Where the lake's files are objects: what a statement must not see. */
  readonly #access: StoreAccess | undefined;
  /** What a statement can name. */
  readonly #tables: readonly string[];
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    { access, tables }: { readonly access: StoreAccess | undefined; readonly tables: readonly string[] },
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#access = access;
    this.#tables = tables;
  }

  /** Opens a database with one view for each table, and one called `lake` for the main one. */
  static async open(lake: EngineLake): Promise<LakeSql> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    await keepLeadingMarks();
    const instance = await DuckDBInstance.create(":memory:", NO_EXTENSIONS);
    const connection = await instance.connect();
    await connection.run(IN_UTC);
    const { tables, main, access } = lake;
    if (access === undefined) await allowFiles(connection, lake);
    else {
      const parts = tables.flatMap(({ parts }) => parts.map((part) => part.location));
      await allowObjects(connection, parts, access);
    }
    await connection.run("SET enable_external_access = false");
    const names = sqlNames(tables.map(({ name }) => name));
    for (const [index, table] of tables.entries()) {
      const select = await selectOf(table, access !== undefined);
      await connection.run(`CREATE VIEW ${sqlName(names[index])} AS ${select}`);
    }
    if (main !== undefined && names.every((name) => name.toLowerCase() !== "lake")) {
      await connection.run(`CREATE VIEW lake AS FROM ${sqlName(names[tables.findIndex(({ name }) => name === main)])}`);
      names.unshift("lake");
    }
    await connection.run("SET lock_configuration = true");
    return new LakeSql(instance, connection, { access, tables: names });
  }

  /** Runs one statement that only reads, after those before it. */
  async query(
    text: string,
    parameters: SqlParameters,
    signal?: AbortSignal,
  ): Promise<DataFrame> {
    const turn = this.#last.then(() => this.#run(text, parameters, signal));
    this.#last = turn.catch(() => {});
    return await frameOf(await unlessAborted(turn, signal));
  }

  async #run(
    text: string,
    parameters: SqlParameters,
    signal?: AbortSignal,
  ): Promise<DuckDBResultReader> {
    signal?.throwIfAborted();
    const { StatementType } = await import("@duckdb/node-api");
    const explained = explainedBy(text);
    const statements = await this.#parsed(() => this.#connection.extractStatements(text), text);
    if (statements.count !== 1 && isPivot(text)) throw openPivot();
    if (statements.count !== 1) {
      throw new TypeError(`Cannot run the SQL: expected one statement, found ${statements.count}`);
    }
    if (explained !== undefined) await this.#refuseWriting(explained, StatementType.SELECT);
    const statement = await this.#parsed(() => statements.prepare(0), text);
    try {
      const expected = explained === undefined ? StatementType.SELECT : StatementType.EXPLAIN;
      if (statement.statementType !== expected) throw notReading();
      bindParameters(statement, parameters);
      if (this.#access !== undefined) await this.#refuseKeys(explained ?? text, parameters);
      return await interruptible(
        this.#connection,
        signal,
        () => statement.runAndReadAll(),
        (cause) => this.#errorOf(cause, text),
      );
    } finally {
      statement.destroySync();
    }
  }

  async #refuseWriting(text: string, reading: number): Promise<void> {
    const statement = await this.#parsed(() => this.#connection.prepare(text), text);
    const { statementType } = statement;
    statement.destroySync();
    if (statementType !== reading) throw notReading();
  }

  /** Refuses a statement whose plan has a function that shows keys, however the statement spells it. */
  async #refuseKeys(text: string, parameters: SqlParameters): Promise<void> {
    const statement = await this.#parsed(() => this.#connection.prepare(explaining(text)), text);
    try {
      bindParameters(statement, parameters);
      const plan = await statement.runAndReadAll().catch((cause) => {
        throw this.#errorOf(cause, text);
      });
      if (plan.getRows().some(([, json]) => tellsKeys(String(json)))) throw refuseKeys();
    } finally {
      statement.destroySync();
    }
  }

  async #parsed<T>(parse: () => Promise<T>, text: string): Promise<T> {
    try {
      return await parse();
    } catch (cause) {
      throw this.#errorOf(cause, text);
    }
  }

  #errorOf(cause: unknown, text: string): TypeError {
    const said = this.#access?.conceal(messageOf(cause)) ?? messageOf(cause);
    // DuckDB proposes tables of its own.
    const tables = `The tables are ${listed(this.#tables)}.`;
    const why = said.replace(
      /(?<=Table with name [^\n]* does not exist!)(\nDid you mean [^\n]*)?/,
      () => `\n${tables}`,
    );
    return new TypeError(`Cannot run the SQL ${JSON.stringify(quoteValue(text))}: ${why}`, { cause });
  }

  /** Closes the database, after the statements that were asked for. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** Names that a message lists at most. */
const MOST_NAMES = 20;

function listed(names: readonly string[]): string {
  return names.slice(0, MOST_NAMES).map(sqlName).join(", ") + (names.length > MOST_NAMES ? ", …" : "");
}

/** Allows the files of a lake: its folder, and what symbolic links in it lead to. */
async function allowFiles(connection: DuckDBConnection, { location, tables }: EngineLake): Promise<void> {
  const path = await Deno.realPath(location);
  // DuckDB checks the folder's name as a pattern too: both forms must be allowed.
  await connection.run(`SET allowed_directories = ${listOf([path, escapeGlob(path)])}`);
  const parts = await Promise.all(tables.flatMap((table) => table.parts.map(realPathOf)));
  const linked = parts.filter((part) => !part.startsWith(path + sep));
  if (linked.length > 0) {
    await connection.run(`SET allowed_paths = ${listOf(linked.flatMap((part) => [part, escapeGlob(part)]))}`);
  }
}

function listOf(texts: readonly string[]): string {
  return `[${[...new Set(texts)].map(sqlText).join(", ")}]`;
}

async function realPathOf({ location }: EnginePart): Promise<string> {
  return await Deno.realPath(location);
}

/** Objects are read at their addresses, which hold no character of a pattern. */
async function selectOf({ columns, parts }: EngineTable, areObjects: boolean): Promise<string> {
  const paths = areObjects
    ? parts.map(({ location }) => location)
    : (await Promise.all(parts.map(realPathOf))).map(escapeGlob);
  const names = columns.map(({ name }) => name);
  // No part of a path is a column.
  const reading = `read_parquet([${paths.map(sqlText).join(", ")}], hive_partitioning = false)`;
  return `SELECT ${sqlNames(names).map(sqlName).join(", ")} FROM ${namedColumns(reading, names)}`;
}
