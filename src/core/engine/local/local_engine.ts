/** The engine in this process: polars for queries, DuckDB for SQL. Each is loaded when it is needed. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { checkOptions } from "../../options/check_options.ts";
import {
  type Engine,
  ENGINE_QUERY_OPTIONS,
  type EngineAbilities,
  type EngineFacts,
  type EngineLake,
  type EngineQueryOptions,
  type EngineSession,
  type SqlParameters,
} from "../engine.ts";
import { loadPolars } from "../frames/frame_columns.ts";
import { LakeSql } from "./lake_sql.ts";

/** What this process does well. */
export const LOCAL_ABILITIES: EngineAbilities = { keepsOrder: true, hashes: true, collectsColumns: true };

/** The engine in this process. */
export const localEngine: Engine = {
  name: "local",
  isLocal: true,
  abilities: LOCAL_ABILITIES,
  open: (lake, options = {}) =>
    Promise.try(() => {
      checkOptions("localEngine.open()", options, ENGINE_QUERY_OPTIONS);
      return new LocalSession(lake);
    }),
};

/** Runs a query; streams, so that a lake beyond memory can be read. */
export function collectHere(query: LazyDataFrame): DataFrame {
  return query.collectSync({ engine: "streaming" });
}

class LocalSession implements EngineSession {
  readonly #lake: EngineLake;
  #sql: Promise<LakeSql> | undefined;

  constructor(lake: EngineLake) {
    this.#lake = lake;
  }

  // Async, so that a failure is a rejection.
  // deno-lint-ignore require-await
  async collect(query: LazyDataFrame, options: EngineQueryOptions = {}): Promise<DataFrame> {
    checkOptions("collect()", options, ENGINE_QUERY_OPTIONS);
    options.signal?.throwIfAborted();
    return collectHere(query);
  }

  async sql(text: string, parameters: SqlParameters = [], options: EngineQueryOptions = {}): Promise<DataFrame> {
    checkOptions("sql()", options, ENGINE_QUERY_OPTIONS);
    const opening = this.#sql ??= LakeSql.open(this.#lake);
    opening.catch(() => {
      if (this.#sql === opening) this.#sql = undefined;
    });
    return await (await opening).query(text, parameters, options.signal);
  }

  async facts(options: EngineQueryOptions = {}): Promise<EngineFacts> {
    checkOptions("facts()", options, ENGINE_QUERY_OPTIONS);
    const { version } = await loadPolars();
    return { engine: "local", version: `polars ${String(version)}`, settings: {} };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sql = await this.#sql?.catch(() => undefined);
    this.#sql = undefined;
    await sql?.[Symbol.asyncDispose]();
  }
}
