/** The fields of tables, and what their values are. */
import type { FieldType } from "@seqreg/core/contract";
import type { LedgerEntry } from "@seqreg/core/contract/ledger_entries";

/** One field of a table. */
export interface SchemaField {
  /** Public name. */
  readonly name: string;
  /** Alias in queries. */
  readonly alias: string;
  /** Type by which its values are read. */
  readonly type: FieldType;
  /** Whether a definition declares the type; otherwise it was inferred from all values. */
  readonly isDeclared: boolean;
  /** Unit of a number; empty without one. */
  readonly unit: string;
  /** What the field means; empty if no definition says so. */
  readonly description: string;
  /** What its values are; absent for definitions without data. */
  readonly values?: FieldValues;
}

/** The values of a field. */
export interface FieldValues {
  /** Records with a value; words for missing are none. */
  readonly filled: number;
  /** Records without one, or with a word for missing. */
  readonly missing: number;
  /** Values that do not fit the type. */
  readonly misfits: number;
  /** Distinct values, words for missing among them. */
  readonly distinct: number;
  /** Whether `distinct` is exact; above 10,000 it is an estimate (HyperLogLog, error about 2 %). */
  readonly isExact: boolean;
  /**
   * Smallest and greatest number (whole numbers beyond 2^53 as text), or first and last possible day; absent for other
   * types and without values.
   */
  readonly range?: readonly [from: number | string, to: number | string];
  /** How precisely dates are known: records by `day`, `month`, `year` or `range`; absent for other types. */
  readonly precision?: Readonly<Record<string, number>>;
  /** The first value; absent without one. */
  readonly example?: string;
}

/** One table. */
export interface SchemaTable {
  /** Its name; `definitions` for a file of definitions. */
  readonly table: string;
  /** Its records; absent for definitions. */
  readonly rows?: number;
  /** The column of accessions; absent without one. */
  readonly idField?: string;
  /** Its fields, in order. */
  readonly fields: readonly SchemaField[];
}

/** The tables of a source. */
export interface Schema {
  /** The source, as the caller named it. */
  readonly source: string;
  /** Its tables. */
  readonly tables: readonly SchemaTable[];
  /** Rows that could not be read, and what is unusual about the tables; absent if there is nothing to report. */
  readonly entries?: readonly LedgerEntry[];
}
