/** What every table of the toolkit is: columns typed by definitions, a ledger, and the values that did not fit. */
import type { DataFrame } from "nodejs-polars";
import type { Ledger, Problem } from "../../contract/ledger.ts";
import { FIELD_DEFINITIONS, type FieldDefinition, type FieldType } from "../../contract/metadata.ts";
import { type Naming, NAMING_RULE } from "../../contract/naming.ts";
import type { OptionRule, OptionRules } from "../../options/option_rule.ts";
import type { ColumnDtype } from "../../engine/frames/frame_columns.ts";
import * as rule from "../../options/rules.ts";

/** How date fields come out: as the text that came, or as that text and three columns that can be computed with. */
export type DateColumns = "text" | "columns";

export const DATE_COLUMNS: OptionRule<DateColumns> = rule.oneOf(["text", "columns"]);

/** Options that every source of a table shares. */
export interface TableOptions {
  /** Definitions that give columns their types; a field without one is text. */
  readonly definitions?: readonly FieldDefinition[];
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /**
   * `text` (the default) leaves a date as it came; `columns` adds `NAME earliest` and `NAME latest` (Date) and
   * `NAME precision` (`year`, `month` or `day`) after it.
   */
  readonly dates?: DateColumns;
  /** Public field names wanted, in this order; all that come, in the order they come, when absent. */
  readonly columns?: readonly string[];
  /** Accessions asked for: those that do not come are missing in the ledger, rows of others are left out and named. */
  readonly asked?: readonly string[];
  /** Records that the registry said there are; fewer give a reason in the ledger. */
  readonly promised?: number;
  /** Named in errors; the source's own name by default. */
  readonly name?: string;
  /** Most problems that are kept in full; 100,000 by default. All are counted. */
  readonly maxProblems?: number;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

export const TABLE_OPTIONS = {
  definitions: FIELD_DEFINITIONS,
  naming: NAMING_RULE,
  dates: DATE_COLUMNS,
  columns: rule.texts,
  asked: rule.texts,
  promised: rule.wholeNumber({ from: 0 }),
  name: rule.text,
  maxProblems: rule.wholeNumber({ from: 0, to: Infinity }),
  signal: rule.signal,
} satisfies OptionRules<TableOptions>;

/** One column of a frame. */
export interface TableColumn {
  /** Name in the frame: the public field name, or that with ` earliest`, ` latest` or ` precision`. */
  readonly name: string;
  /** Public field that the column comes from. */
  readonly field: string;
  /**
   * Type by which the values were read; `date` columns are text in the frame. A field declared `keyword` or `text` is a
   * `string`, also where cells of an export are JSON arrays, since a column has its type before its values arrive;
   * where hits hold arrays, it is a `list`.
   */
  readonly type: FieldType;
  /** Type in polars: `String`, `Int64`, `Float64`, `Bool`, `List(String)` or `Date`. Every column may hold nulls. */
  readonly dtype: ColumnDtype;
}

/** Options of the writers of a {@linkcode TypedTable}. */
export interface WriteTableOptions {
  /** Ends the writing with the signal's reason; nothing is left under the final name. */
  readonly signal?: AbortSignal;
}

export const WRITE_TABLE_OPTIONS = { signal: rule.signal } satisfies OptionRules<WriteTableOptions>;

/** A table typed by definitions. Loads polars when a frame is asked for, not before. */
export interface TypedTable {
  /** The columns of the frame, in order. */
  readonly columns: readonly TableColumn[];
  /** Number of rows. */
  readonly rows: number;
  /** Values and rows with a fault: kept as null where they do not fit their type, and raw in here. */
  readonly problems: readonly Problem[];
  /** Number of problems, those beyond `maxProblems` included. */
  readonly problemCount: number;
  /**
   * How often each word of `MISSING_WORDS` stands for a value of a typed field: field → word → count; `""` is white
   * space alone. Such a value is null, not a problem; a date column is text and keeps it.
   */
  readonly missingValues: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What was asked, promised and received, and why it is or is not complete. */
  readonly ledger: Ledger;
  /** `rows` × `columns` with the dtypes of {@linkcode TypedTable.columns}; made once, then the same frame. */
  frame(): Promise<DataFrame>;
  /** `rows` × fields, every value the text that came (null for none): where a value that did not fit can be read. */
  rawFrame(): Promise<DataFrame>;
  /**
   * Problems × `row` (Int64), `line` (Int64), `byte` (Int64), `id`, `field`, `value`, `reason` (String), `kept` (Bool).
   */
  problemsFrame(): Promise<DataFrame>;
  /**
   * Values of one field as the texts that came, of all rows, or of `most` rows after the first `from`; null for none.
   * Of a lake and of a large result a list comes without the blanks around its items.
   *
   * @throws {RangeError} If the field is unknown.
   */
  texts(field: string, most?: number, from?: number): readonly (string | null)[];
  /**
   * Rows × fields, as {@linkcode TypedTable.texts} has each field: one reading of a large result, not one for each.
   *
   * @throws {RangeError} If a field is unknown.
   */
  textRows(fields: readonly string[], most?: number, from?: number): readonly (readonly (string | null)[])[];
  /** Writes the frame as CSV, lists joined by `;`, atomically; compressed if the path ends in `.gz`. */
  toCSV(path: string, options?: WriteTableOptions): Promise<void>;
  /** Writes the frame as TSV; tab, newline, carriage return and backslash become `\t`, `\n`, `\r`, `\\`. */
  toTSV(path: string, options?: WriteTableOptions): Promise<void>;
  /** Writes the frame as Parquet (zstd), atomically. */
  toParquet(path: string, options?: WriteTableOptions): Promise<void>;
}
