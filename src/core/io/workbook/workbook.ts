/**
 * Reads Excel workbooks (`.xlsx`, `.xlsm`) row by row, in memory that does not grow with their sheets.
 *
 * Own code instead of `read-excel-file`, which cuts date-times, holds whole sheets and fails beyond 125,000 rows:
 * `deno task bench workbook` measures it with openpyxl. Source: ECMA-376, part 1, chapter 18 (SpreadsheetML).
 */
import { ParseError } from "../../errors.ts";
import { type OpenBytesOptions, sourceName } from "../bytes/open_bytes.ts";
import type { ByteSource } from "../bytes/byte_source.ts";
import { openRandomBytes } from "../bytes/random_bytes.ts";
import { openZip, type ZipArchive } from "../zip/zip_archive.ts";
import type { CellRange } from "./_cell_names.ts";
import { CellNotes } from "./_cell_notes.ts";
import { readWorkbookParts, type WorkbookParts, type WorkbookSheet } from "./_parts.ts";
import { readSharedTexts } from "./_shared_texts.ts";
import { type SheetRow, SheetRows } from "./_sheet_rows.ts";
import { readStyles } from "./_number_formats.ts";
import { type HeaderedTable, readTableObject } from "./_table_object.ts";
import { readPart } from "./_xml_part.ts";

export type { CellNotes, CellRange, SheetRow, WorkbookSheet };

export interface SheetReading {
  /**
   * Batches of rows that have a cell with text, in order. Dates are ISO 8601; a date-time at midnight ends in
   * `T00:00:00`, since another row of its column may have a time.
   */
  readonly rows: AsyncGenerator<readonly SheetRow[]>;
  /** What is unusual about the cells read so far. */
  readonly notes: CellNotes;
  /** Columns, from 0, with a time of day other than midnight, as far as read. */
  readonly timed: ReadonlySet<number>;
  /** Ranges of merged cells, which come after all rows. */
  readonly merged: readonly CellRange[];
}

/** An open workbook. Dispose of it to close its file. */
export class Workbook implements Disposable {
  /** The sheets with cells, in the order of their tabs; without those of charts. */
  readonly sheets: readonly WorkbookSheet[];
  readonly #archive: ZipArchive;
  readonly #parts: WorkbookParts;
  readonly #options: { readonly name: string; readonly signal?: AbortSignal };
  readonly #bytes: DisposableStack;
  #shared: { readonly texts: readonly string[]; readonly styles: Awaited<ReturnType<typeof readStyles>> } | undefined;

  /** Takes what {@linkcode openWorkbook} found. */
  constructor(
    archive: ZipArchive,
    parts: WorkbookParts,
    options: { readonly name: string; readonly signal?: AbortSignal },
    bytes: DisposableStack,
  ) {
    this.sheets = parts.sheets;
    this.#archive = archive;
    this.#parts = parts;
    this.#options = options;
    this.#bytes = bytes;
  }

  [Symbol.dispose](): void {
    this.#bytes.dispose();
  }

  /**
   * Reads a sheet.
   *
   * @returns The rows, which throw a {@linkcode ParseError} if the sheet is damaged, malformed, or has a cell beyond
   * XFD1048576, and what is unusual about them.
   */
  readSheet(sheet: WorkbookSheet): SheetReading {
    const notes = new CellNotes();
    const timed = new Set<number>();
    const merged: CellRange[] = [];
    return { rows: this.#readRows(sheet, { notes, timed, merged }), notes, timed, merged };
  }

  /** Reads the table object of a sheet; `undefined` if it has no header, or the sheet has not exactly one. */
  async readTableObject(sheet: WorkbookSheet): Promise<HeaderedTable | undefined> {
    const [entry, ...others] = await this.#parts.tablesOf(sheet);
    if (entry === undefined || others.length > 0) return undefined;
    return await readTableObject(this.#archive, entry, this.#options);
  }

  async *#readRows(
    sheet: WorkbookSheet,
    found: { readonly notes: CellNotes; readonly timed: Set<number>; readonly merged: CellRange[] },
  ): AsyncGenerator<readonly SheetRow[]> {
    const { entry } = sheet;
    if (entry === undefined) {
      const what = `the file of its sheet ${JSON.stringify(sheet.name)} is missing; save it again`;
      throw new ParseError(`Cannot read ${this.#options.name}: ${what}`);
    }
    const { is1904, isComputedOnOpening } = this.#parts;
    const { texts, styles } = this.#shared ??= await this.#readShared();
    const name = `the sheet ${JSON.stringify(sheet.name)} of ${this.#options.name}`;
    const context = { name, sharedTexts: texts, styles, is1904, isComputedOnOpening };
    const sink = new SheetRows(context, found);
    for await (const _ of readPart(this.#archive, entry, sink, this.#options)) {
      if (sink.rows.length === 0) continue;
      const { rows } = sink;
      sink.rows = [];
      yield rows;
    }
  }

  async #readShared() {
    const { styles, sharedTexts } = this.#parts;
    return {
      texts: sharedTexts === undefined ? [] : await readSharedTexts(this.#archive, sharedTexts, this.#options),
      styles: styles === undefined ? [] : await readStyles(this.#archive, styles, this.#options),
    };
  }
}

/**
 * Opens a workbook. Streams are read to their end first.
 *
 * @throws {ParseError} If it is not a workbook, or damaged.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 */
export async function openWorkbook(source: ByteSource, options: OpenBytesOptions = {}): Promise<Workbook> {
  const name = options.name ?? sourceName(source);
  using stack = new DisposableStack();
  const bytes = stack.use(await openRandomBytes(source, options));
  const archive = openZip(bytes, name);
  const inner = { name, signal: options.signal };
  const parts = await readWorkbookParts(archive, inner);
  return new Workbook(archive, parts, inner, stack.move());
}
