/** Columns that are laid out to be written. */

/** Keys and values in the footer of a file, for readers that show them. */
export type FileMetadata = Readonly<Record<string, string>>;

/** A column. */
export interface ParquetField {
  readonly name: string;
  readonly type: "utf8" | "int64" | "float64" | "boolean" | "date" | "list";
  /** Whether it may hold nulls. */
  readonly optional?: boolean;
}

/**
 * Values laid out as Parquet has them: texts each after their length in four bytes, numbers in eight, booleans in bits.
 */
export interface ParquetPage {
  /** Number of values, nulls included. */
  readonly values: number;
  /** The values, whole or in pieces, or a part of a file that holds them. */
  readonly bytes: Uint8Array | readonly Uint8Array[] | FilePart;
}

/** A part of a file. */
export interface FilePart {
  readonly file: Deno.FsFile;
  readonly start: number;
  readonly length: number;
}

/** What a row group holds of one column. */
export interface ParquetChunk {
  readonly pages: readonly ParquetPage[];
  /** Validity bits of an optional column, which has one page. */
  readonly valid?: Uint8Array;
  /** Number of nulls. */
  readonly nulls?: number;
  /** Least and greatest value, as their bytes. */
  readonly range?: { readonly least: Uint8Array; readonly greatest: Uint8Array };
}
