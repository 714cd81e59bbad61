/** What a comparison of two versions finds. */
import type { LedgerEntry } from "@seqreg/core/contract";
import type { Displayable } from "@seqreg/core/io/display";
import type { GroupCounts } from "./group_counts.ts";
import type { HowChanged } from "./how_changed.ts";
import type { ColumnChanges } from "./match_columns.ts";
import type { RecordChange } from "./record_change.ts";

/** Records of a table, by what happened to them. */
export interface DiffCounts {
  /** Records of the old version. */
  readonly old: number;
  /** Records of the new version. */
  readonly new: number;
  /** Only in the new version. */
  readonly added: number;
  /** Only in the old version. */
  readonly removed: number;
  /** In both, with a cell that differs. */
  readonly changed: number;
  /** In both, with equal cells. */
  readonly unchanged: number;
  /** Keys that stand in several rows of a version, sorted; the first 10,000. */
  readonly duplicate: readonly string[];
  /** Number of those keys. */
  readonly duplicates: number;
  /** Those of them whose rows differ between the versions: which row became which cannot be known. */
  readonly notCompared: number;
  /** Rows without a key, of both versions; they are not compared. */
  readonly keyless: number;
}

/** What differs in one table. */
export interface TableDiff extends DiffCounts {
  /** Name of the table in the new version. */
  readonly table: string;
  /** Field that identifies a record; absent where the table has none and whole rows were compared. */
  readonly key?: string;
  /** Keys in several rows that differ between the versions, sorted; the first 10,000. */
  readonly differing: readonly string[];
  /** Rows without a key of the old version. */
  readonly oldKeyless: number;
  /** Fields added, removed, renamed, moved. */
  readonly columns: ColumnChanges;
  /** Changed cells by field and by how they changed. */
  readonly fields: Readonly<Record<string, Readonly<Partial<Record<HowChanged, number>>>>>;
  /** Names of taxa that changed as the taxonomy archive explains, with the number of cells, the most first. */
  readonly taxa: readonly RenamedTaxon[];
  /** Records of the old and the new version that were left out, since they were released later. */
  readonly leftOut: readonly [old: number, new: number];
  /** Field by which they were; absent without the option, or if the table has no such field. */
  readonly leftOutBy?: string;
  /**
   * Differing records by country, in the order of its names, those without one last; empty if the table has no such
   * field. A changed one counts by its new value.
   */
  readonly countries: readonly GroupCounts[];
  /** The same by year of collection. */
  readonly years: readonly GroupCounts[];
}

/** A taxon under its old and its new name. */
export interface RenamedTaxon {
  /** The old name. */
  readonly old: string;
  /** The new name. */
  readonly new: string;
  /** Cells in which the name changed so. */
  readonly cells: number;
}

/** What changed between two versions. Close it when done: `await using diff = await diffLakes(…)`. */
export interface Diff extends AsyncDisposable, Displayable {
  /** The versions, as the caller named them. */
  readonly places: readonly [old: string, new: string];
  /** Whether anything differs: a record, a field, or a table that only one version has. */
  readonly differs: boolean;
  /** Whether nothing differs and everything was compared. */
  readonly isEqual: boolean;
  /** Sums over all tables. */
  readonly counts: DiffCounts;
  /** Each table that both versions have. */
  readonly tables: readonly TableDiff[];
  /** Tables that only one version has. */
  readonly unpaired: { readonly old: readonly string[]; readonly new: readonly string[] };
  /** What could not be compared, and what is unusual. */
  readonly entries: readonly LedgerEntry[];
  /** SHA-256 and size of the archives or files of each version, by table. */
  readonly sources: readonly DiffSource[];
  /** Records that differ: table by table, sorted by key. Can be read again. */
  records(): AsyncGenerator<RecordChange>;
  /**
   * What differs in daff's tabular format, row by row: `daff patch OLD DIFF` makes the new version of it, its records
   * in the order of the old one where they were moved.
   *
   * @throws {TypeError} If more than one table was compared, a version is typed, or a key stands in several rows.
   */
  daffRows(): AsyncGenerator<string[]>;
}

/** Where a table of a version comes from. */
export interface DiffSource {
  /** Which version. */
  readonly version: "old" | "new";
  /** Name of the table. */
  readonly table: string;
  /** Size of the archive or file. */
  readonly bytes: number;
  /** SHA-256 of the archive; absent for a Parquet file. */
  readonly sha256?: string;
}
