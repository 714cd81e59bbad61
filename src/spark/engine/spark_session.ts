/** One lake open on Spark: queries as SQL, tables whose files were compared with the manifest. */
import { Buffer } from "node:buffer";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { checkOptions } from "@seqreg/core/options/check_options";
import {
  ENGINE_QUERY_OPTIONS,
  type EngineFacts,
  type EngineLake,
  type EngineQueryOptions,
  type EngineSession,
  type EngineTable,
  type SqlParameters,
} from "@seqreg/core/engine/engine";
import { loadPolars } from "@seqreg/core/engine/frames";
import { planOf } from "@seqreg/core/engine/plan/read_plan";
import { unsupported } from "@seqreg/core/engine/plan/unsupported";
import { SharedTask } from "@seqreg/core/io/tasks";
import type { SparkClient } from "../connect/client.ts";
import { sparkFrame } from "../connect/frame.ts";
import { compileQuery, type QueryStatement, type SqlFrame } from "../sql/query_sql.ts";
import { sparkDialect } from "../sql/spark_dialect.ts";
import { columnsOf, inTypes, scansOf } from "./plan_types.ts";
import { type FetchOptions, fetchResult } from "./spilled_result.ts";
import { probeOf } from "./_reading_statement.ts";
import { checkParts, FILE_FIELDS, partsStatement, partsView, sparkLocation, sqlTable } from "./lake_views.ts";

/** Limits of what comes to this process, and where the rest goes. */
export type SparkLimits = Pick<
  FetchOptions,
  "maxRows" | "maxBytes" | "spill" | "maxSpillBytes" | "onProgress" | "onWarning"
>;

/** Settings of every session: the meaning of a statement depends on them. */
export const SPARK_SETTINGS = {
  "spark.sql.ansi.enabled": "true",
  "spark.sql.ansi.doubleQuotedIdentifiers": "true",
  "spark.sql.session.timeZone": "UTC",
  "spark.sql.caseSensitive": "true",
  // A server may have others, by which a backslash in a text, or a number in GROUP BY, means something else.
  "spark.sql.parser.escapedStringLiterals": "false",
  "spark.sql.groupByOrdinal": "true",
  "spark.sql.orderByOrdinal": "true",
  // polars' writer has column indexes by which parquet-java drops pages that hold NaN: rows would be lost in silence.
  "parquet.filter.columnindex.enabled": "false",
} as const;

/** Settings by which a result that is written has the types of one that is sent. */
const WRITING_SETTINGS = { "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS" } as const;

/** Settings for provenance. */
const TOLD_SETTINGS = [...Object.keys(SPARK_SETTINGS), "spark.sql.shuffle.partitions", "spark.master"];

/** One lake open on Spark. */
export class SparkSession implements EngineSession {
  readonly #client: SparkClient;
  readonly #lake: EngineLake;
  readonly #limits: SparkLimits;
  /** The table of each scan, by the paths that polars' plan has for it. */
  readonly #scanned: ReadonlyMap<string, EngineTable>;
  readonly #checked = new Map<string, SharedTask<void>>();

  private constructor(
    client: SparkClient,
    { lake, limits, scanned }: {
      readonly lake: EngineLake;
      readonly limits: SparkLimits;
      readonly scanned: ReadonlyMap<string, EngineTable>;
    },
  ) {
    this.#client = client;
    this.#lake = lake;
    this.#limits = limits;
    this.#scanned = scanned;
  }

  /** Opens a lake: its tables become views. Files are looked at when a table is first read. */
  static async open(
    client: SparkClient,
    { lake, limits, signal }: {
      readonly lake: EngineLake;
      readonly limits: SparkLimits;
      readonly signal?: AbortSignal;
    },
  ): Promise<SparkSession> {
    await client.configure({ ...SPARK_SETTINGS, ...WRITING_SETTINGS }, signal);
    const scanned = new Map<string, EngineTable>();
    for (const table of lake.tables) {
      for (const paths of scansOf(await planOf(table.scan()))) scanned.set(paths, table);
      const parts = table.parts.map(sparkLocation);
      await client.createFilesView(partsView(table.name), { parts, fields: FILE_FIELDS }, signal);
      await client.createView(table.name, parts, signal);
      if (table.name === lake.main && lake.tables.every(({ name }) => name !== "lake")) {
        await client.createView("lake", parts, signal);
      }
    }
    return new SparkSession(client, { lake, limits, scanned });
  }

