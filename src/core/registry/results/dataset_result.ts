/** One dataset archive, verified. */
import { DISPLAY, type Displayable, type MediaBundle } from "../../io/display/display.ts";
import { completeWork, viewResult } from "../../io/display/notebook_host.ts";
import { ArchiveFacts } from "../../datasets/archive_facts.ts";
import type { VerifiedArchive } from "../../datasets/mod.ts";
import { tableFromArchive } from "../../tables/from/from_archive.ts";
import { TABLE_OPTIONS, type TableOptions } from "../../tables/types/table.ts";
import type { Naming } from "../../contract/naming.ts";
import { findArchiveDefinitions } from "../definitions/archive_definitions.ts";
import { writeArchiveCsv, writeArchiveFasta, writeArchiveTsv, writeLakeParquet } from "./archive_files.ts";
import type { Citation } from "./citation.ts";
import { cite } from "./cite.ts";
import { type CitedLake, citeLake } from "./cited_lake.ts";
import { WRITE_RESULT_OPTIONS, writeResultFile, type WriteResultOptions } from "./result_file.ts";
import { TO_FASTA_OPTIONS, type ToFastaOptions } from "./sequences_result.ts";
import { ARCHIVE_LAKE_OPTIONS, type ArchiveLakeOptions, openArchiveLake } from "../definitions/archive_lake.ts";
import type { DefinitionCache } from "../definitions/definition_cache.ts";
import { RegistryResult } from "./result.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import { checkOptions } from "../../options/check_options.ts";
import { extendLedger } from "../../contract/ledger.ts";

/** Options of {@linkcode DatasetResult.read}. */
export type ReadDatasetOptions = Pick<TableOptions, "columns" | "dates" | "signal">;

const READ_DATASET_OPTIONS = {
  columns: TABLE_OPTIONS.columns,
  dates: TABLE_OPTIONS.dates,
  signal: TABLE_OPTIONS.signal,
} satisfies OptionRules<ReadDatasetOptions>;

/** A dataset archive whose bytes are what the registry's checksum file says. Made by a `Registry`. */
export class DatasetResult extends ArchiveFacts implements Displayable {
  readonly #definitions: DefinitionCache;
  readonly #naming: Naming;
  readonly #cache: string;

  /** Results are made by a `Registry`. */
  constructor(
    archive: VerifiedArchive,
    known: { readonly definitions: DefinitionCache; readonly naming: Naming; readonly cache: string },
  ) {
    super(archive);
    this.#definitions = known.definitions;
    this.#naming = known.naming;
    this.#cache = known.cache;
  }

