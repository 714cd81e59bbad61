/**
 * Lakes of a registry's archives, whose tables tell where they come from: provenance, files with names of their own,
 * citations.
 */
import type { NamedFormat } from "../../io/files/named_format.ts";
import type { Naming } from "../../contract/naming.ts";
import { extendLedger, type Provenance } from "../../contract/ledger.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import { writeLakeFasta } from "../../tables/lake/open/lake_fasta.ts";
import type { Recipe } from "../../tables/lake/open/lake.ts";
import type { Lake, LakeTable, LakeTableOptions } from "../../tables/lake/open/open_lake.ts";
import type { Citation } from "./citation.ts";
import { cite } from "./cite.ts";
import { signalOf, WRITE_RESULT_OPTIONS, writeResultFile, type WriteResultOptions } from "./result_file.ts";
import { TO_FASTA_OPTIONS, type ToFastaOptions } from "./sequences_result.ts";
import { checkOptions } from "../../options/check_options.ts";
import type { WriteTableOptions } from "../../tables/types/table.ts";

/** A table of a lake of a registry's archives. */
export interface CitedTable extends LakeTable {
  /** The archive that the table was made of: registry, file, bytes, digest, when it was verified. */
  readonly provenance: Provenance;
  /**
   * Writes the frame as CSV, atomically, and its provenance to `FILE.provenance.json`.
   *
   * @param path Final path; in the working folder, named after archive and day, when absent.
   * @returns The path.
   * @throws {RegistryError} With code `disk`.
   */
  toCSV(path?: string, options?: WriteResultOptions): Promise<string>;
  /** Writes the frame as TSV; otherwise as {@linkcode CitedTable.toCSV}. */
  toTSV(path?: string, options?: WriteResultOptions): Promise<string>;
  /** Writes the frame as Parquet; otherwise as {@linkcode CitedTable.toCSV}. */
  toParquet(path?: string, options?: WriteResultOptions): Promise<string>;
  /**
   * Writes a table of sequences as plain FASTA; otherwise as {@linkcode CitedTable.toCSV}.
   *
   * @throws {TypeError} If the table has no sequences; before any I/O.
   */
  toFasta(path?: string, options?: ToFastaOptions): Promise<string>;
  /** Cites the table: a sentence for a methods section, and BibTeX. */
  cite(): Citation;
}

/** A lake of a registry's archives. */
export interface CitedLake extends Lake {
  /** Spellings of the deployment; analyses take the fields that its `roles` prefer. */
  readonly naming: Naming;
  /**
   * Columns of a table with ledger, problems and provenance. @throws {RangeError} If the table or a column is not
   * there.
   */
  table(options?: LakeTableOptions): Promise<CitedTable>;
}

/** What a lake does not know of its archives. */
export interface LakeOrigin {
  /** Provenance of the archives, by the tables' names. */
  readonly provenances: ReadonlyMap<string, Provenance>;
  /** Spellings of the deployment. */
  readonly naming: Naming;
  /** What concerns the archives together, such as that they are of two releases; nothing by default. */
  readonly entries?: readonly LedgerEntry[];
}

/** Adds the provenance of their archives and the naming of their deployment to the tables of a lake. */
export function citeLake(lake: Lake, { provenances, naming, entries = [] }: LakeOrigin): CitedLake {
  return {
    naming,
    folder: lake.folder,
    tables: lake.tables,
    main: lake.main,
    fields: lake.fields,
    entries: [...lake.entries, ...entries],
    warnings: lake.warnings,
    engine: lake.engine,
    files: (table) => lake.files(table),
    scan: (table) => lake.scan(table),
    column: (name, table) => lake.column(name, table),
    collect: (query, options) => lake.collect(query, options),
    check: (recipe, options) =>
      // The function has the recipe's name, for messages.
      lake.check(named(recipe.name, (other) => recipe(citeLake(other, { provenances, naming, entries }))), options),
    sql: (text, parameters, options) => lake.sql(text, parameters, options),
    async join(options) {
      const joined = await lake.join(options);
      return { ...joined, ledger: extendLedger(joined.ledger, entries) };
    },
    representatives: () => lake.representatives(),
    members: (cluster) => lake.members(cluster),
    async table(options = {}) {
      const { ledger, ...table } = await lake.table(options);
      const name = options.table ?? lake.main;
      const archive = provenances.get(name);
      if (archive === undefined) throw new TypeError(`Cannot tell where the table ${name} comes from`);
      const provenance = { ...archive, request: { ...requestOf(archive), columns: options.columns ?? "all" } };
      return citeTable(
        { ...table, ledger: extendLedger(ledger, entries) },
        provenance,
        (to, options) => writeLakeFasta(lake, to, { ...options, table: name }),
      );
    },
    close: () => lake.close(),
    [Symbol.asyncDispose]: () => lake[Symbol.asyncDispose](),
  };
}

function named(name: string, recipe: Recipe): Recipe {
  return Object.defineProperty(recipe, "name", { value: name });
}

function requestOf({ request }: Provenance): object {
  return typeof request === "object" && request !== null ? request : { request };
}

function citeTable(
  table: LakeTable,
  provenance: Provenance,
  writeFasta: (path: string, options: ToFastaOptions) => Promise<void>,
): CitedTable {
  const { ledger } = table;
  type Writer = (path: string, options?: WriteTableOptions) => Promise<string>;
  const writer = (name: string, extension: NamedFormat, write: Writer) =>
  async (
    path?: string,
    options: WriteResultOptions = {},
  ) => {
    checkOptions(`${name}()`, options, WRITE_RESULT_OPTIONS);
    return await writeResultFile(
      { ledger, provenance },
      { ...options, path, extension },
      (to) => write(to, signalOf(options)),
    );
  };
  return {
    ...table,
    provenance,
    toCSV: writer("toCSV", "csv", table.toCSV),
    toTSV: writer("toTSV", "tsv", table.toTSV),
    toParquet: writer("toParquet", "parquet", table.toParquet),
    async toFasta(path, options = {}) {
      checkOptions("toFasta()", options, TO_FASTA_OPTIONS);
      return await writeResultFile(
        { ledger, provenance },
        { ...options, path, extension: "fasta" },
        (to) => writeFasta(to, options),
      );
    },
    cite: () => cite(ledger, provenance),
  };
}
