/** A table of texts, in memory. */
export interface TextTable {
  /** Names of the columns, unique and not empty. */
  readonly columns: readonly string[];
  /** Rows, each as wide as `columns`. */
  readonly rows: readonly (readonly string[])[];
}
