/** The engine of an open lake: started when first asked, given the lake's files as its manifests list them. */
import { resolve } from "node:path";
import type { Engine, EngineLake, EngineQueryOptions, EngineSession, EngineTable } from "../../../engine/engine.ts";
import { localEngine } from "../../../engine/local/local_engine.ts";
import { SharedTask } from "../../../io/tasks/shared_task.ts";
import type { Polars } from "../../types/polars.ts";
import type { BuiltTable } from "../build/lake_layout.ts";
import { isObjectTable } from "../objects/object_table.ts";
import { readingElsewhere, readingTables } from "./check_lake.ts";
import { scanTable } from "./_lake_table.ts";

export interface LakeParts {
  readonly folder: string;
  readonly built: readonly BuiltTable[];
  readonly main: string;
  /** What runs the queries; this process by default. */
  readonly engine?: Engine;
}

/** Runs queries of one lake. */
export class LakeEngine implements AsyncDisposable {
  readonly engine: Engine;
  readonly #lake: EngineLake;
  readonly #built: readonly BuiltTable[];
  readonly #session = new SharedTask<EngineSession>();
  #isClosed = false;

  constructor(pl: Polars, { folder, built, main, engine = localEngine }: LakeParts) {
    this.engine = engine;
    this.#built = built;
    const access = built.find(isObjectTable)?.objects.store.access;
    const tables = built.map((table) => engineTable(pl, table));
    this.#lake = { location: folder, tables, main, access };
  }

  /** The open lake on the engine. */
  async session({ signal }: EngineQueryOptions = {}): Promise<EngineSession> {
    if (this.#isClosed) throw new TypeError("Cannot query the lake: it was closed; open it again");
    return await this.#session.wait((signal) => this.engine.open(this.#lake, { signal }), signal);
  }

  /** An engine that runs what is asked of it in the session of this one, which stays open. */
  shared(): Engine {
    const { name, isLocal, abilities } = this.engine;
    const open = async (_: EngineLake, options?: EngineQueryOptions): Promise<EngineSession> => {
      const session = await this.session(options);
      return {
        collect: (query, options) => session.collect(query, options),
        sql: (text, parameters, options) => session.sql(text, parameters, options),
        facts: (options) => session.facts(options),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    };
    return { name, isLocal, ...abilities && { abilities }, open };
  }

  /**
   * Runs a query. Where a local one fails and a file is damaged, that is the error; an object that is lost or changed
   * is one on every engine.
   */
  async run<T>(query: (session: EngineSession) => Promise<T>, options: EngineQueryOptions): Promise<T> {
    if (!this.engine.isLocal) {
      return await readingElsewhere(this.#built, async () => await query(await this.session(options)));
    }
    const session = await this.session(options);
    return await readingTables(this.#built, () => query(session), options.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const session = await this.#session.result?.catch(() => undefined);
    await session?.[Symbol.asyncDispose]();
  }
}

function engineTable(pl: Polars, table: BuiltTable): EngineTable {
  const { manifest, files } = table;
  return {
    name: manifest.table,
    rows: manifest.rows,
    columns: manifest.columns.map(({ name, dtype }) => ({ name, dtype })),
    parts: manifest.files.map(({ name, rows, bytes, checks }, index) => {
      const location = isObjectTable(table) ? files[index] : resolve(files[index]);
      return {
        // The name of an object holds its digest, which the name in the manifest does not.
        name: isObjectTable(table) ? location.slice(location.lastIndexOf("/") + 1) : name,
        location,
        rows,
        bytes,
        ...checks && { sha256: checks.sha256 },
      };
    }),
    scan: () => scanTable(pl, table),
  };
}
