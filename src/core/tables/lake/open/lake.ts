/** What an open lake is: tables as lazy frames, as SQL, with a ledger, joined by accession. */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import type { Ledger } from "../../../contract/ledger.ts";
import type { Engine, EngineFacts, EngineQueryOptions, SqlParameters } from "../../../engine/engine.ts";
import type { LakeManifest } from "../build/lake_manifest.ts";
import { TABLE_OPTIONS, type TypedTable, type WriteTableOptions } from "../../types/table.ts";
import type { OptionRules } from "../../../options/option_rule.ts";
import * as rule from "../../../options/rules.ts";
import type { LedgerEntry } from "../../../contract/ledger_entries.ts";

/** Options of {@linkcode Lake.table}. */
export interface LakeTableOptions {
  /** Which table; the main one by default. */
  readonly table?: string;
  /** Columns wanted, in this order; all by default. */
  readonly columns?: readonly string[];
  /** Most problems that are kept in full; 100,000 by default. All are counted. */
  readonly maxProblems?: number;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const LAKE_TABLE_OPTIONS = {
  table: rule.text,
  columns: rule.texts,
  maxProblems: TABLE_OPTIONS.maxProblems,
  signal: rule.signal,
} satisfies OptionRules<LakeTableOptions>;

/** A table of a lake with its ledger. Its frame is read from Parquet when asked for. */
export interface LakeTable extends Omit<TypedTable, "texts" | "textRows" | "toCSV" | "toTSV" | "toParquet"> {
  /** Writes the frame as CSV, lists joined by `;`, atomically. @returns The path. */
  toCSV(path: string, options?: WriteTableOptions): Promise<string>;
  /**
   * Writes the frame as TSV; tab, newline, carriage return and backslash become `\t`, `\n`, `\r`, `\\`. @returns The
   * path.
   */
  toTSV(path: string, options?: WriteTableOptions): Promise<string>;
  /** Writes the frame as Parquet (zstd), atomically. @returns The path. */
  toParquet(path: string, options?: WriteTableOptions): Promise<string>;
}

/** Two tables of a lake joined by accession, and what has no partner on either side. */
export interface LakeJoin {
  /**
   * Metadata columns, then those of the sequences; where both have a `length`, that of the sequences is
   * `length (computed)`. Lazy: nothing is read yet.
   */
  scan(): LazyDataFrame;
  /** Accessions with metadata and no sequence. */
  readonly withoutSequence: readonly string[];
  /** Accessions with a sequence and no metadata. */
  readonly withoutMetadata: readonly string[];
  /** Received: pairs. Complete when nothing is without a partner. */
  readonly ledger: Ledger;
}

/** Options of {@linkcode Lake.join}. */
export interface LakeJoinOptions {
  /** Metadata table; the main one by default. */
  readonly metadata?: string;
  /** Sequence table; that of the same archive set by default. */
  readonly sequences?: string;
  /** Whether characters come too; `drop` by default, which leaves length, gc and ambiguous. */
  readonly sequence?: "keep" | "drop";
}

export const LAKE_JOIN_OPTIONS = {
  metadata: rule.text,
  sequences: rule.text,
  sequence: rule.oneOf(["keep", "drop"]),
} satisfies OptionRules<LakeJoinOptions>;

/** The result of a recipe, as far as a check compares it. */
export interface RecipeNumbers {
  /** Its numbers. */
  readonly frame: DataFrame;
  /** Notes about them. */
  readonly notes?: readonly string[];
}

/** A function that computes numbers of a lake, such as `worldMap` of `seqreg/analysis`. */
export type Recipe = (lake: Lake) => Promise<RecipeNumbers>;

/** What a check proved, for provenance. */
export interface LakeCheck {
  /** SHA-256 of the numbers, which both engines gave: 64 lower-case hexadecimal digits. */
  readonly digest: string;
  /** Rows of the numbers. */
  readonly rows: number;
  /** This process, and the lake's engine: version, settings. */
  readonly engines: readonly [local: EngineFacts, lake: EngineFacts];
  /** SHA-256 of each plan that the lake's engine ran, in order. */
  readonly plans: readonly string[];
  /** The files of the lake's tables: those that were read are among them. */
  readonly parts: readonly CheckedPart[];
}

/** One file of a table. */
export interface CheckedPart {
  /** The table. */
  readonly table: string;
  /** File name in the table's folder. */
  readonly name: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of its bytes as they were written; `null` in a lake of an older toolkit. */
  readonly sha256: string | null;
}

export const LAKE_CHECK_OPTIONS = { signal: rule.signal } satisfies OptionRules<EngineQueryOptions>;

/** A lake that is open. Close it when done: `await using lake = await openLake(…)`. */
export interface Lake extends AsyncDisposable {
  /** Folder of the lake, or its address in an object store. */
  readonly folder: string;
  /**
   * What is unusual about the lake, such as tables that an older toolkit built without checksums, or the names that SQL
   * has for columns whose own differ in case alone.
   */
  readonly entries: readonly LedgerEntry[];
  /** The same in words. */
  readonly warnings: readonly string[];
  /** What runs the queries of {@linkcode Lake.collect}, {@linkcode Lake.sql} and the analyses. */
  readonly engine: Pick<Engine, "name" | "isLocal" | "abilities">;
  /** Every table, by name. */
  readonly tables: ReadonlyMap<string, LakeManifest>;
  /**
   * Name of the table that is meant when none is named: all metadata, else the first metadata table, else the first.
   */
  readonly main: string;
  /**
   * Columns of the main table as polars expressions, for completion; a wrong name says which was meant.
   *
   * @throws {RangeError} On reading the name of an unknown column.
   */
  readonly fields: Readonly<Record<string, Expr>>;
  /** Closes the lake, as the end of its `await using` scope does: in a notebook that scope is one cell. */
  close(): Promise<void>;
  /**
   * Returns the paths or addresses of a table's Parquet files, in order, for other programs. A folder of them holds
   * nothing else. They are those of this version: a build that replaces the table removes them.
   *
   * @param table Its name; the main table by default.
   */
  files(table?: string): readonly string[];
  /**
   * Rows of a table, lazily. Columns are called by public field names. A summary of millions of rows is quickest by
   * `collectSync({ engine: "streaming" })`, which needs memory for its result alone; groups come in any order then.
   *
   * A filter skips row groups that cannot match. JavaScript's numbers are floats to polars: for a column of integers
   * write `pl.lit(30000).cast(pl.Int64)`, otherwise every row group is read.
   *
   * @throws {RangeError} If the table is unknown.
   */
  scan(table?: string): LazyDataFrame;
  /**
   * One column of a table as a polars expression. @throws {RangeError} If it is unknown; the message includes the
   * nearest name.
   */
  column(name: string, table?: string): Expr;
  /** Columns of a table with ledger and problems. @throws {RangeError} If the table or a column is not there. */
  table(options?: LakeTableOptions): Promise<LakeTable>;
  /**
   * Runs a polars query over tables of the lake on the lake's engine: analyses do so. `scan().collect()` always runs in
   * this process.
   *
   * @param query A query that begins with {@linkcode Lake.scan}.
   * @throws {TypeError} If the engine has no translation for a part of the query; the message names the part.
   * @throws {RegistryError} If the engine fails, or cannot read the lake.
   */
  collect(query: LazyDataFrame, options?: EngineQueryOptions): Promise<DataFrame>;
  /**
   * Runs one SQL statement that only reads, in the engine's own SQL: DuckDB's by default, which reaches nothing outside
   * the lake's folder. Each table is a view of its name, the main one also `lake` if none is called so. Of columns
   * whose names differ in case alone, such as `Country` and `country`, DuckDB calls the second `country_2`.
   *
   * @param text One SELECT; values stand as `?` or `$name`.
   * @returns Rows × columns: Int64, Float64, Bool, Date and List(String) where polars holds every value exactly, else
   * the text that DuckDB has for it: integers beyond 64 bits, times, intervals, decimals with more digits than a float,
   * lists with a null in them and structs (as JSON), dates before the year 1 or after 9999.
   * @throws {TypeError} If the statement is wrong, or does more than read.
   */
  sql(
    text: string,
    parameters?: SqlParameters,
    options?: EngineQueryOptions,
  ): Promise<DataFrame>;
  /**
   * Runs an analysis in this process and on the lake's engine, and compares numbers and notes. Both have to read the
   * lake's files.
   *
   * @param recipe An analysis, such as `worldMap`, or a function that calls one with options.
   * @returns The digest that both gave, and for provenance: engines, digests of plans, files.
   * @throws {TypeError} If the lake has no engine but this process.
   * @throws {RegistryError} With code `damaged` if the numbers differ; the message shows how.
   */
  check(recipe: Recipe, options?: EngineQueryOptions): Promise<LakeCheck>;
  /** Metadata joined to sequences by accession, with both anti-joins. @throws {RangeError} If a table is not there. */
  join(options?: LakeJoinOptions): Promise<LakeJoin>;
  /** Metadata of the representatives of clusters, lazily. @throws {RangeError} If the lake has none. */
  representatives(): LazyDataFrame;
  /**
   * Metadata of the members of one cluster, with the columns of the comparison metrics, lazily.
   *
   * @param cluster The cluster's name or the accession of its representative.
   * @throws {RangeError} If the lake has no comparison metrics or no metadata.
   */
  members(cluster: string): LazyDataFrame;
}
