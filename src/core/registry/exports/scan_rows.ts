/** Reads the rows of a CSV export or of a TSV list, while its bytes go by. */
import { peekBytes } from "../../io/bytes/peek_bytes.ts";
import { describeBytes, firstLineOf } from "../../io/bytes/describe_bytes.ts";
import { type CsvRow, readCsvRows } from "../../io/csv/csv_rows.ts";
import { findSeparator, type Separator, SEPARATOR_NAMES } from "../../io/csv/separator.ts";
import { headerFault, LONE_RETURNS } from "../../io/csv/check_header.ts";
import { TextFormError } from "../../io/bytes/text_form_error.ts";
import { raggedRow } from "../../io/csv/row_values.ts";
import { isAccession } from "../../contract/accession.ts";
import { absentFields, isAccessionColumn } from "./export_fields.ts";
import { invalidAccession } from "../plan/invalid_log.ts";
import { ExportMismatchError, type ExportScanOptions } from "./scan_options.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";

const LF = 10;
const CR = 13;
/** Bytes of a header that are waited for. */
const MAX_HEAD = 1 << 20;
const hasHeader = (bytes: number, last: Uint8Array) => bytes >= MAX_HEAD || last.includes(LF);

/** Passes a table on and reports its rows. @throws {ParseError} As `scanExport` does. */
export async function* scanRows(
  fileType: "csv" | "tsv",
  chunks: AsyncIterable<Uint8Array>,
  options: ExportScanOptions,
): AsyncGenerator<Uint8Array> {
  const { head, chunks: whole } = await peekBytes(chunks, hasHeader);
  const separator = fileType === "tsv" ? "\t" : findSeparator(head);
  const scan = new RowScan({ fileType, head, separator }, options);
  if (fileType === "csv") options.onSeparator?.(separator);
  // What is passed on waits until the beginning has shown that it is a table.
  const passed: Uint8Array[] = [];
  let last = LF;
  const tapped = (async function* () {
    for await (const chunk of whole) {
      passed.push(chunk.slice());
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  })();
  // In a TSV a quote is a character like any other.
  const quotes = fileType === "csv";
  for await (
    const rows of readCsvRows(tapped, { separator, quotes, name: options.name })
  ) {
    let start = 0;
    if (!scan.hasBegun && rows.length > 0) {
      start = scan.begin(rows[0].cells) ? 1 : 0;
      if (!scan.isKnown && options.findAliases !== undefined) scan.learn(await options.findAliases());
    }
    scan.take(rows.slice(start));
    if (scan.isKnown) yield* passed.splice(0);
  }
  scan.end(last === LF || last === CR);
  yield* passed.splice(0);
}

/** What is known of a table before its rows are read. */
interface TableHead {
  readonly fileType: "csv" | "tsv";
  readonly head: Uint8Array;
  readonly separator: Separator;
}

/** Judges rows one after the other. */
class RowScan {
  readonly #head: TableHead;
  readonly #options: ExportScanOptions;
  readonly #name: string;
  #header: readonly string[] = [];
  #width = 0;
  /** Which column holds accessions; -1 where none does. */
  #column = -1;
  #isKnown = false;
  /** The last row, when it is not as wide as the header: cut off, where no other follows. */
  #odd: CsvRow | undefined;
  /** The last row's accession, when it is malformed. */
  #malformed: { readonly value: string; readonly line: number } | undefined;

  constructor(head: TableHead, options: ExportScanOptions) {
    this.#head = head;
    this.#options = options;
    this.#name = options.name ?? "the export";
  }

  /** Whether the first row has been taken. */
  get hasBegun(): boolean {
    return this.#width > 0;
  }

  /** Whether it is certain that this is the table that was asked for. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Takes the first row; whether it is a header. A list without one begins with an accession. */
  begin(cells: readonly string[]): boolean {
    const { naming, onHeader } = this.#options;
    this.#width = cells.length;
    const fault = headerFault(cells);
    if (fault === LONE_RETURNS) throw new TextFormError(`Cannot read ${this.#name}: ${fault}`, { line: 1 });
    if (fault !== undefined && this.#head.fileType === "csv") {
      this.#options.onEntry?.(noteEntry("header-invalid", `a frame cannot be made of the table: ${fault}`));
    }
    this.#column = cells.findIndex((cell) => isAccessionColumn(cell, naming));
    const bare = this.#column === -1 ? cells.findIndex(isAccession) : -1;
    if (bare !== -1) {
      this.#column = bare;
      this.#recognize();
      return false;
    }
    this.#header = cells;
    this.learn(new Map());
    onHeader?.(cells);
    return true;
  }

  /** Recognizes the header by the aliases of the fields that were asked for. */
  learn(aliases: ReadonlyMap<string, string>): void {
    const { fields, naming } = this.#options;
    if (fields === undefined) return this.#recognize();
    const shared = { naming, aliases };
    const known = fields.length > absentFields(fields, this.#header, shared).length;
    if (known || this.#column !== -1) this.#recognize();
  }

  take(rows: readonly CsvRow[]): void {
    for (const row of rows) this.#takeRow(row);
    if (rows.length > 0 && !this.#isKnown) throw this.#notATable();
  }

  /** Ends the table. @throws {ExportMismatchError} If it is cut off in its last row, or no such table. */
  end(endsWithLine: boolean): void {
    if (!this.#isKnown) throw this.#notATable();
    if (this.#odd !== undefined && !endsWithLine && this.#odd.cells.length < this.#width) {
      const { cells, line } = this.#odd;
      throw this.#cutOff(`which has ${cells.length} of ${this.#width} cells`, line);
    }
    if (this.#malformed !== undefined && !endsWithLine && /^(v|vj[0-9]{0,11})$/.test(this.#malformed.value)) {
      throw this.#cutOff(`after ${JSON.stringify(this.#malformed.value)}`, this.#malformed.line);
    }
    this.#reportPending();
  }

  #takeRow(row: CsvRow): void {
    const { onRecord } = this.#options;
    this.#reportPending();
    if (row.cells.length !== this.#width) {
      if (!this.#isKnown) throw this.#notATable();
      this.#odd = row;
      return;
    }
    // Where the header does not tell which column is the accession's, its values do.
    if (this.#column === -1 && (!this.#isKnown || this.#width === 1)) {
      this.#column = row.cells.findIndex(isAccession);
      if (this.#column !== -1) this.#recognize();
    }
    const accession = row.cells[this.#column];
    if (accession === undefined) onRecord(undefined);
    else if (isAccession(accession)) onRecord(accession);
    else this.#malformed = { value: accession, line: row.line };
  }

  /** Reports what the row before had wrong: it was not the last one. */
  #reportPending(): void {
    const { onInvalid } = this.#options;
    if (this.#odd !== undefined) {
      const { cells, line } = this.#odd;
      this.#odd = undefined;
      const reason = raggedRow(cells.length, this.#width);
      onInvalid?.({ line, reason, isReadable: false });
    }
    if (this.#malformed !== undefined) {
      const { value, line } = this.#malformed;
      this.#malformed = undefined;
      onInvalid?.(invalidAccession(value, line));
    }
  }

  #recognize(): void {
    this.#isKnown = true;
    this.#checkSeparator();
  }

  #checkSeparator(): void {
    const { separator, head } = this.#head;
    if (this.#head.fileType === "tsv" || separator === "," || this.#options.separators === "any") return;
    throw new ExportMismatchError(
      `Cannot read ${this.#name}: expected a CSV table, whose cells are separated by commas, got one separated by ` +
        `${SEPARATOR_NAMES[separator]}, first line: ${
          firstLineOf(head)
        }; ask for metadata as XML, or read it as a frame`,
      { line: 1 },
    );
  }

  #notATable(): ExportMismatchError {
    const { fileType, head } = this.#head;
    const expected = fileType === "csv" ? "a CSV table of metadata" : "an accession list";
    const what = head.length === 0 ? "an empty file" : `${describeBytes(head)}, first line: ${firstLineOf(head)}`;
    return new ExportMismatchError(
      `Cannot read ${this.#name}: expected ${expected}, got ${what}; it names neither accessions nor a field that was ` +
        "asked for: check the base URL and the naming, or try again later",
      { line: 1 },
    );
  }

  #cutOff(where: string, line: number): ExportMismatchError {
    return new ExportMismatchError(
      `Cannot read ${this.#name}: it is cut off in its last row, ${where}, first line: ` +
        `${firstLineOf(this.#head.head)}; ask for it again`,
      { line },
    );
  }
}