  /**
   * Reads the archive, or some of its columns, into memory, typed by the registry's definitions; where it cannot be
   * reached now, by those that were kept when it could, or as text, and the ledger says so.
   *
   * @param options Columns wanted; all by default.
   * @returns rows = records of the archive; its ledger counts them.
   * @throws {ParseError} If the archive is damaged or no CSV.
   */
  async read(options: ReadDatasetOptions = {}): Promise<RegistryResult> {
    checkOptions("read()", options, READ_DATASET_OPTIONS);
    const { signal } = completeWork(options);
    const { definitions, entries } = await findArchiveDefinitions(this, {
      definitions: this.#definitions,
      cache: this.#cache,
    }, signal);
    const table = await tableFromArchive(this.path, {
      ...options,
      signal,
      definitions,
      naming: this.#naming,
      name: this.name,
    });
    const ledger = extendLedger(table.ledger, entries);
    const { columns = "all", dates } = options;
    const request = { ...Object(this.provenance.request), columns, ...dates !== undefined && { dates } };
    const provenance = { ...this.provenance, request };
    return new RegistryResult({ table, ledger, provenance, definitions, naming: this.#naming });
  }

  /**
   * Opens the archive as a lake: typed Parquet, written to the cache once for each archive, then there at once, without
   * the network. Close it when done: `await using lake = await archive.lake()`.
   *
   * Its types come from the registry's definitions, else from the saved ones; without any, they are inferred from all
   * values by lossless rules: the manifest is marked, and the ledger of `table()` reports it.
   *
   * @param options Form of dates, definitions, progress, signal.
   * @returns `scan()` is a lazy polars frame, `sql()` is DuckDB over the same files, `table()` has ledger, problems and
   * provenance.
   * @throws {RegistryError} With code `disk` if the cache cannot be written.
   * @throws {ParseError} If the archive is not a CSV.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * import { makeSample } from "@seqreg/embedded/sample";
   * import { Registry } from "../registry.ts";
   *
   * const cacheFolder = await Deno.makeTempDir();
   * await makeSample(`${cacheFolder}/sample`, { records: 40 });
   * {
   *   await using registry = await Registry.open(`${cacheFolder}/sample`, { cacheFolder });
   *   const archive = await registry.dataset("full_dataset_metadata");
   *   await using lake = await archive.lake();
   *   const table = await lake.table({ columns: ["Country", "Collection Date"] });
   *
   *   assertEquals([table.rows, table.ledger.complete], [40, true]);
   *   assertEquals((await lake.sql("SELECT count(*) AS n FROM lake")).toRecords(), [{ n: 40 }]);
   * }
   * await Deno.remove(cacheFolder, { recursive: true });
   * ```
   */
  async lake(options: ArchiveLakeOptions = {}): Promise<CitedLake> {
    checkOptions("lake()", options, ARCHIVE_LAKE_OPTIONS);
    const known = { definitions: this.#definitions, naming: this.#naming, cache: this.#cache };
    const lake = await openArchiveLake(this, known, completeWork(options));
    return citeLake(lake, { provenances: new Map([[this.id, this.provenance]]), naming: this.#naming });
  }

  /**
   * Writes the archive's CSV, decompressed and otherwise unchanged, and its provenance.
   *
   * @param path Final path, compressed if it ends in `.gz`; when absent, in the working folder and named after
   * the archive and the day.
   * @returns The path.
   * @throws {TypeError} If the path ends as that of another format.
   * @throws {RegistryError} With code `disk`.
   */
  async toCSV(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toCSV()", options, WRITE_RESULT_OPTIONS);
    return await writeResultFile(
      this,
      { ...options, path, extension: "csv" },
      (to) => writeArchiveCsv(this.path, to, options),
    );
  }

  /**
   * Writes the archive as TSV; otherwise as {@linkcode DatasetResult.toCSV}. @throws {RegistryError} With code `disk`.
   */
  async toTSV(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toTSV()", options, WRITE_RESULT_OPTIONS);
    return await writeResultFile(
      this,
      { ...options, path, extension: "tsv" },
      (to) => writeArchiveTsv(this.path, to, options),
    );
  }

  /**
   * Writes the archive as one Parquet file, typed by the definitions; otherwise as {@linkcode DatasetResult.toCSV}.
   *
   * @throws {RegistryError} With code `disk`, or as {@linkcode DatasetResult.lake}, which it opens.
   */
  async toParquet(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toParquet()", options, WRITE_RESULT_OPTIONS);
    const { signal } = options;
    await using lake = await this.lake({ signal });
    return await writeResultFile(
      this,
      { ...options, path, extension: "parquet" },
      (to) => writeLakeParquet(lake, to, options),
    );
  }

  /**
   * Writes an archive of sequences as plain FASTA; otherwise as {@linkcode DatasetResult.toCSV}.
   *
   * @throws {TypeError} If the archive has no sequences; before any I/O.
   * @throws {ParseError} If a row is not an accession and a sequence; nothing is written then.
   * @throws {RegistryError} With code `disk`.
   */
  async toFasta(path?: string, options: ToFastaOptions = {}): Promise<string> {
    checkOptions("toFasta()", options, TO_FASTA_OPTIONS);
    if (!this.id.endsWith("_sequence")) {
      throw new TypeError(
        `Cannot write ${this.name} as FASTA: it has no sequences; ask for an archive such as ` +
          `${this.id.replace("_metadata", "_sequence")}`,
      );
    }
    return await writeResultFile(
      this,
      { ...options, path, extension: "fasta" },
      (to) => writeArchiveFasta(this.path, to, options),
    );
  }

  /** Cites the archive: a sentence for a methods section, and BibTeX. */
  cite(): Citation {
    return cite(this.ledger, this.provenance, "archive");
  }

  /** One line: name, size, digest, where. */
  override toString(): string {
    const how = this.reused ? "verified, from the cache" : "downloaded and verified";
    return `${this.name}: ${how}, ${this.bytes} bytes, SHA-256 ${this.sha256.slice(0, 12)}…, ${this.path}`;
  }

  /** Shows the archive in a notebook: name, size, digest, folder, and its ledger. */
  [DISPLAY](): MediaBundle {
    const facts = [
      ["archive", this.name],
      ["size", `${this.bytes.toLocaleString("en")} bytes`],
      ["SHA-256", this.sha256],
      ["verified", `${this.verifiedAt}${this.reused ? ", in the cache since then" : ""}`],
      ["path", this.path],
    ];
    return viewResult({
      text: this.toString(),
      caption: "dataset archive, verified",
      sized: false,
      columns: ["property", "value"],
      read: (most) => facts.slice(0, most),
      total: facts.length,
      ledger: this.ledger,
      provenance: this.provenance,
    });
  }

  /** Shows the archive in the console as its summary. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }
}
