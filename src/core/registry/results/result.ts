/** What every result of a {@linkcode Registry} is: rows, a frame, a ledger, a provenance and writers. */
import type { Naming } from "../../contract/naming.ts";
import type { DataFrame } from "nodejs-polars";
import { type Ledger, listSome, type Problem, type Provenance } from "../../contract/ledger.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { type CellValue, readValue } from "../../contract/values/mod.ts";
import { DISPLAY, type Displayable, type MediaBundle } from "../../io/display/display.ts";
import { viewResult } from "../../io/display/notebook_host.ts";
import type { TableColumn, TypedTable } from "../../tables/types/table.ts";
import type { Citation } from "./citation.ts";
import { cite } from "./cite.ts";
import { readPaged } from "./read_paged.ts";
import { signalOf, WRITE_RESULT_OPTIONS, writeResultFile, type WriteResultOptions } from "./result_file.ts";
import { checkOptions } from "../../options/check_options.ts";
import { describePage, isWithoutMatch } from "../../contract/pages/ledger_page.ts";

/** One row, keyed by field: values typed by the definitions, `null` if missing or invalid. */
export type Row = Readonly<Record<string, CellValue | null>>;

/** What a {@linkcode RegistryResult} is made of. */
export interface ResultParts {
  /** The rows as a table. */
  readonly table: TypedTable;
  /** What was asked, promised and received. */
  readonly ledger: Ledger;
  /** Where it comes from. */
  readonly provenance: Provenance;
  /** Spellings of the deployment, with the fields that analyses prefer. */
  readonly naming?: Naming;
  /** Definitions that type the values. */
  readonly definitions?: readonly FieldDefinition[];
  /** Rows that are made at a time; 8,192 by default, fewer for rows of sequences. */
  readonly pageRows?: number;
}

/** Rows that came from a registry, with their ledger and provenance. Made by a `Registry`. */
export class RegistryResult implements Displayable {
  /** What was asked, promised and received, and why it is or is not complete. */
  readonly ledger: Ledger;
  /** Operation, request, registry, time, bytes and their digest. */
  readonly provenance: Provenance;
  /** The rows as a table: texts as they came, typed columns, problems. */
  readonly table: TypedTable;
  /** Spellings of the deployment, where they are known; analyses take the fields that its `roles` prefer. */
  readonly naming: Naming | undefined;
  readonly #definitions: ReadonlyMap<string, FieldDefinition>;
  readonly #pageRows: number | undefined;
  #rows: readonly Row[] | undefined;

  /** Results are made by a `Registry`. */
  constructor(parts: ResultParts) {
    this.ledger = parts.ledger;
    this.provenance = parts.provenance;
    this.table = parts.table;
    this.naming = parts.naming;
    this.#pageRows = parts.pageRows;
    this.#definitions = new Map(parts.definitions?.map((definition) => [definition.name, definition]));
  }

  /** The columns of the frame, in order. */
  get columns(): readonly TableColumn[] {
    return this.table.columns;
  }

  /** Values that did not fit their type, and rows with a fault. */
  get problems(): readonly Problem[] {
    return this.table.problems;
  }

  /**
   * The rows, keyed by field; made when first asked for.
   *
   * Many of them are made a page at a time, as they are read: they behave like an array that cannot be changed (copy it
   * to sort it), reading in order is fast, and a row that is read again later is an equal object, not the same one.
   */
  get rows(): readonly Row[] {
    return this.#rows ??= readPaged(this.table, (from, count) => this.#makeRows(count, from), this.#pageRows);
  }

  /** The rows as a polars frame, typed by the definitions; loads polars. Made once, then the same frame. */
  async frame(): Promise<DataFrame> {
    return await this.table.frame();
  }

  /** Problems × `row`, `line`, `byte`, `id`, `field`, `value`, `reason`, `kept`. */
  async problemsFrame(): Promise<DataFrame> {
    return await this.table.problemsFrame();
  }

  /**
   * Writes the frame as CSV, atomically, and its provenance to `FILE.provenance.json`.
   *
   * @param path Final path, compressed if it ends in `.gz`; when absent, in the working folder and named after
   * operation, query and day.
   * @returns The path.
   * @throws {TypeError} If the path ends as that of another format.
   * @throws {RegistryError} With code `disk`.
   */
  async toCSV(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toCSV()", options, WRITE_RESULT_OPTIONS);
    return await writeResultFile(
      this,
      { ...options, path, extension: "csv" },
      (to) => this.table.toCSV(to, signalOf(options)),
    );
  }