  async collect(query: LazyDataFrame, options: EngineQueryOptions = {}): Promise<DataFrame> {
    checkOptions("collect()", options, ENGINE_QUERY_OPTIONS);
    const { signal } = options;
    signal?.throwIfAborted();
    const pl = await loadPolars();
    const compiled = await this.compile(query);
    for (const table of compiled.tables) await this.#check(table, signal);
    return inTypes(pl, await this.#frame(compiled.sql, { frames: compiled.frames, signal }), compiled.columns);
  }

  /** The statement that a query becomes. @throws {TypeError} If a part of it has no translation. */
  async compile(query: LazyDataFrame): Promise<QueryStatement> {
    const pl = await loadPolars();
    return compileQuery(await planOf(query), {
      dialect: sparkDialect,
      tableOf: (paths) => {
        const table = this.#scanned.get(JSON.stringify(paths));
        if (table === undefined) throw unsupported(`a scan of ${paths.join(", ").slice(0, 200)}, no table of the lake`);
        return sqlTable(table);
      },
      columnsOf: (arrow) => columnsOf(pl.readIPCStream(Buffer.from(arrow))),
    });
  }

  async sql(text: string, parameters: SqlParameters = [], options: EngineQueryOptions = {}): Promise<DataFrame> {
    checkOptions("sql()", options, ENGINE_QUERY_OPTIONS);
    const { signal } = options;
    signal?.throwIfAborted();
    const probe = probeOf(text);
    if (probe !== undefined) await this.#client.collect(probe, { parameters, signal });
    for (const { name } of this.#lake.tables) if (mentions(text, name, this.#lake)) await this.#check(name, signal);
    return await this.#frame(text, { parameters, signal });
  }

  async facts(options: EngineQueryOptions = {}): Promise<EngineFacts> {
    checkOptions("facts()", options, ENGINE_QUERY_OPTIONS);
    const { signal } = options;
    const version = await this.#client.version(signal);
    const settings = await this.#client.settings(TOLD_SETTINGS, signal);
    return { engine: "spark", version: `Spark ${version}`, settings };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }

  async #frame(
    sql: string,
    { frames, parameters, signal }: {
      readonly frames?: readonly SqlFrame[];
      readonly parameters?: SqlParameters;
      readonly signal?: AbortSignal;
    },
  ): Promise<DataFrame> {
    return await fetchResult(this.#client, sql, {
      ...this.#limits,
      access: this.#lake.access,
      frames,
      parameters,
      signal,
    });
  }

  /** Compares the files of a table with the manifest, once. */
  async #check(name: string, signal: AbortSignal | undefined): Promise<void> {
    const table = this.#lake.tables.find((table) => table.name === name)!;
    const check = this.#checked.get(name) ?? new SharedTask<void>();
    this.#checked.set(name, check);
    await check.wait((signal) => this.#compareParts(table, signal), signal);
  }

  async #compareParts(table: EngineTable, signal: AbortSignal): Promise<void> {
    const maxRows = Math.max(100_000, table.parts.length + 1);
    const result = await this.#client.collect(partsStatement(table.name), { maxRows, signal });
    const rows = (await sparkFrame(result.batches)).toRecords();
    const found = rows.map(({ name, bytes, n }) => ({ name: String(name), bytes: Number(bytes), rows: Number(n) }));
    checkParts(table, found, this.#client.endpoint);
  }
}

/** Whether a statement may read a table: by its name, or as the main one. */
function mentions(text: string, table: string, { main }: EngineLake): boolean {
  return text.includes(table) || table === main && /\blake\b/i.test(text);
}
