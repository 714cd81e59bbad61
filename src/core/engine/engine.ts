/**
 * The engine interface, and the description of a lake that an engine receives.
 *
 * A recipe writes a polars query and awaits {@linkcode EngineSession.collect}; the local engine runs it in this
 * process, another one translates its plan. An engine that cannot run a query throws: none hands it to another in
 * silence.
 */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import type { StoreAccess } from "../io/objects/store_access.ts";
import type { ColumnDtype } from "./frames/frame_columns.ts";

export type { ColumnDtype } from "./frames/frame_columns.ts";

/** A column of a table, as an engine sees it. */
export interface EngineColumn {
  /** Name in the table. */
  readonly name: string;
  /** Type in polars; every column may hold nulls. */
  readonly dtype: ColumnDtype;
}

/** One Parquet file of a table. */
export interface EnginePart {
  /** File name, unique in its table. */
  readonly name: string;
  /** Where the file is: an absolute path, or a URL such as `s3://bucket/lake/table/part-00000.parquet`. */
  readonly location: string;
  /** Rows in it. */
  readonly rows: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits; absent in a lake of an older toolkit. */
  readonly sha256?: string;
}

/** One table of a lake, as an engine sees it. */
export interface EngineTable {
  /** Name of the table. */
  readonly name: string;
  /** Number of rows; a count that differs means that files are missing, or not those that were written. */
  readonly rows: number;
  /** The columns, in order. */
  readonly columns: readonly EngineColumn[];
  /** The files, in order: this list alone is the table, whatever else lies in its folder. */
  readonly parts: readonly EnginePart[];
  /** Rows of the table, lazily, as polars reads them in this process. */
  scan(): LazyDataFrame;
}

/** A lake, as an engine sees it. */
export interface EngineLake {
  /** Folder of the lake, or its URL. */
  readonly location: string;
  /** Every table. */
  readonly tables: readonly EngineTable[];
  /** Name of the table that SQL may call `lake`. */
  readonly main?: string;
  /** Where the parts are objects: the store, and as whom it is asked. Its key goes to readers in this process alone. */
  readonly access?: StoreAccess;
}

/** A value bound to a `?` or `$name` of a statement. */
export type SqlParameter = string | number | bigint | boolean | null;

/** Values of `?` in their order, or of `$name` by name. */
export type SqlParameters = readonly SqlParameter[] | Readonly<Record<string, SqlParameter>>;

/** Options of a query. */
export interface EngineQueryOptions {
  /** Ends the query, on the engine too, with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const ENGINE_QUERY_OPTIONS = { signal: rule.signal } satisfies OptionRules<EngineQueryOptions>;

/** Facts about an engine for provenance. */
export interface EngineFacts {
  /** The engine's name, such as `local` or `spark`. */
  readonly engine: string;
  /** Its version, such as `polars 0.25.2`. */
  readonly version: string;
  /** Settings that could change a result. */
  readonly settings: Readonly<Record<string, string>>;
}

/** One lake open on an engine. Dispose of it when done. */
export interface EngineSession extends AsyncDisposable {
  /**
   * Runs a polars query over tables of the lake.
   *
   * @throws {TypeError} If the engine has no translation for a part of its plan; the message names the part.
   * @throws {RegistryError} If the engine fails.
   */
  collect(query: LazyDataFrame, options?: EngineQueryOptions): Promise<DataFrame>;
  /**
   * Runs one statement that only reads, in the engine's own SQL. Each table is a view of its name, the main one also
   * `lake`.
   *
   * @throws {TypeError} If the statement is wrong, or does more than read.
   */
  sql(text: string, parameters?: SqlParameters, options?: EngineQueryOptions): Promise<DataFrame>;
  /** Facts about the engine for provenance. */
  facts(options?: EngineQueryOptions): Promise<EngineFacts>;
}

/** What an engine does well: of two queries with one answer, analyses choose the quicker one by it. */
export interface EngineAbilities {
  /** Rows come in the order of the files, so that rows of two tables can be put side by side. */
  readonly keepsOrder: boolean;
  /** It has the hash of polars, so that keys of any length are collected as numbers of 64 bits. */
  readonly hashes: boolean;
  /** Queries start at once, and results are not sent, so that whole columns are collected, each by its own query. */
  readonly collectsColumns: boolean;
}

/** The abilities of an engine that states none: only results are fetched, by few queries. */
export const NO_ABILITIES: EngineAbilities = { keepsOrder: false, hashes: false, collectsColumns: false };

/** An engine: what computes. */
export interface Engine {
  /** What it is called in messages and provenance, without credentials: `local`, `spark sc://head:15002`. */
  readonly name: string;
  /**
   * Whether queries run in this process, on the lake's files: where one fails, they are searched for damage.
   */
  readonly isLocal: boolean;
  /** What it does well; nothing in particular by default. */
  readonly abilities?: EngineAbilities;
  /**
   * Opens a lake.
   *
   * @throws {RegistryError} With code `network` if the engine cannot be reached, `damaged` or `disk` if it cannot read
   * the lake's files.
   */
  open(lake: EngineLake, options?: EngineQueryOptions): Promise<EngineSession>;
}

export function isEngine(value: unknown): value is Engine {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "open") === "function" &&
    typeof Reflect.get(value, "name") === "string";
}