  /**
   * Writes the frame as TSV; otherwise as {@linkcode RegistryResult.toCSV}. @throws {RegistryError} With code `disk`.
   */
  async toTSV(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toTSV()", options, WRITE_RESULT_OPTIONS);
    return await writeResultFile(
      this,
      { ...options, path, extension: "tsv" },
      (to) => this.table.toTSV(to, signalOf(options)),
    );
  }

  /**
   * Writes the frame as Parquet; otherwise as {@linkcode RegistryResult.toCSV}.
   *
   * @throws {RegistryError} With code `disk`.
   */
  async toParquet(path?: string, options: WriteResultOptions = {}): Promise<string> {
    checkOptions("toParquet()", options, WRITE_RESULT_OPTIONS);
    const file = { ...options, path, extension: "parquet" as const };
    return await writeResultFile(this, file, (to) => this.table.toParquet(to, signalOf(options)));
  }

  /** Cites the result: a sentence for a methods section, and BibTeX. */
  cite(): Citation {
    return cite(this.ledger, this.provenance);
  }

  /** One line on what it holds, and a line for each reason and warning. */
  toString(): string {
    const { complete, asked, received, promised, missing, reasons, warnings } = this.ledger;
    // A registry's promise is how many records match; a page holds some of them.
    const isPage = complete && asked === null && promised !== null && received < promised;
    const isEmpty = isWithoutMatch(this.ledger);
    const page = describePage(this.ledger, this.provenance);
    const counts = [
      page ?? (isEmpty ? "" : `${received} ${received === 1 ? "record" : "records"}`),
      page !== undefined || promised === null || promised === received
        ? ""
        : `${promised} ${asked === null ? "match" : "promised"}`,
      missing.length === 0 ? "" : `${missing.length} missing (${listSome(missing, 5)})`,
      `${this.columns.length} ${this.columns.length === 1 ? "column" : "columns"}`,
    ].filter((part) => part !== "").join(", ");
    const head = `${this.provenance.operation}: ${
      isEmpty ? "no records match" : isPage ? "complete page" : complete ? "complete" : "INCOMPLETE"
    }, ${counts}`;
    return [
      head,
      ...reasons.map((reason) => `  incomplete: ${reason}`),
      ...warnings.map((text) => `  warning: ${text}`),
    ]
      .join("\n");
  }

  /** Shows the result in a notebook: its first rows, its ledger below. */
  [DISPLAY](): MediaBundle {
    const fields = [...new Set(this.columns.map(({ field }) => field))];
    return viewResult({
      text: this.toString(),
      caption: this.provenance.operation,
      columns: fields,
      types: fields.map((field) => shownType(this.columns.find((column) => column.field === field)!)),
      read: (most) => this.#makeRows(most).map((row) => fields.map((field) => shownValue(row[field]))),
      total: this.table.rows,
      complete: `toCSV("all.csv") of the result writes all of it`,
      ledger: this.ledger,
      provenance: this.provenance,
    });
  }

  /** Shows the result in the console as its summary. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  #makeRows(most: number, from = 0): readonly Row[] {
    const fields = [...new Set(this.columns.map(({ field }) => field))];
    const casts = fields.map((field) => {
      const type = this.columns.find((column) => column.field === field)!.type;
      const unit = this.#definitions.get(field)?.unit ?? "";
      return (text: string | null): CellValue | null => {
        if (text === null || type === "string" || type === "date") return text;
        const read = readValue(text, { type, unit });
        return read.kind === "value" ? read.value : null;
      };
    });
    return this.table.textRows(fields, most, from).map((texts) =>
      Object.fromEntries(fields.map((field, index) => [field, casts[index](texts[index])]))
    );
  }
}

function shownValue(value: CellValue | null): string | number | bigint | boolean | null {
  return typeof value === "object" && value !== null ? value.join("; ") : value;
}

/** A column's type as frames spell it; a date is a date in every one of its columns. */
function shownType({ type, dtype }: TableColumn): string {
  return type === "date" ? "Date" : String(dtype);
}
