/**
 * What an open lake is: tables as lazy frames, as SQL, with a ledger, joined by accession.
 *
 * @module
 */
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import type { Ledger } from "../../../contract/ledger.ts";
import type { SqlParameters } from "./lake_sql.ts";
import type { LakeManifest } from "../build/lake_manifest.ts";
import { TABLE_OPTIONS, type TypedTable, type WriteTableOptions } from "../../types/table.ts";
import type { OptionRules } from "../../../contract/options/option_rule.ts";
import * as rule from "../../../contract/options/rules.ts";

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

/** Rules of {@linkcode LakeTableOptions}. */
export const LAKE_TABLE_OPTIONS = {
  table: rule.text,
  columns: rule.texts,
  maxProblems: TABLE_OPTIONS.maxProblems,
  signal: rule.signal,
} satisfies OptionRules<LakeTableOptions>;

/** Rules of the options of {@linkcode Lake.sql}. */
export const LAKE_SQL_OPTIONS = { signal: rule.signal } satisfies OptionRules<{ readonly signal?: AbortSignal }>;

/** A table of a lake with its ledger. Its frame is read from Parquet when asked for. */
export interface LakeTable extends Omit<TypedTable, "texts" | "toCSV" | "toTSV" | "toParquet"> {
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
  /** Metadata columns, then those of the sequences. Lazy: nothing is read yet. */
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

/** Rules of {@linkcode LakeJoinOptions}. */
export const LAKE_JOIN_OPTIONS = {
  metadata: rule.text,
  sequences: rule.text,
  sequence: rule.oneOf(["keep", "drop"]),
} satisfies OptionRules<LakeJoinOptions>;

/** A lake that is open. Close it when done: `await using lake = await openLake(…)`. */
export interface Lake extends AsyncDisposable {
  /** Folder of the lake. */
  readonly folder: string;
  /** What is unusual about the lake, such as tables that an older toolkit built without checksums. */
  readonly warnings: readonly string[];
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
   * Runs one SQL statement that only reads. Each table is a view of its name, the main one also `lake`; nothing outside
   * the lake's folder can be reached.
   *
   * @param text One SELECT; values stand as `?` or `$name`.
   * @throws {TypeError} If the statement is wrong, or does more than read.
   */
  sql(
    text: string,
    parameters?: SqlParameters,
    options?: { readonly signal?: AbortSignal },
  ): Promise<DataFrame>;
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
